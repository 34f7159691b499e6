import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { mediaAssetError } from '../errors.ts';

/** The largest page or stylesheet that is read, in bytes. */
const maxFileBytes = 64 * 1024 ** 2;

/**
 * The HTML files below a folder, relative to it, in order; those in folders like `.well-known`
 * too. `outside` are symbolic links that lead out of the folder: they are not followed.
 *
 * @throws `folder-missing`; `scan-unreadable` for a folder that cannot be listed
 */
export async function htmlFiles(dir: string): Promise<{ files: string[]; outside: string[] }> {
  const isFolder = await stat(dir).then(
    (found) => found.isDirectory(),
    (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') return false;
      throw mediaAssetError('scan-unreadable', { file: dir }, { cause });
    },
  );
  if (!isFolder) throw mediaAssetError('folder-missing', { dir });

  const entries = await attempt(dir, () =>
    // Not a glob library: those pass over a folder that they may not read, and its pages would be gone.
    readdir(dir, { recursive: true, withFileTypes: true }),
  );
  const found = entries
    .filter((entry) => entry.name.endsWith('.html') && (entry.isFile() || entry.isSymbolicLink()))
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .sort();
  const root = await attempt(dir, () => realpath(dir));
  const files: string[] = [];
  const outside: string[] = [];
  for (const file of found) {
    const path = resolve(dir, file);
    const target = await attempt(path, () => realpath(path));
    (isBelow(root, target) ? files : outside).push(file);
  }
  return { files, outside };
}

/**
 * The bytes of a file of the site; `undefined` where there is no such file.
 *
 * @throws `scan-too-large`, `scan-unreadable`
 */
export async function readSiteFile(file: string): Promise<Uint8Array | undefined> {
  try {
    const found = await stat(file);
    if (!found.isFile()) return undefined;
    if (found.size <= maxFileBytes) return await readFile(file);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw mediaAssetError('scan-unreadable', { file }, { cause });
  }
  throw mediaAssetError('scan-too-large', { file, limit: maxFileBytes });
}

/** Whether a path is a folder, or lies below it. Both are absolute. */
export function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

async function attempt<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw mediaAssetError('scan-unreadable', { file }, { cause });
  }
}
