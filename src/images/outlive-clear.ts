import { fails } from '../storage/retry-locked-file.ts';

/** How often the folders of a cache may be taken away from under one write. */
const mostTimes = 5;

/**
 * Writes to a cache folder, which another process may just be clearing: where a folder is gone, the
 * work is done again, and makes it anew.
 *
 * @throws what `work` throws
 */
export async function outliveClear<T>(work: () => Promise<T>): Promise<T> {
  for (let time = 1; ; time += 1) {
    try {
      return await work();
    } catch (thrown) {
      // A path that goes while a folder in it is made is called no folder.
      if (time === mostTimes || !(isGone(thrown) || fails(thrown, 'ENOTDIR'))) throw thrown;
    }
  }
}

/** Whether a file or folder is not there. */
export function isGone(thrown: unknown): boolean {
  return fails(thrown, 'ENOENT');
}
