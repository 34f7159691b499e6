import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { type LeaseOwner, newOwner, parseOwner } from './lease-owner.ts';

/** Between two renewals of the lock's time, in ms. */
const renewalPause = 30 * 1000;

/** What a file system answers that knows no second name for a file. */
const withoutLinks = new Set<unknown>(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

export interface FileLock {
  /** The file that is the lock. */
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** A lock that was not renewed for so long is free, in ms. */
  readonly expiry: number;
  /** The error where somebody else has it: the text of that lock, `undefined` where it is gone. */
  readonly busy: (text: string | undefined) => Error;
  /** The error for what the file system has refused. */
  readonly unwritable: (cause: Error) => Error;
}

/** A lock that is held. */
export interface HeldLock {
  /** Says that its holder lives. Throws `busy` where somebody else has it by now. */
  renew(): Promise<void>;
  /** Never fails: what stays is taken over. */
  release(): Promise<void>;
}

/**
 * Takes a lock that is a file, made only where there is none. The lock of a process of this machine
 * that has ended, and one that was not renewed for `expiry`, is taken over. Throws `busy` and
 * `unwritable`.
 */
export async function lockFile(lock: FileLock): Promise<HeldLock> {
  const { path, clock, busy } = lock;
  const text = `${newOwner(clock())}\n`;
  let renewed = clock();
  await onDisk(lock, async () => {
    await mkdir(dirname(path), { recursive: true });
    while (!(await created(path, text))) await removeDeadLock(lock);
    // One clock for all of its times: a network folder has a clock of its own.
    await utimes(path, new Date(renewed), new Date(renewed));
  });
  return {
    renew: () =>
      onDisk(lock, async () => {
        const found = await unlessMissing(readFile(path, 'utf8'));
        if (found !== text) throw busy(found);
        if (clock() - renewed < renewalPause) return;
        renewed = clock();
        await utimes(path, new Date(renewed), new Date(renewed));
      }),
    async release() {
      try {
        if ((await readFile(path, 'utf8')) === text) await rm(path);
      } catch {
        // A lock that stays is soon that of an ended process, and is taken over.
      }
    },
  };
}

/** Makes the lock with its whole text: one without would name nobody if this run were killed now. */
async function created(path: string, text: string): Promise<boolean> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    await writeFile(temporary, text, { flag: 'wx', mode: 0o600 });
    await link(temporary, path).catch((error) => {
      if (!withoutLinks.has(codeOf(error))) throw error;
      return writeFile(path, text, { flag: 'wx', mode: 0o600 });
    });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Throws `busy` where the lock is not a dead one. */
async function removeDeadLock({ path, clock, expiry, busy }: FileLock): Promise<void> {
  const text = await unlessMissing(readFile(path, 'utf8'));
  const modified = (await unlessMissing(stat(path)))?.mtimeMs;
  if (text === undefined || modified === undefined) return;
  const owner = parseOwner(text);
  if (clock() - modified < expiry && !(owner && hasEnded(owner))) throw busy(text);
  // Moved before it is removed: another process may have put its own lock here since it was read.
  const moved = `${path}.${randomUUID()}`;
  if ((await unlessMissing(rename(path, moved).then(() => true))) === undefined) return;
  if ((await readFile(moved, 'utf8')) === text) await rm(moved, { force: true });
  else await rename(moved, path);
}

function hasEnded({ pid, host, time }: LeaseOwner): boolean {
  if (host !== hostname()) return false;
  // In containers an ended process can have had this process's own number.
  if (pid === process.pid) return Date.parse(time) < Math.floor(performance.timeOrigin);
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function onDisk<T>({ unwritable }: FileLock, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw unwritable(cause);
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
