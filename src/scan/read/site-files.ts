import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { mediaAssetError } from '../../errors/errors.ts';
import { attempt } from './read-site-file.ts';

/** Why a path with a page's name, or a link to a folder, isn't read. */
export type SkipReason = 'outside' | 'nowhere' | 'no-file';

type OnSkipped = (path: string, reason: SkipReason) => void;

/**
 * The HTML files below a folder, relative to it with `/` as separator, in no particular order. Hidden
 * folders such as `.well-known` count. Symbolic links are followed, as hosts do, unless they lead out
 * of the folder or to a folder around the link. Pages are regular files: pipes, sockets and links that
 * lead nowhere are skipped.
 *
 * @throws `folder-missing`; `scan-unreadable` for a folder that can't be listed
 */
export function htmlFiles(dir: string, onSkipped: OnSkipped): string[] {
  const found = attempt(dir, () => statSync(dir, { throwIfNoEntry: false }));
  if (!found?.isDirectory()) {
    throw mediaAssetError('folder-missing', { dir, isThere: found !== undefined });
  }
  const kindOfLink = linkFollower(dir, onSkipped);
  return filesBelow(dir, (entry, path) => {
    if (entry.isDirectory()) return 'folder';
    if (entry.isSymbolicLink()) return kindOfLink(path);
    if (!isPage(path)) return undefined;
    if (entry.isFile()) return 'file';
    onSkipped(path, 'no-file');
    return undefined;
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
  return attempt(path, () => linkTarget(path)?.stats.isFile() === true);
}

/** Returns a function that says what to do with a symbolic link. */
function linkFollower(dir: string, skip: OnSkipped): (path: string) => Kind {
  const root = attempt(dir, () => realpathSync.native(dir));
  const start = resolve(dir);
  return (path) => {
    const link = join(start, path);
    return attempt(link, () => {
      const target = linkTarget(link);
      const isFolder = target?.stats.isDirectory() === true;
      if (!isFolder && !isPage(path)) return undefined;
      const reason = reasonToSkip(target, root);
      if (reason) skip(path, reason);
      if (reason || !target) return undefined;
      if (!isFolder) return 'file';
      if (foldersAround(start, relative(start, link)).has(target.path)) return undefined;
      return 'folder';
    });
  };
}

type LinkTarget = { readonly path: string; readonly stats: Stats };

function reasonToSkip(target: LinkTarget | undefined, root: string): SkipReason | undefined {
  if (!target) return 'nowhere';
  if (!isBelow(root, target.path)) return 'outside';
  return target.stats.isFile() || target.stats.isDirectory() ? undefined : 'no-file';
}

/** A link's target. `undefined` if it leads nowhere. */
function linkTarget(link: string): LinkTarget | undefined {
  try {
    const path = realpathSync.native(link);
    return { path, stats: statSync(path) };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(code)) return undefined;
    throw error;
  }
}

/** The real paths of all folders between `start` and a file. */
function foldersAround(start: string, file: string): Set<string> {
  const names = file.split(sep);
  return new Set(names.map((_, at) => realpathSync.native(join(start, ...names.slice(0, at)))));
}

/** Whether an absolute path is the folder or below it. */
export function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
