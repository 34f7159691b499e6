import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync } from 'node:crypto';
import { mediaAssetError } from '../../errors/errors.ts';
import { redisValue } from '../../storage/redis-value.ts';
import type { StoredTokens } from '../types.ts';
import {
  identityKey,
  parseTokens,
  type TokenIdentity,
  type TokenStore,
  tokenStoreBusy,
  waitForTokens,
} from './token-store.ts';

/** A lease that isn't renewed expires after this time, in ms. */
const leaseExpiry = 30_000;

/** An encrypted token store in Redis, for several machines. */
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
  const errorsOf = (name: string) => {
    const busy = (owner: string | undefined) => tokenStoreBusy(name, owner);
    const unusable = (problem: string) => (cause: unknown) =>
      mediaAssetError('token-store-unusable', { store: name, problem }, { cause });
    const refused = unusable('Redis refused the request');
    return {
      ...{ busy, lost: busy, changed: () => busy(undefined) },
      ...{ unreadable: refused, unwritable: refused },
      unreachable: unusable("Redis couldn't be reached, or didn't answer in time"),
      packageMissing: unusable('the package redis is missing (npm install redis)'),
    };
  };
  const value = redisValue({ url, key, leaseKey: `${key}-lease`, expiry: leaseExpiry, errorsOf });
  const { name, connection } = value;
  const unseal = ({ bytes }: { bytes: Buffer }) =>
    unsealTokens(bytes.toString(), { store: name, secret, identity });

  return {
    name,
    async read() {
      const found = await value.read();
      return found && unseal(found);
    },
    async update(change, signal) {
      const disconnect = connection.hold();
      try {
        const lease = await waitForTokens(() => value.lock(), signal);
        try {
          const found = await value.read();
          const stored = found && unseal(found);
          const changed = await change(stored);
          if (changed === stored) return;
          await lease.write(changed ? sealTokens(changed, { secret, identity }) : '', found?.tag);
        } finally {
          await lease.release();
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
