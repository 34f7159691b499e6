import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import fastGlob from 'fast-glob';
import { mediaAssetError } from '../../errors/errors.ts';
import { attempt } from './read-site-file.ts';

/** How many links to folders are followed: a few folders that hold links to each other make countless paths. */
const maxFolderLinks = 10_000;

/**
 * The HTML files below a folder, relative to it and with `/` between names, in no order. Folders such
 * as `.well-known` count. Symbolic links to pages and folders are followed, as hosts do, unless they
 * lead out of the folder or to a folder that the link itself is in.
 *
 * @param onOutside called with each link to a page or a folder that leads out of the folder
 * @throws `folder-missing`; `scan-unreadable` for a folder that cannot be listed
 */
export function htmlFiles(dir: string, onOutside: (file: string) => void): string[] {
  const found = attempt(dir, () => statSync(dir, { throwIfNoEntry: false }));
  if (!found?.isDirectory()) {
    throw mediaAssetError('folder-missing', { dir, isThere: found !== undefined });
  }
  return fastGlob.sync('**/*.html', {
    cwd: dir,
    dot: true,
    unique: false,
    throwErrorOnBrokenSymbolicLink: true,
    fs: { ...strictListing, statSync: linkFollower(dir, onOutside) },
  });
}

/** Names that `**` doesn't match: their pages would be missed. */
const lineBreak = /[\n\r\u2028\u2029]/;

/** On its own, fast-glob passes over a folder that is gone. @throws `scan-unreadable` */
function listFolder(folder: string): Dirent[] {
  return attempt(folder, () => {
    const entries = readdirSync(folder, { withFileTypes: true });
    const broken = entries.find((entry) => !entry.isFile() && lineBreak.test(entry.name));
    if (broken) throw new Error(`${JSON.stringify(broken.name)} has a line break in its name.`);
    return entries;
  });
}

/** For fast-glob's option `fs`: a folder that cannot be listed is always an error. */
export const strictListing = {
  // fast-glob only asks for names with their types.
  readdirSync: listFolder as unknown as typeof readdirSync,
};

/**
 * What fast-glob is told of a symbolic link: the facts of its target if the link is followed, and
 * those of the link itself if it isn't, which is neither a file nor a folder.
 *
 * @throws `scan-unreadable` (the function returned)
 */
function linkFollower(dir: string, onOutside: (file: string) => void): (link: string) => Stats {
  const root = attempt(dir, () => realpathSync.native(dir));
  const start = resolve(dir);
  let followed = 0;
  return (link) =>
    attempt(link, () => {
      const target = linkTarget(link);
      const isFolder = target?.stats.isDirectory() === true;
      if (!target || !(isFolder || link.endsWith('.html'))) return lstatSync(link);
      const file = relative(start, link);
      if (!isBelow(root, target.path)) {
        onOutside(file.replaceAll(sep, '/'));
        return lstatSync(link);
      }
      if (isFolder) {
        if (foldersAround(start, file).has(target.path)) return lstatSync(link);
        followed += 1;
        if (followed > maxFolderLinks) {
          throw new Error(`There are more than ${maxFolderLinks} links to folders.`);
        }
      }
      return target.stats;
    });
}

/** Where a link leads; `undefined` for one that leads nowhere, unless it has the name of a page. */
function linkTarget(link: string): { path: string; stats: Stats } | undefined {
  try {
    const path = realpathSync.native(link);
    return { path, stats: statSync(path) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const leadsNowhere = code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP';
    if (leadsNowhere && !link.endsWith('.html')) return undefined;
    throw error;
  }
}

/** The real paths of the folders that a file is reached through, from `start` on. */
function foldersAround(start: string, file: string): Set<string> {
  const names = file.split(sep);
  return new Set(names.map((_, at) => realpathSync.native(join(start, ...names.slice(0, at)))));
}

/** Whether a path is a folder, or lies below it. Both are absolute. */
export function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
