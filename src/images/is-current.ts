import { fileOf, originalOf } from './create-sources.ts';
import type { ImagesContext } from './images-context.ts';
import { parseRenditionUrl, renditionKey } from './rendition-url.ts';
import { assetVersion } from './source.ts';

/** Whether a rendition was made from the version of its source that is in the cache now. */
export async function isCurrent(
  { catalogue, sources }: ImagesContext,
  url: string,
): Promise<boolean> {
  const address = parseRenditionUrl(url);
  const key = address && renditionKey(address);
  const source = key && (catalogue.rendition(key) ?? catalogue.file(key))?.source;
  if (!source) return false;
  const { kind, service, id } = source.reference;
  const original = kind === 'file' ? fileOf(service, id) : originalOf(service, id);
  return (await sources.cached(original))?.hash === assetVersion(source);
}
