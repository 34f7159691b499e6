import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { mediaAssetError } from '../../errors/errors.ts';
import { attempt } from './read-site-file.ts';

/** Links to folders. Folders that link to each other have endless paths. */
const mostLinks = 1000;

/**
 * The files that a host serves from a folder, relative to it with `/`, if they're wanted. Hidden
 * folders count, and symbolic links, unless they lead to a folder that they are in. What isn't a
 * file is listed too: reading it fails.
 * @throws `folder-missing`; `scan-unreadable` for a folder that can't be listed
 */
export function servedFiles(dir: string, isWanted: (path: string) => boolean): string[] {
  const found = attempt(dir, () => statSync(dir, { throwIfNoEntry: false }));
  if (!found?.isDirectory()) throw mediaAssetError('folder-missing', { dir });
  const start = resolve(dir);
  const followed: string[] = [];
  const places = new Map<string, string>();
  const placeOf = (path: string) => {
    const place = places.get(path) ?? realpathSync.native(path);
    places.set(path, place);
    return place;
  };
  return filesBelow(dir, (entry, path) => {
    if (entry.isDirectory()) return 'folder';
    const link = entry.isSymbolicLink() ? join(start, path) : undefined;
    if (link && attempt(link, () => targetOf(link)?.isDirectory())) {
      if (attempt(link, () => isInTarget(start, link, placeOf))) return undefined;
      if (followed.push(path) > mostLinks)
        throw mediaAssetError('scan-unreadable', { file: dir, problem: 'too many linked folders' });
      return 'folder';
    }
    return isWanted(path) ? 'file' : undefined;
  });
}

export function isPage(path: string): boolean {
  return path.endsWith('.html');
}

/** What to do with a path: list it, or find what's in it. */
type Kind = 'file' | 'folder' | undefined;

/**
 * The files below a folder, relative to it with `/` as separator, hidden ones too. Symbolic links count
 * as files.
 *
 * @throws `scan-unreadable` for a folder that can't be listed
 */
export function filesBelow(
  dir: string,
  kindOf: (entry: Dirent, path: string) => Kind = (entry) =>
    entry.isDirectory() ? 'folder' : 'file',
): string[] {
  const files: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const listed = join(dir, folder);
    for (const entry of attempt(listed, () => readdirSync(listed, { withFileTypes: true }))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const kind = kindOf(entry, path);
      if (kind === 'file') files.push(path);
      if (kind === 'folder') folders.push(path);
    }
  }
  return files;
}

/** Whether a path is a file or a link to one. */
export function isFile(path: string): boolean {
  return attempt(path, () => targetOf(path)?.isFile() === true);
}

/** `undefined` if nothing is there, or if a link leads nowhere. */
function targetOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(code)) return undefined;
    throw error;
  }
}

/** Whether a link leads to a folder that it's in, through other links too. */
function isInTarget(start: string, link: string, placeOf: (path: string) => string): boolean {
  const target = placeOf(link);
  const names = relative(start, link).split(sep);
  return names.some((_, at) => placeOf(join(start, ...names.slice(0, at))) === target);
}

/** Whether an absolute path is the folder or below it. */
export function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
