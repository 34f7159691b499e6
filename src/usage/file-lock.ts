import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { mediaAssetError } from '../errors.ts';
import { busy, type LeaseOwner, leaseExpiry, newOwner, parseOwner } from './lease-owner.ts';
import type { Lease } from './state-store.ts';

/** Between two renewals of the lock's time, in ms. */
const renewalPause = 30 * 1000;

/** What a file system answers that knows no second name for a file. */
const withoutLinks = new Set<unknown>(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

export interface FileLock {
  /** The file that is the lock. */
  readonly path: string;
  /** What it protects, as messages name it. */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/**
 * Takes a lock that is a file, made only where there is none. The lock of a process of this machine
 * that has ended, and one that was not renewed for 15 minutes, is taken over.
 *
 * @throws `ledger-busy`, `ledger-unwritable`
 */
export async function lockFile(lock: FileLock): Promise<Pick<Lease, 'renew' | 'release'>> {
  const { path, name, clock } = lock;
  const text = `${newOwner(clock())}\n`;
  let renewed = clock();
  await onDisk(name, async () => {
    await mkdir(dirname(path), { recursive: true });
    while (!(await created(path, text))) await removeDeadLock(lock);
    // One clock for all of its times: a network folder has a clock of its own.
    await utimes(path, new Date(renewed), new Date(renewed));
  });
  return {
    renew: () =>
      onDisk(name, async () => {
        const found = await unlessMissing(readFile(path, 'utf8'));
        if (found !== text) throw busy(name, found);
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

/** @throws `ledger-busy` where the lock is not a dead one */
async function removeDeadLock({ path, name, clock }: FileLock): Promise<void> {
  const text = await unlessMissing(readFile(path, 'utf8'));
  const modified = (await unlessMissing(stat(path)))?.mtimeMs;
  if (text === undefined || modified === undefined) return;
  const owner = parseOwner(text);
  if (clock() - modified < leaseExpiry && !(owner && hasEnded(owner))) throw busy(name, text);
  // Moved before it is removed: another run may have put its own lock here since it was read.
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

async function onDisk<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw mediaAssetError('ledger-unwritable', { path }, { cause });
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
