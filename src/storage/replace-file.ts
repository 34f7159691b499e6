import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { moveFile, removeFile } from './retry-locked-file.ts';

/**
 * Replaces a file as a whole or not at all; it is on the disk once the promise is fulfilled. A
 * process that was killed leaves one temporary file at most. Makes the folder.
 *
 * @param access `owner`: readable by its owner only, and written by one process at a time, as under
 * a lock. `anybody`: as the system gives rights to new files.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array | Iterable<string>,
  access: 'owner' | 'anybody' = 'owner',
): Promise<void> {
  const folder = dirname(path);
  const isOwn = access === 'owner';
  const temporary = isOwn ? `${path}.tmp` : `${path}.${process.pid}.tmp`;
  await mkdir(folder, { recursive: true });
  try {
    // Written in a loop until all is there: one write may stop short on a full disk.
    const file = await open(temporary, 'w', isOwn ? 0o600 : 0o666);
    try {
      await file.writeFile(content);
      if (isOwn) await file.chmod(0o600);
      await file.sync();
    } finally {
      await file.close();
    }
    await moveFile(temporary, path);
  } catch (error) {
    // What it was that failed matters more than a file that stays.
    await removeFile(temporary).catch(() => {});
    throw error;
  }
  await syncFolder(folder);
}

/** Makes a rename durable. Windows opens no folder, and needs no such thing. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
