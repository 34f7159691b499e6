import { isUtf8 } from 'node:buffer';
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { ResolvedOptions } from '../../config/options.ts';
import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { sha256, sha256Of } from '../../storage/digest.ts';
import { type FileLock, lockFile } from '../../storage/file-lock.ts';
import { ignoreMissing } from '../../storage/file-problems.ts';
import { ownerText, waitWhileBusy } from '../../storage/lease.ts';
import { redisValue } from '../../storage/redis-value.ts';
import { replaceFile } from '../../storage/replace-file.ts';
import { historyName, type LedgerIdentity, ledgerName, ledgerPath } from './ledger-identity.ts';

/**
 * Where a ledger is kept between builds. A store returns the last written state, refuses to replace a
 * state that the run hasn't read, and lets in one run at a time.
 */
export interface StateStore {
  /** The store as messages name it, such as a path or an address. Holds no secret. */
  readonly name: string;
  /** The last written state. `undefined` if there is none. */
  read(): Promise<StoredState | undefined>;
  /**
   * Throws `ledger-busy` if another run has the lock. Takes about half a minute after a run was killed
   * that held it, unless the signal ends that wait.
   */
  lock(signal?: AbortSignal): Promise<Lease>;
}

/** The states that are kept between runs. Each has a store of its own. */
export type StateKind = 'ledger' | 'history';

interface StoredState {
  readonly text: string;
  readonly tag: string;
}

/** Lets one run send and write. It's renewed while the process runs. */
export interface Lease {
  /** Renews the lease. Call it before each request: it throws if another run has taken over. */
  renew(): Promise<void>;
  /**
   * Replaces the state with this tag (`undefined`: no state yet) as a whole or not at all. Returns
   * the new tag. Reads each chunk of the text once. Throws `ledger-lost` if the state has another tag.
   */
  write(text: Iterable<string>, tag: string | undefined): Promise<string>;
  release(): Promise<void>;
}

/** Opens the store that `report.store` names, or the history's next to it. Doesn't read yet. */
export function openStateStore(place: {
  store: ResolvedOptions['report']['store'];
  root: string;
  identity: LedgerIdentity;
  kind: StateKind;
  /** How long a lease holds without being renewed, in ms. */
  expiry?: number;
  /** How long connecting to Redis and a command may take together, in ms. */
  patience?: number;
}): StateStore {
  const { store, root, identity, kind, expiry = leaseExpiry, ...timing } = place;
  if (store && 'redis' in store)
    return redisStateStore({ ...timing, url: store.redis, identity, kind, expiry });
  const ledger = store ? resolve(root, store.file) : ledgerPath(root, identity);
  const other = join(dirname(ledger), `${kind}-${historyName(identity)}.json`);
  return fileStateStore({ path: kind === 'ledger' ? ledger : other, expiry });
}

/** A lease expires after this time without renewal, in ms. Longer than any request takes. */
const leaseExpiry = 60 * 1000;

/** Longer than a killed run's lock holds, in ms. */
const lockPatience = 2 * leaseExpiry;

/**
 * A store whose `lock` waits while another run holds it, so that two builds of one site both succeed.
 * Fails with `ledger-busy` after `lockPatience`, or when the signal of `lock` fires.
 */
export function waitForLedger(
  store: StateStore,
  wait: {
    /** Called once for each `lock` that waits, with a sentence for people. */
    onWait: (text: string) => void;
  } & Pick<Parameters<typeof waitWhileBusy>[1], 'ticks' | 'sleep'>,
): StateStore {
  const { onWait, ...timing } = wait;
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
  const readTag = () => ifThere(() => sha256Of(createReadStream(path)));

  return {
    name: path,
    async read() {
      const bytes = await ifThere(() => readFile(path));
      if (bytes === undefined) return undefined;
      return toStoredState(bytes, sha256(bytes));
    },
    async lock(signal) {
      // The file that a link leads to can have other links, and shares its lock with them.
      const file = await realpath(path).catch(() => path);
      const lease = await lockFile({
        ...{ path: `${file}.lock`, clock: Date.now, expiry: leaseExpiry },
        ...{ ...timing, ...errors, signal },
      });
      return {
        ...lease,
        async write(chunks, tag) {
          await lease.renew();
          if ((await readTag()) !== tag) throw errors.changed();
          const hash = createHash('sha256');
          try {
            await replaceFile(file, hashed(chunks, hash));
          } catch (cause) {
            throw errors.unwritable(cause);
          }
          return hash.digest('hex');
        },
      };
    },
  };
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
function redisStateStore({
  identity,
  kind,
  ...connection
}: Pick<Parameters<typeof redisValue>[0], 'url' | 'expiry' | 'patience'> & {
  identity: LedgerIdentity;
  kind: StateKind;
}): StateStore {
  // Braces keep the keys of one ledger on one node of a cluster.
  const prefix = `media-asset:{${kind === 'ledger' ? ledgerName(identity) : historyName(identity)}}`;
  const key = `${prefix}:${kind}`;
  const leaseKey = `${prefix}:lease`;
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
  const value = redisValue({ ...connection, key, leaseKey, errorsOf });
  return {
    name: value.name,
    async read() {
      const found = await value.read();
      return found && toStoredState(found.bytes, found.tag);
    },
    async lock(signal) {
      const lease = await value.lock(signal);
      return { ...lease, write: (chunks, tag) => lease.write([...chunks].join(''), tag) };
    },
  };
}

/** Bytes that aren't UTF-8 become a text that isn't JSON. */
function toStoredState(bytes: Buffer, tag: string): StoredState {
  return { text: isUtf8(bytes) ? bytes.toString() : '\ufffd', tag };
}

/** The errors of a ledger's store, which `path` names. `lease` is what the lease holds. */
function ledgerErrors(path: string) {
  const busy = (lease: string) => mediaAssetError('ledger-busy', { path, owner: ownerText(lease) });
  const lost = (problem: string) => mediaAssetError('ledger-lost', { path, problem });
  const leaseLost =
    'its lease was lost, because this process paused for too long or the store lost data';
  return {
    busy,
    /** For a run that has lost its lease: `ledger-busy` if another run has taken over. */
    lost: (lease: string | undefined) => (lease === undefined ? lost(leaseLost) : busy(lease)),
    changed: () => lost('it was changed or removed after this run read it'),
    unreadable: (cause: unknown) => mediaAssetError('ledger-unreadable', { path }, { cause }),
    unwritable: (cause: unknown) => mediaAssetError('ledger-unwritable', { path }, { cause }),
  };
}
