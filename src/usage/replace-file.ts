import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Replaces a file, readable by its owner only, as a whole or not at all; it is on the disk once the
 * promise is fulfilled. One writer at a time: the temporary file has a fixed name, so that a writer
 * that was killed leaves one at most. Makes the folder.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  const temporary = `${path}.tmp`;
  await mkdir(folder, { recursive: true });
  try {
    // Written in a loop until all is there: one write may stop short on a full disk.
    const file = await open(temporary, 'w', 0o600);
    try {
      await file.writeFile(text);
      await file.chmod(0o600);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
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
