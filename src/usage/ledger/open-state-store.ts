import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, constants, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { ResolvedOptions } from '../../config/options.ts';
import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { type FileLock, lockFile } from '../../storage/file-lock.ts';
import { errorCode, ignoreMissing } from '../../storage/file-problems.ts';
import { waitWhileBusy } from '../../storage/lease.ts';
import { redisValue } from '../../storage/redis-value.ts';
import { replaceFile } from '../../storage/replace-file.ts';
import { historyName, type LedgerIdentity, ledgerName, ledgerPath } from './ledger-identity.ts';
import {
  leaseExpiry,
  ledgerErrors,
  type StateKind,
  type StateStore,
  type StoredState,
  toStoredState,
} from './state-store.ts';

/**
 * Opens the store that `report.store` names, or that of the publication history or of the uses in
 * projects, next to it. Doesn't read or connect yet.
 */
export function openStateStore({
  store,
  root,
  identity,
  kind = 'ledger',
}: {
  store: ResolvedOptions['report']['store'];
  root: string;
  identity: LedgerIdentity;
  /** @default 'ledger' */
  kind?: StateKind;
}): StateStore {
  if (store && 'redis' in store) return redisStateStore({ url: store.redis, identity, kind });
  const ledger = store ? resolve(root, store.file) : ledgerPath(root, identity);
  const other = join(dirname(ledger), `${kind}-${historyName(identity)}.json`);
  return fileStateStore({ path: kind === 'ledger' ? ledger : other });
}

/** Longer than a killed run's lock holds, in ms. */
const lockPatience = 2 * leaseExpiry;

/**
 * A store whose `lock` waits while another run holds it, so that two builds of one site both succeed.
 * Fails with `ledger-busy` after `lockPatience`, or when the signal of `lock` fires.
 */
export function waitForLedger(
  store: StateStore,
  {
    onWait,
    ...timing
  }: {
    /** Called once for each `lock` that waits, with a sentence for people. */
    onWait: (text: string) => void;
  } & Pick<Parameters<typeof waitWhileBusy>[1], 'ticks' | 'sleep'>,
): StateStore {
  return {
    ...store,
    lock: (signal) =>
      waitWhileBusy(() => store.lock(signal), {
        ...timing,
        ...{ signal, patience: lockPatience, interval: 1000 },
        isBusy: (error) => isMediaAssetError(error, 'ledger-busy'),
        onWait: ({ message }) => onWait(`${message} Waiting up to ${lockPatience / 1000} seconds.`),
      }),
  };
}

/** A state store in a file that only its owner can read, with a lock file next to it. */
export function fileStateStore({
  path,
  ...timing
}: Pick<FileLock, 'path'> &
  Partial<Pick<FileLock, 'clock' | 'ticks' | 'sleep' | 'expiry'>>): StateStore {
  const errors = ledgerErrors(path);

  const ifThere = <T>(read: () => Promise<T>) =>
    read()
      .catch(ignoreMissing)
      .catch((cause: unknown) => {
        throw errors.unreadable(cause);
      });

  /** Reads in chunks, because a large site's ledger takes much memory. */
  const readTag = () =>
    ifThere(async () => {
      const hash = createHash('sha256');
      for await (const chunk of createReadStream(path)) hash.update(chunk);
      return hash.digest('hex');
    });

  async function read(file = path): Promise<StoredState | undefined> {
    const bytes = await ifThere(() => readFile(file));
    if (bytes === undefined) return undefined;
    return toStoredState(bytes, createHash('sha256').update(bytes).digest('hex'));
  }

  return {
    name: path,
    read: () => read(),
    async others() {
      const files = (await ifThere(() => readdir(dirname(path)))) ?? [];
      const named = files.filter((file) => /^ledger-.*\.json$/.test(file));
      const paths = named.map((file) => join(dirname(path), file)).filter((file) => file !== path);
      return (await Promise.all(paths.map(read))).filter((state) => state !== undefined);
    },
    async lock(signal) {
      await checkWritable(path);
      const lease = await lockFile({
        path: `${path}.lock`,
        ...{ clock: Date.now, expiry: leaseExpiry },
        ...timing,
        ...{ signal, ...errors },
      });
      return {
        ...lease,
        async write(chunks, tag) {
          await lease.renew();
          if ((await readTag()) !== tag) throw errors.changed();
          const hash = createHash('sha256');
          try {
            await replaceFile(path, hashed(chunks, hash));
          } catch (cause) {
            throw errors.unwritable(cause);
          }
          return hash.digest('hex');
        },
      };
    },
  };
}

/**
 * Refuses a read-only file. Replacing it needs only rights on its folder, so the write itself
 * wouldn't fail.
 */
async function checkWritable(path: string): Promise<void> {
  try {
    const { mode } = await stat(path);
    if ((mode & 0o222) === 0) throw new Error('The file is read-only.');
    await access(path, constants.W_OK);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return;
    throw ledgerErrors(path).unwritable(cause);
  }
}

/** The same texts. Each is added to the hash when it's read. */
function* hashed(chunks: Iterable<string>, hash: Hash): Generator<string, void> {
  for (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

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
  const leaseKey = `${kind === 'uses' ? key : prefix}:lease`;
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
  const value = redisValue({ ...settings, key, leaseKey, expiry, errorsOf });
  const { name, connection } = value;

  async function read(of = key) {
    const found = await value.read(of);
    return found && toStoredState(found.bytes, found.tag);
  }

  return {
    name,
    read: () => read(),
    async others() {
      const keys: string[] = [];
      // Redis may not let this account list keys.
      await connection.use(async (client) => {
        const options = { MATCH: 'media-asset:{*}:ledger', COUNT: 1000 };
        for await (const found of client.scanIterator(options)) keys.push(...found.map(String));
      }, ledgerErrors(name).unreadable);
      const states = await Promise.all(keys.filter((one) => one !== key).map(read));
      return states.filter((state) => state !== undefined);
    },
    async lock() {
      const lease = await value.lock();
      return { ...lease, write: (chunks, tag) => lease.write([...chunks].join(''), tag) };
    },
  };
}
