import { randomUUID } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { mediaAssetError } from '../errors/errors.ts';
import { writeProblem } from './file-problems.ts';
import { moveFile, removeFile } from './retry-locked-file.ts';

/**
 * Replaces a file atomically. It's on the disk when the promise resolves. A killed process may leave
 * a temporary file. Creates the folder.
 *
 * @param access `owner`: only its owner can read it. `anybody`: the system's default permissions. `cache`:
 * the same, and a machine that dies may lose it, which saves the time of a whole build's files
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array | Iterable<string>,
  access: 'owner' | 'anybody' | 'cache' = 'owner',
): Promise<void> {
  const folder = dirname(path);
  const isDurable = access !== 'cache';
  const temporary = join(folder, `.${randomUUID()}.tmp`);
  await mkdir(folder, { recursive: true });
  try {
    // `writeFile` loops until everything is written. A single write may stop short on a full disk.
    const file = await open(temporary, 'wx', access === 'owner' ? 0o600 : 0o666);
    try {
      await file.writeFile(content);
      if (isDurable) await file.sync();
    } finally {
      await file.close();
    }
    await moveFile(temporary, path);
  } catch (error) {
    // Report the first failure, even if the temporary file stays.
    await removeFile(temporary).catch(() => {});
    throw error;
  }
  if (isDurable) await syncFolder(folder);
}

/** Replaces a file that people look for. Throws `file-unwritable`. */
export async function writeOutput(
  path: string,
  content: string,
  access: 'owner' | 'anybody' = 'anybody',
): Promise<void> {
  try {
    await replaceFile(path, content, access);
  } catch (cause) {
    throw mediaAssetError('file-unwritable', { path, problem: writeProblem(cause) }, { cause });
  }
}

/** Makes a rename durable. Windows can't open folders, and doesn't need it. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
