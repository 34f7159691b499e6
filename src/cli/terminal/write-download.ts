import { randomUUID } from 'node:crypto';
import { lstat, open } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { isDeviceName } from '../../storage/is-device-name.ts';
import { ignoreMissing, outputProblem, writeProblem } from '../../storage/output-file.ts';
import { moveFile, removeFile } from '../../storage/retry-locked-file.ts';
import type { CropArgument } from '../command-options.ts';

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
  'image/avif': '.avif',
  'image/gif': '.gif',
  'image/tiff': '.tif',
  'image/svg+xml': '.svg',
  'video/mp4': '.mp4',
  'application/pdf': '.pdf',
};

/** Names a downloaded file: the service's name made safe, with the rectangle for a crop. */
export function downloadName(
  {
    filename = '',
    contentType = '',
  }: { readonly filename: string | undefined; readonly contentType: string | undefined },
  { id, crop }: { readonly id: number; readonly crop: CropArgument | undefined },
): string {
  const kind = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const name = safeFileName(filename) || `asset-${id}${extensions[kind] ?? ''}`;
  if (!crop) return name;
  const { name: stem, ext: ending } = parse(name);
  const { x, y, width, height } = crop;
  return `${stem}-${x}-${y}-${width}-${height}${extensions[kind] ?? ending}`;
}

/**
 * Turns a name from the service into a visible file in one folder on every system: no separators,
 * `..`, drives, devices or streams. May return an empty text.
 */
export function safeFileName(name: string): string {
  const plain = name
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[/\\:*?"<>|]/g, '-')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  return isDeviceName(plain) ? `_${plain}` : plain;
}

/** Checks that a download can be written to a path. Throws `file-unwritable`. */
export async function assertWritable(path: string, force: boolean): Promise<void> {
  const problem = await outputProblem(path);
  if (problem) throw mediaAssetError('file-unwritable', { path, problem });
  const found = await onDisk(path, () => lstat(path).catch(ignoreMissing));
  if (!found || force) return;
  const there = 'it already exists';
  throw mediaAssetError('file-unwritable', { path, problem: there });
}

/**
 * Writes a file atomically: under a temporary name until it's complete, on the disk and checked.
 * Also throws the errors of `parts` and `check`.
 *
 * @param force replaces an existing file
 * @param check gets the path of the temporary file
 * @throws `file-unwritable`
 */
export async function writeNewFile(
  path: string,
  parts: AsyncIterable<Uint8Array>,
  { force, check }: { readonly force: boolean; readonly check: (path: string) => Promise<void> },
): Promise<void> {
  const temporary = join(dirname(path), `.media-asset-${randomUUID()}.part`);
  const file = await onDisk(path, () => open(temporary, 'wx', 0o666));
  try {
    try {
      // `writeFile` continues after a partial write, which happens on a full disk.
      for await (const part of parts) await onDisk(path, () => file.writeFile(part));
      await onDisk(path, () => file.sync());
    } finally {
      await file.close();
    }
    await check(temporary);
    // It may have been created during the download.
    await assertWritable(path, force);
    await onDisk(path, () => moveFile(temporary, path));
  } finally {
    // Report the first failure, even if the temporary file stays.
    await removeFile(temporary).catch(() => {});
  }
}

async function onDisk<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    if (isMediaAssetError(cause)) throw cause;
    const problem = writeProblem(cause);
    throw mediaAssetError('file-unwritable', { path, problem }, { cause });
  }
}
