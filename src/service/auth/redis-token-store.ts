import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync } from 'node:crypto';
import { mediaAssetError } from '../../errors/errors.ts';
import { leaseTimes, newOwner, startHeartbeat } from '../../storage/lease.ts';
import { redisConnection, redisName } from '../../storage/redis-connection.ts';
import { redisLease } from '../../storage/redis-lease.ts';
import { sleepOnTimer } from '../http/timing.ts';
import type { StoredTokens } from '../types.ts';
import { tokenStoreBusy } from './file-token-store.ts';
import { identityKey, parseTokens, type TokenIdentity, type TokenStore } from './token-store.ts';

/** Replaces or removes the tokens if the lease is ours, or returns its owner. */
const writeScript = `
local owner = redis.call('GET', KEYS[1])
if owner ~= ARGV[1] then return owner or '' end
if ARGV[2] == '' then redis.call('DEL', KEYS[2]) else redis.call('SET', KEYS[2], ARGV[2]) end
return 'written'`;

/** A lease that isn't renewed expires after this time, in ms. */
const leaseExpiry = 30_000;
/** Time limit for connecting and a command together, in ms. */
const patience = 10_000;
/** How long to wait for the lease, in ms. */
const maxWait = 3 * 60 * 1000;
/** Average wait between two attempts to take the lease, in ms. */
const pause = 200;

/** An encrypted token store in Redis, for several machines. Its lease uses the clock of Redis. */
export function redisTokenStore({
  url,
  identity,
  secret,
}: {
  /** `redis://` or `rediss://`. The user name and password appear in no name, error or log. */
  url: string;
  identity: TokenIdentity;
  secret: string;
}): TokenStore {
  const digest = createHash('sha256').update(identityKey(identity)).digest('hex').slice(0, 32);
  // Braces keep both keys on one node of a cluster.
  const key = `media-asset:{${digest}}:tokens`;
  const name = redisName(url, key);
  const unusable = (problem: string) => (cause: unknown) =>
    mediaAssetError('token-store-unusable', { store: name, problem }, { cause });
  const refused = unusable('Redis refused the request');
  const connection = redisConnection({
    url,
    patience,
    unreachable: unusable("Redis couldn't be reached, or didn't answer in time"),
    packageMissing: unusable('the package redis is missing (npm install redis)'),
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
    const end = performance.now() + maxWait;
    for (;;) {
      signal?.throwIfAborted();
      if (await lease.take(own)) return;
      if (performance.now() > end) throw tokenStoreBusy(name, await lease.owner());
      await sleepOnTimer(pause / 2 + Math.random() * pause, signal);
    }
  }

  return {
    name,
    read,
    async update(change, signal) {
      const own = newOwner(Date.now());
      const disconnect = connection.hold();
      try {
        await takeLease(own, signal);
        const stop = startHeartbeat(() => lease.renew(own), leaseTimes(leaseExpiry).beat);
        try {
          const stored = await read();
          const changed = await change(stored);
          if (changed === stored) return;
          const text = changed === undefined ? '' : sealTokens(changed, { secret, identity });
          const answer = await lease.run(writeScript, own, [key], [text]);
          if (answer !== 'written') throw tokenStoreBusy(name, answer || undefined);
        } finally {
          await stop();
          await lease.release(own);
        }
      } finally {
        await disconnect();
      }
    },
  };
}

const [saltLength, ivLength, tagLength] = [16, 12, 16];

interface Seal {
  /** The passphrase that scrypt derives the AES key from. */
  readonly secret: string;
  /** Authenticated with the tokens, so that tokens of another identity can't take their place. */
  readonly identity: TokenIdentity;
}

/** Encrypts tokens with AES-256-GCM. Returns base64. */
function sealTokens(tokens: StoredTokens, seal: Seal): string {
  const salt = randomBytes(saltLength);
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv('aes-256-gcm', keyOf(seal, salt), iv).setAAD(ownerOf(seal));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(tokens)), cipher.final()]);
  return Buffer.concat([salt, iv, cipher.getAuthTag(), sealed]).toString('base64');
}

/** @throws `token-store-broken`, `token-key-wrong` */
function unsealTokens(text: string, { store, ...seal }: Seal & { store: string }) {
  const bytes = Buffer.from(text, 'base64');
  const start = saltLength + ivLength + tagLength;
  if (bytes.length <= start) {
    const problem = "its tokens aren't encrypted";
    throw mediaAssetError('token-store-broken', { store, problem });
  }
  const salt = bytes.subarray(0, saltLength);
  const iv = bytes.subarray(saltLength, saltLength + ivLength);
  const tag = bytes.subarray(saltLength + ivLength, start);
  let json: string;
  try {
    const options = { authTagLength: tagLength };
    const decipher = createDecipheriv('aes-256-gcm', keyOf(seal, salt), iv, options);
    decipher.setAAD(ownerOf(seal)).setAuthTag(tag);
    json = Buffer.concat([decipher.update(bytes.subarray(start)), decipher.final()]).toString();
  } catch (cause) {
    throw mediaAssetError('token-key-wrong', { store }, { cause });
  }
  return parseTokens(JSON.parse(json), store);
}

function keyOf({ secret }: Seal, salt: Uint8Array): Buffer {
  return scryptSync(secret, salt, 32);
}

function ownerOf({ identity }: Seal): Buffer {
  return Buffer.from(`astro-media-asset 1 ${identityKey(identity)}`);
}
