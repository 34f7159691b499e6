import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import fastGlob from 'fast-glob';
import { mediaAssetError } from '../../errors/errors.ts';
import { attempt } from './read-site-file.ts';

/** Limit on followed links to folders: a few folders with links to each other make endless paths. */
const maxFolderLinks = 10_000;

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
  const start = resolve(dir);
  const skip: OnSkipped = (path, reason) =>
    onSkipped(relative(start, path).replaceAll(sep, '/'), reason);
  const readdirSync = (folder: string) => {
    const entries = listFolder(folder);
    for (const entry of entries) {
      const isOther = !entry.isFile() && !entry.isDirectory() && !entry.isSymbolicLink();
      if (isOther && isPageName(entry.name)) skip(join(folder, entry.name), 'no-file');
    }
    return entries;
  };
  return fastGlob.sync('**/*.html', {
    cwd: dir,
    dot: true,
    unique: false,
    throwErrorOnBrokenSymbolicLink: true,
    fs: { ...listing(readdirSync), statSync: linkFollower(dir, skip) },
  });
}

function isPageName(path: string): boolean {
  return path.endsWith('.html');
}

/** `**` doesn't match these names, so their pages would be missing. */
const lineBreak = /[\n\r\u2028\u2029]/;

/** Without this, fast-glob skips a folder that's gone. */
function listFolder(folder: string): Dirent[] {
  return attempt(folder, () => {
    const entries = readdirSync(folder, { withFileTypes: true });
    const broken = entries.find((entry) => !entry.isFile() && lineBreak.test(entry.name));
    if (broken) throw new Error(`${JSON.stringify(broken.name)} has a line break in its name.`);
    return entries;
  });
}

/** fast-glob only asks for entries with types. */
function listing(list: typeof listFolder): { readdirSync: typeof readdirSync } {
  return { readdirSync: list as unknown as typeof readdirSync };
}

/** For fast-glob's option `fs`. A folder that can't be listed is always an error. */
export const strictListing = listing(listFolder);

/**
 * Returns a `stat` for symbolic links: the target's if the link is followed, and otherwise the link's
 * own, which is neither a file nor a folder.
 */
function linkFollower(dir: string, skip: OnSkipped): (link: string) => Stats {
  const root = attempt(dir, () => realpathSync.native(dir));
  const start = resolve(dir);
  let followed = 0;
  return (link) =>
    attempt(link, () => {
      const target = linkTarget(link);
      const isFolder = target?.stats.isDirectory() === true;
      if (!isFolder && !isPageName(link)) return lstatSync(link);
      const reason = reasonToSkip(target, root);
      if (reason) skip(link, reason);
      if (reason || !target) return lstatSync(link);
      if (isFolder) {
        if (foldersAround(start, relative(start, link)).has(target.path)) return lstatSync(link);
        followed += 1;
        if (followed > maxFolderLinks) {
          throw new Error(`There are more than ${maxFolderLinks} links to folders.`);
        }
      }
      return target.stats;
    });
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
