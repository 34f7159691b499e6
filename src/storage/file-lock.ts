import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './error-code.ts';
import { leaseTimes, startHeartbeat } from './heartbeat.ts';
import { type LeaseOwner, newOwner, parseOwner, sharesPids } from './lease-owner.ts';
import { pause } from './pause.ts';
import { moveFile, removeFile, retryLockedFile } from './retry-locked-file.ts';

/** What a file system answers that knows no second name for a file. */
const withoutLinks = new Set<unknown>(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Tokens of the locks that this process holds. */
const heldLocks = new Set<string>();

export interface FileLock {
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Milliseconds since some moment, from a monotonic clock. */
  readonly ticks?: () => number;
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  /** Ends the wait for a lock that may be dead: it then counts as alive. */
  readonly signal?: AbortSignal | undefined;
  /** A lock that was not renewed for so long is free, in ms. */
  readonly expiry: number;
  /** The error where somebody else has it, from the text of that lock. */
  readonly busy: (text: string) => Error;
  /** The error for a lock that was held: the text that is there now, `undefined` where it is gone. */
  readonly lost: (text: string | undefined) => Error;
  readonly unwritable: (cause: Error) => Error;
}

/** A lock that is held, and renewed while its process runs. */
export interface HeldLock {
  /** Throws `lost` where it is gone, or somebody else has it by now. */
  renew(): Promise<void>;
  /** Never fails: what stays is taken over. */
  release(): Promise<void>;
}

/**
 * Takes a lock that is a file, made only where there is none. The lock of a process of this machine,
 * and of this container, that has ended is taken over at once; one that was not renewed for `expiry`, once it was watched
 * for a while. Throws `busy` and `unwritable`.
 */
export async function lockFile(lock: FileLock): Promise<HeldLock> {
  const { path, clock, expiry, ticks = () => performance.now(), sleep = pause, lost } = lock;
  const owner = newOwner(clock());
  const token = parseOwner(owner)?.token ?? '';
  const text = `${owner}\n`;
  let renewed = ticks();
  // One clock for all of its times: a network folder has a clock of its own.
  const touch = () =>
    utimes(path, new Date(clock()), new Date(clock())).catch((error) => {
      // Whoever took it for a dead one puts it back; the next renewal looks.
      if (errorCode(error) !== 'ENOENT') throw error;
    });
  const renew = () =>
    onDisk(lock, async () => {
      const found = await readFile(path, 'utf8').catch((error) => {
        if (errorCode(error) === 'ENOENT') return undefined;
        throw error;
      });
      if (found !== text) throw lost(found);
      if (ticks() - renewed < leaseTimes(expiry).beat) return;
      const from = ticks();
      await touch();
      renewed = from;
    });
  heldLocks.add(token);
  try {
    await onDisk(lock, async () => {
      await mkdir(dirname(path), { recursive: true });
      while (!(await created(path, text))) await removeDeadLock({ ...lock, sleep });
      await touch();
    });
  } catch (error) {
    heldLocks.delete(token);
    throw error;
  }
  const stop = startHeartbeat(renew, leaseTimes(expiry).beat);
  return {
    renew,
    async release() {
      await stop();
      heldLocks.delete(token);
      try {
        if ((await readFile(path, 'utf8')) === text) await removeFile(path);
      } catch {
        // A lock that stays is soon that of an ended process, and is taken over.
      }
    },
  };
}

/**
 * Waits `patience` ms for a lock that others hold for moments only, then throws `busy`; the signal's
 * reason if that fires first.
 */
export async function waitForLock(lock: FileLock, patience: number): Promise<HeldLock> {
  const { ticks = () => performance.now(), sleep = pause, signal } = lock;
  const end = ticks() + patience;
  for (;;) {
    signal?.throwIfAborted();
    let isBusy = false;
    const busy = (text: string) => {
      isBusy = true;
      return lock.busy(text);
    };
    try {
      return await lockFile({ ...lock, busy });
    } catch (thrown) {
      if (!isBusy || ticks() >= end) throw thrown;
      // Those that wait together don't look again together.
      await sleep(20 + Math.random() * 40, signal);
    }
  }
}

/** Makes the lock with its whole text: one without would name nobody if this run were killed now. */
async function created(path: string, text: string): Promise<boolean> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    await writeFile(temporary, text, { flag: 'wx', mode: 0o600 });
    await link(temporary, path).catch((error) => {
      if (!withoutLinks.has(errorCode(error))) throw error;
      return writeFile(path, text, { flag: 'wx', mode: 0o600 });
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
 * Removes the lock of a process that is known to have ended here, and one that is not renewed: a lock
 * whose time says so is watched, because clocks differ and are set. Throws `busy` where the lock is
 * not a dead one.
 */
async function removeDeadLock(lock: FileLock & Required<Pick<FileLock, 'sleep'>>): Promise<void> {
  const { path, sleep, signal, busy } = lock;
  const found = await readLock(path);
  if (found === undefined) return;
  const { text } = found;
  const owner = parseOwner(text);
  if (!(owner && hasEnded(owner))) {
    if (isFresh(found, lock)) throw busy(text);
    await sleep(leaseTimes(lock.expiry).watch, signal);
    if (signal?.aborted) throw busy(text);
    const later = await readLock(path);
    if (later === undefined) return;
    if (later.text !== text || later.modified !== found.modified) throw busy(later.text);
  }
  // Moved before it is removed: another process may have put its own lock here since it was read.
  const moved = `${path}.${randomUUID()}`;
  if ((await unlessMissing(moveFile(path, moved).then(() => true))) === undefined) return;
  const movedText = await unlessMissing(readFile(moved, 'utf8'));
  if (movedText === text) await removeFile(moved);
  else if (movedText !== undefined) await moveFile(moved, path);
}

interface FoundLock {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly modified: number;
}

async function readLock(path: string): Promise<FoundLock | undefined> {
  const text = await unlessMissing(readFile(path, 'utf8'));
  const modified = (await unlessMissing(stat(path)))?.mtimeMs;
  return text === undefined || modified === undefined ? undefined : { text, modified };
}

/** Whether the time of a lock is near now. One that is ahead tells of a clock that was set back. */
function isFresh({ modified }: FoundLock, { clock, expiry }: FileLock): boolean {
  return Math.abs(clock() - modified) < leaseTimes(expiry).expiry;
}

function hasEnded(owner: LeaseOwner): boolean {
  if (!sharesPids(owner)) return false;
  const { pid, time, token } = owner;
  // In containers an ended process can have had this process's own number.
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

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
