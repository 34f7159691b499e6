import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { mediaAssetError } from '../../errors/errors.ts';
import { readBuildRules } from '../../usage/build-rules.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Where the integration keeps it, unless Astro's `cacheDir` is set. */
const usualFolder = 'node_modules/.astro/media-asset';

/**
 * The cache folder that a command is about, an absolute path: the one that is named, else that of the
 * last build, which may be gone, else the usual one, which may not be there yet.
 *
 * @throws `cache-unusable` for one that was named and is not there, `rules-broken`
 */
export async function findCacheFolder(
  { cache }: { readonly cache?: string },
  { directory }: Pick<Terminal, 'directory'>,
): Promise<string> {
  if (cache === undefined) {
    const built = await readBuildRules(join(directory, '.media-asset/build.json'));
    return resolve(directory, built?.cache ?? usualFolder);
  }
  const folder = resolve(directory, cache);
  const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isThere) throw mediaAssetError('cache-unusable', { path: folder, isMissing: true });
  return folder;
}
