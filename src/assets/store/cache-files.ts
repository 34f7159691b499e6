import { join } from 'node:path';
import { mediaAssetError } from '../../errors/errors.ts';
import type { Size } from '../formats/rendition.ts';
import { type AssetFacts, readFacts } from './asset-facts.ts';
import { assetFolders, serviceFolder, sizeAndTime, storeFolder } from './asset-folder.ts';

/** `undefined` if the original isn't cached. */
export function cachedPixels(
  cacheDir: string,
  { service, id }: { readonly service: string; readonly id: number },
): Size | undefined {
  const folder = join(serviceFolder(cacheDir, service), String(id));
  try {
    return pixelsOf(wholeSource(folder));
  } catch (cause) {
    throw mediaAssetError('cache-unusable', { path: folder }, { cause });
  }
}

type Stored = AssetFacts['sources'][string];

function wholeSource(folder: string): Stored | undefined {
  const { original, file } = readFacts(folder)?.sources ?? {};
  return original ?? file;
}

function pixelsOf(source: Stored | undefined): Size | undefined {
  if (source?.kind === 'file') return source.picture;
  return source && { width: source.width, height: source.height };
}
