import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from './error-code.ts';
import type { FileLock } from './file-lock.ts';
import { type LeaseOwner, parseOwner, sharesPids } from './lease-owner.ts';
import { leaseTimes } from './lease-times.ts';
import { moveFile, removeFile } from './outlast-hold.ts';

/** A file beside a lock that is older than this belongs to nobody any more, in ms. */
const litterAge = 60 * 60 * 1000;

/** Tokens of the locks that this process holds. */
export const heldLocks = new Set<string>();

/**
 * Removes the lock of a process that is known to have ended here, and one that is not renewed: a lock
 * whose time says so is watched, because clocks differ and are set. Throws `busy` where the lock is
 * not a dead one.
 */
export async function removeDeadLock(
  lock: FileLock & Required<Pick<FileLock, 'sleep'>>,
): Promise<void> {
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

/** Removes what processes have left beside the lock that were killed while they took it. */
export async function removeLitter({ path, clock }: FileLock): Promise<void> {
  const start = `${basename(path)}.`;
  for (const file of await readdir(dirname(path))) {
    if (!file.startsWith(start) || !/^[0-9a-f-]{36}$/.test(file.slice(start.length))) continue;
    const litter = join(dirname(path), file);
    const found = await readLock(litter);
    if (found === undefined) continue;
    const owner = parseOwner(found.text);
    const isOld = Math.abs(clock() - found.modified) > litterAge;
    if (isOld || (owner && hasEnded(owner))) await removeFile(litter);
  }
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
