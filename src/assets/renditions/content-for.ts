import { mediaAssetError } from '../../errors/errors.ts';
import type { ImagesContext } from '../assets-context.ts';
import { assertPublishable } from '../files/guard-file.ts';
import { formatFacts } from '../formats/rendition.ts';
import { parseRenditionUrl, renditionKey } from '../formats/rendition-url.ts';
import { SourceLost } from '../sources/source-bytes.ts';
import { sourcePath } from '../sources/source-path.ts';
import { assertSvgPublishable } from '../svg/svg-rule.ts';

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
  return { bytes: await unlessLost(url, bytes.get({ key, rendition, url })), contentType };
}

/**
 * The path of the bytes behind a file's URL; `undefined` if no component has issued it, or the
 * service refuses its asset.
 *
 * @throws `file-guarded`, `file-is-picture`, `rendition-lost`, `cache-unusable`
 */
export async function fileFor(
  context: ImagesContext,
  url: string,
): Promise<{ path: string; contentType: string } | undefined> {
  const address = parseRenditionUrl(url);
  const file = address && context.catalogue.file(renditionKey(address));
  if (!file) return undefined;
  const { source, contentType, guarded } = file;
  const { reference } = source;
  if (context.sources.refusal(reference.id)) return undefined;
  assertPublishable({ reference, guarded }, { page: url, files: context.options.files });
  return { path: await unlessLost(url, sourcePath(context, source)), contentType };
}

async function unlessLost<T>(url: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    throw toLost(thrown, url);
  }
}

function toLost(thrown: unknown, url: string): unknown {
  if (!(thrown instanceof SourceLost)) return thrown;
  const renditions = [{ url, pages: 'this page' }];
  return mediaAssetError('rendition-lost', { renditions }, { cause: thrown.cause });
}
