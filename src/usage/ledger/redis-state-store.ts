import { mediaAssetError } from '../../errors/errors.ts';
import { redisValue } from '../../storage/redis-value.ts';
import { historyName, type LedgerIdentity, ledgerName } from './ledger-identity.ts';
import {
  leaseExpiry,
  ledgerErrors,
  type StateKind,
  type StateStore,
  toStoredState,
} from './state-store.ts';

/**
 * A state store in Redis, for any number of machines. The ledger is as durable as Redis is set up to be
 * (`appendfsync`, replicas, no eviction).
 */
export function redisStateStore({
  identity,
  kind = 'ledger',
  expiry = leaseExpiry,
  ...settings
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
  const errorsOf = (name: string) => ({
    ...ledgerErrors(name),
    unreachable: (cause: unknown) => {
      const problem = cause instanceof Error ? cause.message : '';
      return mediaAssetError('store-unreachable', { path: name, problem }, { cause });
    },
    packageMissing: (cause: unknown) => {
      const details = { what: `The ledger ${name}`, install: 'redis' };
      return mediaAssetError('package-missing', details, { cause });
    },
  });
  const value = redisValue({ ...settings, key, leaseKey: `${prefix}:lease`, expiry, errorsOf });
  const { name, connection } = value;

  async function read(of = key) {
    const found = await value.read(of);
    return found && toStoredState(found.bytes, found.tag);
  }

  /** Redis may not let this account list keys. */
  const listKeys = () =>
    connection.use(async (client) => {
      const keys: string[] = [];
      const options = { MATCH: 'media-asset:{*}:ledger', COUNT: 1000 };
      for await (const found of client.scanIterator(options)) keys.push(...found.map(String));
      return keys.filter((found) => found !== key);
    }, ledgerErrors(name).unreadable);

  return {
    name,
    read: () => read(),
    async others() {
      const states = await Promise.all((await listKeys()).map(read));
      return states.filter((state) => state !== undefined);
    },
    async lock() {
      const lease = await value.lock();
      return { ...lease, write: (chunks, tag) => lease.write([...chunks].join(''), tag) };
    },
  };
}
