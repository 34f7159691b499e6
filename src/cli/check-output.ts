import { realpath, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { mediaAssetError } from '../errors.ts';
import { isBelow } from '../scan/site-files.ts';

/**
 * Refuses a folder that holds the folder of the built pages, as `dist` holds the `dist/client` of a
 * site with an adapter: its pages would be taken for those of other addresses. So would those of a
 * folder below it, and of one that another build has made while the last build's own is there: unless
 * the site is named, only that one is taken.
 *
 * @param output where the last build has put its pages, from `directory`; where no build of this
 * site has said so, a folder of an adapter is known by what it holds
 * @throws `folder-too-high`, `folder-too-deep`, `folder-other-build`
 */
export async function checkOutput(
  folder: string,
  {
    output,
    site,
    directory,
  }: {
    output: string | undefined;
    /** The site of the last build; `undefined` where the command names one. */
    site: string | undefined;
    directory: string;
  },
): Promise<void> {
  const given = await realPath(resolve(directory, folder));
  const built = given && (output ? resolve(directory, output) : await clientFolder(given));
  // What was built may have been moved since: then the folder does not hold it.
  const pages = built && (await realPath(built));
  if (!given || !pages || given === pages) return;
  if (isBelow(given, pages)) {
    const pagesFolder = join(folder, relative(given, pages)).replaceAll(sep, '/');
    throw mediaAssetError('folder-too-high', { dir: folder, pages: pagesFolder });
  }
  if (!output || !site) return;
  const code = isBelow(pages, given) ? 'folder-too-deep' : 'folder-other-build';
  throw mediaAssetError(code, { dir: folder, output, site });
}

async function clientFolder(folder: string): Promise<string | undefined> {
  const entry = await stat(join(folder, 'server', 'entry.mjs')).catch(() => undefined);
  return entry?.isFile() ? join(folder, 'client') : undefined;
}

/** `undefined` for what is not there, or cannot be reached: the scan says which. */
function realPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}
