import type { ImagesContext } from './images-context.ts';
import { parseRenditionUrl, renditionKey } from './rendition-url.ts';

/** Whether a rendition was made from the version of its source that is in the cache now. */
export async function isCurrent(
  { catalogue, sources }: ImagesContext,
  url: string,
): Promise<boolean> {
  const address = parseRenditionUrl(url);
  const key = address && renditionKey(address);
  const source = key && (catalogue.rendition(key) ?? catalogue.file(key))?.source;
  return source ? (await sources.cached(source.reference))?.hash === source.hash : false;
}
