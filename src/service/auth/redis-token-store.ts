import { createHash } from 'node:crypto';
import { mediaAssetError } from '../../errors/errors.ts';
import { leaseTimes, startHeartbeat } from '../../storage/heartbeat.ts';
import { newOwner } from '../../storage/lease-owner.ts';
import { redisConnection, redisName } from '../../storage/redis-connection.ts';
import { redisLease } from '../../storage/redis-lease.ts';
import { sleepOnTimer } from '../http/pauses.ts';
import type { StoredTokens } from '../types.ts';
import { busy } from './file-token-store.ts';
import { sealTokens, unsealTokens } from './seal-tokens.ts';
import { identityKey, type TokenIdentity, type TokenStore } from './token-store.ts';

/** Replaces or removes the tokens where the lease is ours; else gives its owner. */
const writeScript = `
local owner = redis.call('GET', KEYS[1])
if owner ~= ARGV[1] then return owner or '' end
if ARGV[2] == '' then redis.call('DEL', KEYS[2]) else redis.call('SET', KEYS[2], ARGV[2]) end
return 'written'`;

/** How long the lease of a process holds that has stopped renewing it, in ms. */
const leaseExpiry = 30_000;
/** How long connecting and a command may take together, in ms. */
const patience = 10_000;
/** How long to wait for other processes, in ms. */
const longestWait = 3 * 60 * 1000;
/** Between two looks at the lease, in ms. */
const pause = 200;

/**
 * An encrypted token store in Redis, for processes on many machines. The lease runs out by the clock
 * of Redis.
 */
export function redisTokenStore({
  url,
  identity,
  secret,
}: {
  /** `redis://` or `rediss://`. Its user name and password stand in no name, error or log. */
  url: string;
  identity: TokenIdentity;
  /** What tokens are encrypted with. */
  secret: string;
}): TokenStore {
  const digest = createHash('sha256').update(identityKey(identity)).digest('hex').slice(0, 32);
  // In braces: a cluster keeps both keys together.
  const key = `media-asset:{${digest}}:tokens`;
  const name = redisName(url, key);
  const unusable = (problem: string) => (cause: unknown) =>
    mediaAssetError('token-store-unusable', { store: name, problem }, { cause });
  const refused = unusable('Redis refuses it');
  const connection = redisConnection({
    url,
    patience,
    unreachable: unusable('Redis cannot be reached, or does not answer in time'),
    packageMissing: unusable('it needs the package redis (npm install redis)'),
  });

  const lease = redisLease({
    connection,
    key: `media-asset:{${digest}}:tokens-lease`,
    expiry: leaseExpiry,
    refused,
  });

  async function read(): Promise<StoredTokens | undefined> {
    const found = await connection.use((client) => client.get(key), refused);
    return found === null
      ? undefined
      : unsealTokens(found.toString(), { store: name, secret, identity });
  }

  async function takeLease(own: string, signal: AbortSignal | undefined): Promise<void> {
    const end = performance.now() + longestWait;
    for (;;) {
      signal?.throwIfAborted();
      if (await lease.take(own)) return;
      if (performance.now() > end) throw busy(name, await lease.owner());
      await sleepOnTimer(pause / 2 + Math.random() * pause, signal);
    }
  }

  return {
    name,
    read,
    async update(change, signal) {
      const own = newOwner(Date.now());
      const letGo = connection.hold();
      try {
        await takeLease(own, signal);
        const stop = startHeartbeat(() => lease.renew(own), leaseTimes(leaseExpiry).beat);
        try {
          const stored = await read();
          const changed = await change(stored);
          if (changed === stored) return;
          const text = changed === undefined ? '' : sealTokens(changed, { secret, identity });
          const answer = await lease.run(writeScript, own, [key], [text]);
          if (answer !== 'written') throw busy(name, answer || undefined);
        } finally {
          await stop();
          await lease.release(own);
        }
      } finally {
        await letGo();
      }
    },
  };
}
