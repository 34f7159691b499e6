import { mediaAssetError } from '../errors.ts';
import type { ImagesContext } from './images-context.ts';
import { formatFacts } from './rendition.ts';
import { parseRenditionUrl, renditionKey } from './rendition-url.ts';
import { SourceLost } from './source-bytes.ts';
import { assertSvgPublishable } from './svg-rule.ts';

/**
 * The bytes behind a rendition's URL; `undefined` if no component has issued it, or the service
 * refuses its asset.
 *
 * @throws `rendition-lost`, `rendition-failed`, `svg-refused`
 */
export async function bytesFor(
  { catalogue, bytes, options, sources }: ImagesContext,
  url: string,
): Promise<{ bytes: Buffer; contentType: string } | undefined> {
  const address = parseRenditionUrl(url);
  const key = address && renditionKey(address);
  const rendition = key === undefined ? undefined : catalogue.rendition(key);
  if (key === undefined || !rendition) return undefined;
  const { id } = rendition.source.reference;
  if (sources.refusal(id)) return undefined;
  assertSvgPublishable(rendition.recipe, { svg: options.svg, id, page: url });
  const contentType = formatFacts[rendition.recipe.format].contentType;
  try {
    return { bytes: await bytes.get({ key, rendition, url }), contentType };
  } catch (thrown) {
    if (!(thrown instanceof SourceLost)) throw thrown;
    const renditions = [{ url, pages: 'this page' }];
    throw mediaAssetError('rendition-lost', { renditions }, { cause: thrown.cause });
  }
}
