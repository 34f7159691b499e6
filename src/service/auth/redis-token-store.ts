import { mediaAssetError } from '../../errors/errors.ts';
import { sha256 } from '../../storage/digest.ts';
import { underLease } from '../../storage/lease.ts';
import { redisValue } from '../../storage/redis-value.ts';
import { seal, unseal } from '../../storage/seal.ts';
import * as stores from './token-store.ts';

/** A lease that isn't renewed expires after this time, in ms. */
const leaseExpiry = 30_000;

/** An encrypted token store in Redis, for several machines. */
export function redisTokenStore(given: {
  /** `redis://` or `rediss://`. The user name and password appear in no name, error or log. */
  readonly url: string;
  readonly identity: stores.TokenIdentity;
  readonly secret: string;
}): stores.TokenStore {
  const { url, secret } = given;
  const owner = stores.identityKey(given.identity);
  // Tokens of another identity can't take the place of these.
  const ownSeal = { secret, purpose: `astro-media-asset 1 ${owner}` };
  // Braces keep both keys on one node of a cluster.
  const key = `media-asset:{${sha256(owner).slice(0, 32)}}:tokens`;
  const errorsOf = (name: string) => {
    const busy = (lease: string | undefined) => stores.tokenStoreBusy(name, lease);
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
  const { name } = value;
  async function unsealTokens({ bytes }: { bytes: Buffer }) {
    const json = await unseal(bytes.toString(), ownSeal).catch((cause: unknown) => {
      throw mediaAssetError('token-key-wrong', { store: name }, { cause });
    });
    return stores.parseTokens(JSON.parse(json.toString()), name);
  }

  return {
    name,
    async read() {
      const found = await value.read();
      return found && unsealTokens(found);
    },
    async update(change) {
      const taken = stores.waitForTokens(() => value.lock());
      await underLease(taken, async (lease) => {
        const found = await value.read();
        const stored = found && (await unsealTokens(found));
        const changed = await change(stored);
        if (changed === stored) return;
        const bytes = changed && Buffer.from(JSON.stringify(changed));
        const text = bytes ? await seal(bytes, ownSeal) : '';
        await lease.write(text, found?.tag);
      });
    },
  };
}
