import { createHash } from 'node:crypto';
import { mediaAssetError } from '../../errors/errors.ts';
import { leaseTimes, newOwner, startHeartbeat } from '../../storage/lease.ts';
import { redisConnection, redisName } from '../../storage/redis-connection.ts';
import { redisLease } from '../../storage/redis-lease.ts';
import { historyName, type LedgerIdentity, ledgerName } from './ledger-identity.ts';
import {
  leaseExpiry,
  ledgerErrors,
  type StateKind,
  type StateStore,
  type StoredState,
  toStoredState,
} from './state-store.ts';

/** Replaces the state if the run has the lease and the tag fits. Otherwise returns the owner. */
const writeScript = `
local owner = redis.call('GET', KEYS[1])
if owner ~= ARGV[1] then return owner or '' end
local state = redis.call('GET', KEYS[2])
if (state and redis.sha1hex(state) or '') ~= ARGV[3] then return 'changed' end
redis.call('SET', KEYS[2], ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 'written'`;

/**
 * A state store in Redis, for any number of machines. Redis runs the scripts for compare-and-swap and
 * the lease one at a time, and the lease expires by its clock. The ledger is as durable as Redis is
 * set up to be (`appendfsync`, replicas, no eviction).
 */
export function redisStateStore({
  url,
  identity,
  kind = 'ledger',
  clock = Date.now,
  patience = 10_000,
  expiry = leaseExpiry,
}: {
  /** `redis://` or `rediss://`. No name, error or log shows its user name and password. */
  url: string;
  identity: LedgerIdentity;
  /** @default 'ledger' */
  kind?: StateKind;
  /** Milliseconds since the epoch. Only for the name of the lease's owner. */
  clock?: () => number;
  /** How long connecting and a command may take together, in ms. */
  patience?: number;
  /** How long a lease holds without being renewed, in ms. */
  expiry?: number;
}): StateStore {
  // Braces keep the keys of one ledger on one node of a cluster.
  const prefix = `media-asset:{${kind === 'ledger' ? ledgerName(identity) : historyName(identity)}}`;
  const key = `${prefix}:${kind}`;
  const name = redisName(url, key);
  const connection = redisConnection({
    url,
    patience,
    unreachable: (cause) => {
      const problem = cause instanceof Error ? cause.message : '';
      return mediaAssetError('store-unreachable', { path: name, problem }, { cause });
    },
    packageMissing: (cause) =>
      mediaAssetError(
        'package-missing',
        { what: `The ledger ${name}`, install: 'redis' },
        { cause },
      ),
  });
  const { busy, changed, lost, unreadable, unwritable } = ledgerErrors(name);

  async function read(of = key): Promise<StoredState | undefined> {
    const bytes = await connection.use((client) => client.get(of), unreadable);
    return bytes === null ? undefined : toStoredState(bytes, tagOf(bytes));
  }

  /** Redis may not let this account list keys. */
  const listKeys = () =>
    connection.use(async (client) => {
      const keys: string[] = [];
      const options = { MATCH: 'media-asset:{*}:ledger', COUNT: 1000 };
      for await (const found of client.scanIterator(options)) keys.push(...found.map(String));
      return keys.filter((found) => found !== key);
    }, unreadable);

  const lease = redisLease({ connection, key: `${prefix}:lease`, expiry, refused: unwritable });

  return {
    name,
    read: () => read(),
    async others() {
      const states = await Promise.all((await listKeys()).map(read));
      return states.filter((state) => state !== undefined);
    },
    async lock() {
      const own = newOwner(clock());
      const letGo = connection.hold();
      try {
        while (!(await lease.take(own))) {
          const other = await lease.owner();
          if (other !== undefined) throw busy(other);
        }
      } catch (error) {
        await letGo();
        throw error;
      }
      const renew = async () => {
        const owner = await lease.renew(own);
        if (owner !== own) throw lost(owner);
      };
      const stop = startHeartbeat(renew, leaseTimes(expiry).beat);
      return {
        renew,
        async write(chunks, tag = '') {
          const text = [...chunks].join('');
          const answer = await lease.run(writeScript, own, [key], [String(expiry), tag, text]);
          if (answer === 'changed') throw changed();
          if (answer !== 'written') throw lost(answer || undefined);
          return tagOf(text);
        },
        async release() {
          await stop();
          await lease.release(own);
          await letGo();
        },
      };
    },
  };
}

function tagOf(content: Uint8Array | string): string {
  return createHash('sha1').update(content).digest('hex');
}
