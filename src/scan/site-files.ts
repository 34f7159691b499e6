import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { mediaAssetError } from '../errors.ts';

/** The largest page or stylesheet that is read, in bytes. */
const maxFileBytes = 64 * 1024 ** 2;

/** How many links to folders are followed: a few folders that hold links to each other make countless paths. */
const maxFolderLinks = 10_000;

/**
 * The HTML files below a folder, relative to it, as they are found; those in folders like
 * `.well-known` too. Symbolic links are followed, as hosts do: to pages, and to folders, but to none
 * that the link itself lies in. One that leads out of the folder is not.
 *
 * @param onOutside told of each such link to a page or a folder
 * @throws `folder-missing`; `scan-unreadable` for a folder that cannot be listed
 */
export function* htmlFiles(dir: string, onOutside: (file: string) => void): Generator<string> {
  const found = attempt(dir, () => statSync(dir, { throwIfNoEntry: false }));
  if (!found?.isDirectory()) {
    throw mediaAssetError('folder-missing', { dir, isThere: found !== undefined });
  }
  const root = attempt(dir, () => realpathSync.native(dir));
  const start = resolve(dir);
  const folders = [''];
  let links = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    let around: Set<string> | undefined;
    for (const entry of entriesOf(folder === '' ? start : `${start}/${folder}`)) {
      const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(file);
      else if (entry.isFile()) {
        if (entry.name.endsWith('.html')) yield file;
      } else if (entry.isSymbolicLink()) {
        const path = `${start}/${file}`;
        const target = attempt(path, () => linkTarget(path));
        if (target === undefined || !(target.isFolder || file.endsWith('.html'))) continue;
        if (!isBelow(root, target.path)) onOutside(file);
        else if (!target.isFolder) yield file;
        else {
          around ??= attempt(path, () => realFolders(start, folder));
          if (around.has(target.path)) continue;
          links += 1;
          if (links > maxFolderLinks) throw tooManyLinks(path);
          folders.push(file);
        }
      }
    }
  }
}

/** Where a link leads; `undefined` for one that leads nowhere, unless it has the name of a page. */
function linkTarget(link: string): { path: string; isFolder: boolean } | undefined {
  try {
    const path = realpathSync.native(link);
    return { path, isFolder: statSync(path).isDirectory() };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const leadsNowhere = code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP';
    if (leadsNowhere && !link.endsWith('.html')) return undefined;
    throw error;
  }
}

/** The real paths of a folder and of those that it is reached through. */
function realFolders(start: string, folder: string): Set<string> {
  const names = folder === '' ? [] : folder.split('/');
  const paths = names.map((_, at) => [start, ...names.slice(0, at + 1)].join('/'));
  return new Set([start, ...paths].map((path) => realpathSync.native(path)));
}

function tooManyLinks(file: string): Error {
  const cause = new Error(`There are more than ${maxFolderLinks} links to folders.`);
  return mediaAssetError('scan-unreadable', { file }, { cause });
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

/**
 * The bytes of a file of the site, read at once and without a pause: into `scratch` where they fit,
 * which the next reading overwrites. `undefined` where there is no such file.
 *
 * @throws `scan-too-large`, `scan-unreadable`
 */
export function readSiteFileNow(file: string, scratch: Buffer): Buffer | undefined {
  const found = attempt(file, () => open(file));
  if (!found) return undefined;
  const { descriptor, size } = found;
  try {
    if (size > maxFileBytes) throw mediaAssetError('scan-too-large', { file, limit: maxFileBytes });
    return attempt(file, () => {
      const into = size <= scratch.length ? scratch : Buffer.allocUnsafe(size);
      let length = 0;
      for (let read = -1; read !== 0 && length < size; length += read) {
        read = readSync(descriptor, into, length, size - length, null);
      }
      return into.subarray(0, length);
    });
  } finally {
    closeSync(descriptor);
  }
}

/** Opens a file; `undefined` where there is none. */
function open(file: string): { descriptor: number; size: number } | undefined {
  try {
    // Without a wait: what is no file may never have anything to read.
    const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const found = fstatSync(descriptor);
    if (found.isFile()) return { descriptor, size: found.size };
    closeSync(descriptor);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Whether a path is a folder, or lies below it. Both are absolute. */
export function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function entriesOf(folder: string): Dirent[] {
  // Not a glob library: those pass over a folder that they may not read, and its pages would be gone.
  return attempt(folder, () => readdirSync(folder, { withFileTypes: true }));
}

function attempt<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw mediaAssetError('scan-unreadable', { file }, { cause });
  }
}
