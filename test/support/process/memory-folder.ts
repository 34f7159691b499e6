import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, statfs } from 'node:fs/promises';

const memory = '/dev/shm';

/** Bytes. Tests install packages and build sites. */
const neededSpace = 4 * 1024 ** 3;

/**
 * Keeps the temporary files of all tests in memory, on Linux with enough of it. Tests sync hundreds of
 * thousands of small files, and would wait for a disk most of their time. `TMPDIR` selects another
 * folder.
 *
 * @returns deletes the folder, with all that tests have left in it
 */
export async function setup(): Promise<() => Promise<void>> {
  if (process.env.TMPDIR !== undefined || !(await isUsable())) return async () => {};
  const folder = await mkdtemp(`${memory}/tests-`);
  // Some tests run programs as another user.
  await chmod(folder, 0o777);
  process.env.TMPDIR = folder;
  return async () => {
    // A file whose tests are all skipped has no chance to unmount its disk.
    const mounts = (await readFile('/proc/mounts', 'utf8')).split(/\s/);
    const left = mounts.filter((word) => word.startsWith(`${folder}/`));
    if (left.length > 0) execFileSync('umount', left);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}

async function isUsable(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(memory);
    // Some tests start programs from their folders.
    const mounts = await readFile('/proc/mounts', 'utf8');
    return bavail * bsize >= neededSpace && !new RegExp(`${memory} \\S+ \\S*noexec`).test(mounts);
  } catch {
    return false;
  }
}
