import { renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { errorCode } from './error-code.ts';
import { pause } from './pause.ts';

/**
 * Under Windows no file can be replaced or deleted that another process has open. Virus scanners,
 * search indexes and backups open new files for a moment.
 */
const held = { win32: ['EBUSY', 'EPERM', 'EACCES'], elsewhere: ['EBUSY'] };

/** Before each further attempt, in ms: 2.5 s together. */
const pauses = [10, 20, 40, 80, 160, 320, 640, 1280];

/** Errors of files that were held for too long: whoever else is on the way does not wait again. */
const lasting = new WeakSet<Error>();

interface Surroundings {
  readonly platform?: NodeJS.Platform;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/**
 * Does `act` again while another process holds one of its files, for 2.5 s at most.
 *
 * @param act may be done again where it has failed
 * @throws what `act` throws
 */
export async function retryLockedFile<T>(
  act: () => Promise<T>,
  { platform = process.platform, sleep = pause }: Surroundings = {},
): Promise<T> {
  const codes = platform === 'win32' ? held.win32 : held.elsewhere;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await act();
    } catch (thrown) {
      if (!(thrown instanceof Error) || !codes.includes(errorCode(thrown) ?? '')) throw thrown;
      const ms = pauses[attempt];
      if (ms === undefined) lasting.add(thrown);
      if (ms === undefined || lasting.has(thrown)) throw thrown;
      await sleep(ms);
    }
  }
}

export function moveFile(from: string, to: string): Promise<void> {
  // Done sooner than the thread pool is reached.
  return retryLockedFile(async () => renameSync(from, to));
}

/** Does nothing where there is no such file. */
export function removeFile(path: string): Promise<void> {
  return retryLockedFile(() => rm(path, { force: true }));
}
