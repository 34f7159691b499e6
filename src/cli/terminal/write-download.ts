import { randomUUID } from 'node:crypto';
import { lstat, open } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { isDeviceName } from '../../storage/is-device-name.ts';
import { ignoreMissing, outputProblem, writeProblem } from '../../storage/output-file.ts';
import { moveFile, removeFile } from '../../storage/retry-locked-file.ts';
import type { CropArgument } from '../command-options.ts';

const endings: Readonly<Record<string, string>> = {
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

/** The name of a downloaded file: that of the service made safe; a crop's says its rectangle. */
export function downloadName(
  {
    filename = '',
    contentType = '',
  }: { readonly filename: string | undefined; readonly contentType: string | undefined },
  { id, crop }: { readonly id: number; readonly crop: CropArgument | undefined },
): string {
  const kind = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const name = safeFileName(filename) || `asset-${id}${endings[kind] ?? ''}`;
  if (!crop) return name;
  const { name: stem, ext: ending } = parse(name);
  const { x, y, width, height } = crop;
  return `${stem}-${x}-${y}-${width}-${height}${endings[kind] ?? ending}`;
}

/**
 * A file name of the service as one that stands for a visible file in one folder on every system: no
 * separator, no `..`, no drive, device or stream. Empty where nothing of it is left.
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

/** Whether a download may be written to a path. Throws `file-unwritable`. */
export async function assertWritable(path: string, force: boolean): Promise<void> {
  const problem = await outputProblem(path);
  if (problem) throw mediaAssetError('file-unwritable', { path, problem });
  const found = await onDisk(path, () => lstat(path).catch(ignoreMissing));
  if (!found || force) return;
  const there = 'it is there already, and --force is not given';
  throw mediaAssetError('file-unwritable', { path, problem: there });
}

/**
 * Writes a file as a whole or not at all: what is given lies under a temporary name until all of it
 * is on the disk and checked. What giving and checking it throw is thrown on.
 *
 * @param force whether it may take the place of a file
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
      // One write may stop short on a full disk; writeFile goes on where the last one ended.
      for await (const part of parts) await onDisk(path, () => file.writeFile(part));
      await onDisk(path, () => file.sync());
    } finally {
      await file.close();
    }
    await check(temporary);
    // It may have come there during the download.
    await assertWritable(path, force);
    await onDisk(path, () => moveFile(temporary, path));
  } finally {
    // What it was that failed matters more than a file that stays.
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
