import { randomUUID } from 'node:crypto';
import { type FileHandle, link, lstat, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMediaAssetError, mediaAssetError } from '../errors.ts';
import { errorCode } from '../storage/error-code.ts';
import { ignoreMissing, outputProblem, writeProblem } from '../storage/output-file.ts';
import { moveFile, removeFile } from '../storage/retry-locked-file.ts';

/** Whether a download may be written to a path. Throws `download-file-exists`, `download-unwritable`. */
export async function assertWritable(path: string, force: boolean): Promise<void> {
  const problem = await outputProblem(path);
  if (problem) throw mediaAssetError('download-unwritable', { path, problem });
  const found = await onDisk(path, () => lstat(path).catch(ignoreMissing));
  if (found && !force) throw mediaAssetError('download-file-exists', { path });
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
    if (errorCode(error) === 'EEXIST') throw mediaAssetError('download-file-exists', { path });
    await assertWritable(path, false);
    await moveFile(temporary, path);
  }
}

async function onDisk<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    if (isMediaAssetError(cause)) throw cause;
    const problem = writeProblem(cause);
    throw mediaAssetError('download-unwritable', { path, problem }, { cause });
  }
}
