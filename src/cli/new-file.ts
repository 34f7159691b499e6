import { randomUUID } from 'node:crypto';
import { type FileHandle, link, lstat, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMediaAssetError, mediaAssetError } from '../errors.ts';
import { moveFile, removeFile } from '../storage/outlast-hold.ts';

/** Whether a download may be written to a path. Throws `download-file-exists`, `download-unwritable`. */
export async function assertWritable(path: string, force: boolean): Promise<void> {
  const found = await onDisk(path, () => lstat(path).catch(ignoreMissing));
  if (!found) return;
  const target = found.isSymbolicLink() ? await stat(path).catch(() => undefined) : found;
  if (target && !target.isFile()) {
    const problem = target.isDirectory() ? 'it is a folder' : 'it is no regular file';
    throw mediaAssetError('download-unwritable', { path, problem });
  }
  if (!force) throw mediaAssetError('download-file-exists', { path });
}

/**
 * Writes a file as a whole or not at all: what is given lies under a temporary name until all of it
 * is on the disk. What giving it throws is thrown on.
 *
 * @param force whether it may take the place of a file
 * @throws `download-file-exists`, `download-unwritable`
 */
export async function writeNewFile(
  path: string,
  parts: AsyncIterable<Uint8Array>,
  { force }: { readonly force: boolean },
): Promise<void> {
  const temporary = join(dirname(path), `.media-asset-${randomUUID()}.part`);
  const file = await onDisk(path, () => open(temporary, 'wx', 0o666));
  try {
    try {
      for await (const part of parts) await writeAll(path, file, part);
      await onDisk(path, () => file.sync());
    } finally {
      await file.close();
    }
    await onDisk(path, () => (force ? moveFile(temporary, path) : moveBeside(temporary, path)));
  } finally {
    // What it was that failed matters more than a file that stays.
    await removeFile(temporary).catch(() => {});
  }
}

async function writeAll(path: string, file: FileHandle, part: Uint8Array): Promise<void> {
  // One write may stop short on a full disk; writeFile goes on where the last one ended.
  await onDisk(path, () => file.writeFile(part));
}

/** A rename that replaces nothing, where the file system has links. */
async function moveBeside(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw mediaAssetError('download-file-exists', { path });
    await assertWritable(path, false);
    await moveFile(temporary, path);
  }
}

async function onDisk<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    if (isMediaAssetError(cause)) throw cause;
    const problem = problems[codeOf(cause) ?? ''] ?? 'writing failed';
    throw mediaAssetError('download-unwritable', { path, problem }, { cause });
  }
}

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined;
  throw error;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: 'its folder is not there',
  ENOTDIR: 'its folder is not there',
  EACCES: 'its folder may not be written to',
  EPERM: 'its folder may not be written to',
  EBUSY: 'another program has it open',
  EROFS: 'its disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'it is larger than files may be here',
  ENAMETOOLONG: 'its name is too long',
};
