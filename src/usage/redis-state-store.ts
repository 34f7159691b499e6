import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { mediaAssetError } from '../errors.ts';
import { startHeartbeat } from '../storage/heartbeat.ts';
import { newOwner } from '../storage/lease-owner.ts';
import { leaseTimes } from '../storage/lease-times.ts';
import { redisConnection } from '../storage/redis-connection.ts';
import { busy, changed, leaseExpiry, lost } from './ledger-busy.ts';
import { type LedgerIdentity, ledgerName } from './ledger-identity.ts';
import type { StateStore } from './state-store.ts';

/** Keeps the lease where it is the run's; gives its owner. */
const renewScript = `
local owner = redis.call('GET', KEYS[1])
if owner == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return owner or ''`;

/** Replaces the state where the lease is the run's and the state has the tag; else gives the owner. */
const writeScript = `
local owner = redis.call('GET', KEYS[1])
if owner ~= ARGV[1] then return owner or '' end
local state = redis.call('GET', KEYS[2])
if (state and redis.sha1hex(state) or '') ~= ARGV[3] then return 'changed' end
redis.call('SET', KEYS[2], ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 'written'`;

const releaseScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return ''`;

/**
 * A state store in Redis. Compare-and-swap and lease are scripts, which Redis runs one at a time,
 * and the lease runs out by the clock of Redis: they hold on however many machines. What is written
 * is as durable as that Redis makes it (`appendfsync`, replicas, no eviction of keys).
 */
export function redisStateStore({
  url,
  identity,
  clock = Date.now,
  patience = 10_000,
  expiry = leaseExpiry,
}: {
  /** `redis://` or `rediss://`. Its user name and password stand in no name, error or log. */
  url: string;
  identity: LedgerIdentity;
  /** Milliseconds since the epoch; only for the name of the lease's owner. */
  clock?: () => number;
  /** How long connecting and a command may take together, in ms. */
  patience?: number;
  /** How long the lease of a run holds that has stopped renewing it, in ms. */
  expiry?: number;
}): StateStore {
  // In braces: a cluster keeps the keys of one ledger together.
  const prefix = `media-asset:{${ledgerName(identity)}}`;
  const key = `${prefix}:ledger`;
  const leaseKey = `${prefix}:lease`;
  const { protocol, host, pathname } = new URL(url);
  const name = `${protocol}//${host}${pathname.replace(/\/$/, '')} ${key}`;
  const connection = redisConnection({
    url,
    patience,
    unreachable: (cause) => mediaAssetError('store-unreachable', { path: name }, { cause }),
    packageMissing: (cause) =>
      mediaAssetError('store-package-missing', { path: name, package: 'redis' }, { cause }),
  });
  const unreadable = (cause: unknown) =>
    mediaAssetError('ledger-unreadable', { path: name }, { cause });
  const unwritable = (cause: unknown) =>
    mediaAssetError('ledger-unwritable', { path: name }, { cause });

  const readBytes = () =>
    connection.use(async (client) => (await client.get(key)) ?? undefined, unreadable);

  /** @returns what the script returns, as text */
  const run = (script: string, keys: string[], values: string[]) =>
    connection.use(
      async (client) => String(await client.eval(script, { keys, arguments: values })),
      unwritable,
    );

  /** @returns `null` where there is a lease */
  const take = (own: string) =>
    connection.use(
      (client) =>
        client.set(leaseKey, own, { condition: 'NX', expiration: { type: 'PX', value: expiry } }),
      unwritable,
    );

  async function keepAside(): Promise<string> {
    const bytes = (await readBytes()) ?? Buffer.alloc(0);
    const copy = `${prefix}:broken-${tagOf(bytes).slice(0, 8)}`;
    await connection.use((client) => client.set(copy, bytes, { condition: 'NX' }), unwritable);
    return copy;
  }

  return {
    name,
    guarantee: 'exclusive',
    async read() {
      const bytes = await readBytes();
      if (bytes === undefined) return undefined;
      const state = { text: bytes.toString('utf8'), tag: tagOf(bytes) };
      return isUtf8(bytes) ? state : { ...state, problem: 'it is not text in UTF-8' };
    },
    async lock() {
      const own = newOwner(clock());
      const letGo = connection.hold();
      try {
        while ((await take(own)) === null) {
          const other = await connection.use((client) => client.get(leaseKey), unwritable);
          if (other !== null) throw busy(name, other.toString());
        }
      } catch (error) {
        await letGo();
        throw error;
      }
      const renew = async () => {
        const owner = await run(renewScript, [leaseKey], [own, String(expiry)]);
        if (owner !== own) throw lost(name, owner || undefined);
      };
      const stop = startHeartbeat(renew, leaseTimes(expiry).beat);
      return {
        renew,
        async write(chunks, tag = '') {
          const text = [...chunks].join('');
          const values = [own, String(expiry), tag, text];
          const answer = await run(writeScript, [leaseKey, key], values);
          if (answer === 'changed') throw changed(name);
          if (answer !== 'written') throw lost(name, answer || undefined);
          return tagOf(text);
        },
        async release() {
          await stop();
          // A lease that stays runs out.
          await run(releaseScript, [leaseKey], [own]).catch(() => {});
          await letGo();
        },
      };
    },
    keepAside,
  };
}

function tagOf(content: Uint8Array | string): string {
  return createHash('sha1').update(content).digest('hex');
}
