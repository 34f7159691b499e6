import { mediaAssetError } from '../errors.ts';
import { assertPublishable } from './guard-file.ts';
import type { ImagesContext } from './images-context.ts';
import { parseRenditionUrl, renditionKey } from './rendition-url.ts';
import { SourceLost } from './source-bytes.ts';
import { sourcePath } from './source-path.ts';

/**
 * Where the bytes behind a file's URL lie; `undefined` if no component has issued it, or
 * the service refuses its asset.
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
  try {
    return { path: await sourcePath(context, source), contentType };
  } catch (thrown) {
    if (!(thrown instanceof SourceLost)) throw thrown;
    const renditions = [{ url, pages: 'this page' }];
    throw mediaAssetError('rendition-lost', { renditions }, { cause: thrown.cause });
  }
}
