import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { mediaAssetError } from '../../errors/errors.ts';
import { readBuildRules } from '../../usage/build-rules.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The integration's default, unless Astro's `cacheDir` is set. */
const defaultFolder = 'node_modules/.astro/media-asset';

/**
 * The cache folder (absolute): `--cache`, the last build's, or the default. Only `--cache` must
 * exist.
 *
 * @throws `cache-unusable` if `--cache` doesn't exist; `rules-broken`
 */
export async function findCacheFolder(
  { cache }: { readonly cache?: string },
  { directory }: Pick<Terminal, 'directory'>,
): Promise<string> {
  if (cache === undefined) {
    const built = await readBuildRules(join(directory, '.media-asset/build.json'));
    return resolve(directory, built?.cache ?? defaultFolder);
  }
  const folder = resolve(directory, cache);
  const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isThere) throw mediaAssetError('cache-unusable', { path: folder, isMissing: true });
  return folder;
}
