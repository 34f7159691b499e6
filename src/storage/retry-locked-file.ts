import { renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { errorCode } from './file-problems.ts';
import { pause } from './pause.ts';

/**
 * On Windows, a file can't be replaced or deleted while another process has it open. Virus
 * scanners, search indexes and backups open new files briefly.
 */
const lockedCodes = { win32: ['EBUSY', 'EPERM', 'EACCES'], elsewhere: ['EBUSY'] };

/** Waits between attempts, in ms: 2.5 s in total. */
const pauses = [10, 20, 40, 80, 160, 320, 640, 1280];

/** Errors that were already retried. An outer call doesn't retry them again. */
const retried = new WeakSet<Error>();

/** Repeats `act` while another process has one of its files open, for up to 2.5 s. */
export async function retryLockedFile<T>(
  act: () => Promise<T>,
  {
    platform = process.platform,
    sleep = pause,
  }: { platform?: NodeJS.Platform; sleep?: (ms: number) => Promise<unknown> } = {},
): Promise<T> {
  const codes = platform === 'win32' ? lockedCodes.win32 : lockedCodes.elsewhere;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await act();
    } catch (thrown) {
      if (!(thrown instanceof Error) || !codes.includes(errorCode(thrown) ?? '')) throw thrown;
      const ms = pauses[attempt];
      if (ms === undefined) retried.add(thrown);
      if (ms === undefined || retried.has(thrown)) throw thrown;
      await sleep(ms);
    }
  }
}

export function moveFile(from: string, to: string): Promise<void> {
  // The synchronous call is faster than the thread pool.
  return retryLockedFile(async () => renameSync(from, to));
}

export function removeFile(path: string): Promise<void> {
  return retryLockedFile(() => rm(path, { force: true }));
}
