import type { ImagesContext } from './images-context.ts';
import { parseRenditionUrl, renditionKey } from './rendition-url.ts';

/** Whether a rendition was made from the version of its source that is in the cache now. */
export async function isCurrent(
  { catalogue, sources }: ImagesContext,
  url: string,
): Promise<boolean> {
  const address = parseRenditionUrl(url);
  const source = address && catalogue.rendition(renditionKey(address))?.source;
  return source !== undefined && (await sources.cached(source.reference))?.hash === source.hash;
}
