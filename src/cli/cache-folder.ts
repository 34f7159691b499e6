import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { mediaAssetError } from '../errors.ts';
import type { Terminal } from './terminal.ts';

/** Where the integration keeps it, unless Astro's `cacheDir` is set. */
const usualFolder = 'node_modules/.astro/media-asset';

/**
 * The cache folder that a command is about, an absolute path. The usual one may not be there yet.
 *
 * @throws `cache-missing` for one that was named and is not there
 */
export function cacheFolder(
  { cache }: { readonly cache?: string },
  { directory }: Pick<Terminal, 'directory'>,
): string {
  const folder = resolve(directory, cache ?? usualFolder);
  const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (cache !== undefined && !isThere) throw mediaAssetError('cache-missing', { path: folder });
  return folder;
}
