import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, ignoreMissing } from './file-problems.ts';
import * as leases from './lease.ts';
import { pause } from './pause.ts';
import { moveFile, removeFile, retryLockedFile } from './retry-locked-file.ts';

const noLinkCodes = new Set<unknown>(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

const heldLocks = new Set<string>();

export interface FileLock {
  readonly path: string;
  /** Returns ms since the epoch. */
  readonly clock: () => number;
  /** Returns ms from a monotonic clock. */
  readonly ticks?: () => number;
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  /** Stops watching a lock that may be stale. The lock then counts as held. */
  readonly signal?: AbortSignal | undefined;
  /** A lock that isn't renewed expires after this time, in ms. */
  readonly expiry: number;
  /** Creates the error for a lock that another process holds. `text` is the lock's content. */
  readonly busy: (text: string) => Error;
  /** Creates the error for a lost lock. `text` is its current content, `undefined` if it's gone. */
  readonly lost: (text: string | undefined) => Error;
  readonly unwritable: (cause: Error) => Error;
}

/**
 * Takes a lock by creating its file. The lock of an ended process on this machine (or in this
 * container) is replaced at once. One that wasn't renewed for `expiry` is watched first, then
 * replaced. Throws `busy` and `unwritable`.
 */
export async function lockFile(lock: FileLock) {
  const { path, clock, expiry, ticks = () => performance.now(), sleep = pause, lost } = lock;
  const owner = leases.newOwner(clock());
  const token = leases.parseOwner(owner)?.token ?? '';
  const text = `${owner}\n`;
  let renewed = ticks();
  // Sets the time by our clock, because a network folder has its own.
  const touch = () =>
    // If it's gone, another process is about to put it back. The next renewal checks.
    utimes(path, new Date(clock()), new Date(clock())).catch(ignoreMissing);
  /** Throws `lost` if the lock is gone or taken. */
  const renew = () =>
    onDisk(lock, async () => {
      const found = await readFile(path, 'utf8').catch(ignoreMissing);
      if (found !== text) throw lost(found);
      if (ticks() - renewed < leases.beatOf(expiry)) return;
      const from = ticks();
      await touch();
      renewed = from;
    });
  heldLocks.add(token);
  try {
    await onDisk(lock, async () => {
      await mkdir(dirname(path), { recursive: true });
      while (!(await createLock(path, text))) await removeStaleLock({ ...lock, sleep });
      await touch();
    });
  } catch (error) {
    heldLocks.delete(token);
    throw error;
  }
  const stop = leases.startHeartbeat(renew, leases.beatOf(expiry));
  return {
    renew,
    /** Never fails. A remaining lock becomes stale. */
    async release() {
      await stop();
      heldLocks.delete(token);
      try {
        if ((await readFile(path, 'utf8')) === text) await removeFile(path);
      } catch {
        // A remaining lock becomes stale when this process ends.
      }
    },
  };
}

/** Creates the lock with its full text in one step. A killed process would leave an empty one. */
async function createLock(path: string, text: string): Promise<boolean> {
  const temporary = `${path}.${randomUUID()}`;
  const options = { flag: 'wx', mode: 0o600 } as const;
  try {
    await writeFile(temporary, text, options);
    await link(temporary, path).catch((error) => {
      if (!noLinkCodes.has(errorCode(error))) throw error;
      return writeFile(path, text, options);
    });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await removeFile(temporary).catch(() => {});
  }
}

async function onDisk<T>({ unwritable }: FileLock, act: () => Promise<T>): Promise<T> {
  try {
    return await retryLockedFile(act);
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw unwritable(cause);
  }
}

/**
 * Removes a stale lock: its process has ended, or it isn't renewed. Clocks differ and change, so an
 * expired lock is watched before it's removed. Throws `busy` if the lock isn't stale.
 */
async function removeStaleLock(lock: FileLock & Required<Pick<FileLock, 'sleep'>>): Promise<void> {
  const { path, sleep, signal, busy } = lock;
  const found = await readLock(path);
  if (found === undefined) return;
  const { text } = found;
  const owner = leases.parseOwner(text);
  if (!(owner && hasEnded(owner))) {
    // A time in the future means that a clock was set back.
    if (Math.abs(lock.clock() - found.modified) < lock.expiry) throw busy(text);
    await sleep((lock.expiry * 3) / 5, signal);
    if (signal?.aborted) throw busy(text);
    const later = await readLock(path);
    if (later === undefined) return;
    if (later.text !== text || later.modified !== found.modified) throw busy(later.text);
  }
  // Move it before removing it: another process may have put its own lock here.
  const moved = `${path}.${randomUUID()}`;
  const isMoved = await moveFile(path, moved).then(() => true, ignoreMissing);
  if (!isMoved) return;
  const movedText = await readFile(moved, 'utf8').catch(ignoreMissing);
  if (movedText === text) await removeFile(moved);
  else if (movedText !== undefined) await moveFile(moved, path);
}

async function readLock(path: string): Promise<{ text: string; modified: number } | undefined> {
  const text = await readFile(path, 'utf8').catch(ignoreMissing);
  const modified = (await stat(path).catch(ignoreMissing))?.mtimeMs;
  return text === undefined || modified === undefined ? undefined : { text, modified };
}

function hasEnded(owner: leases.LeaseOwner): boolean {
  if (!leases.sharesPids(owner)) return false;
  const { pid, time, token } = owner;
  // In containers, an ended process may have had the same process ID.
  if (pid === process.pid) {
    return !heldLocks.has(token) && Date.parse(time) < Math.floor(performance.timeOrigin);
  }
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
}
