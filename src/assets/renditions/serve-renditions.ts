import { mediaAssetError } from '../../errors/errors.ts';
import type { AssetsOptions } from '../assets-options.ts';
import { assertAllowed } from '../files/file-rules.ts';
import { contentTypeOf } from '../formats/output-formats.ts';
import { parseRenditionUrl, renditionKey } from '../formats/rendition-url.ts';
import { type SourceAccess, SourceLost, sourcePath } from '../sources/source-bytes.ts';
import type { RenditionBytes } from './rendition-bytes.ts';

/**
 * The bytes of a rendition, or the path of a file that is published unchanged. `undefined` if no
 * component has issued the URL, or the service refuses its asset.
 */
export async function serveFile(
  site: {
    access: SourceAccess;
    bytes: RenditionBytes;
    options: Pick<AssetsOptions, 'svg' | 'files'>;
  },
  url: string,
): Promise<{ contentType: string; bytes?: Buffer; path?: string } | undefined> {
  const { access, bytes, options } = site;
  const address = parseRenditionUrl(url);
  if (!address) return undefined;
  const { id } = address;
  const key = renditionKey(address);
  const issued = access.store.facts(id).issued[key];
  if (!issued || issued.as === 'link' || access.sources.refusal(id)) return undefined;
  assertAllowed(issued, options, { id, page: url });
  try {
    if (issued.as === 'file')
      return { contentType: issued.contentType, path: await sourcePath(access, issued.source) };
    const made = await bytes.get({ key, rendition: issued, url });
    return { contentType: contentTypeOf(issued.recipe.format), bytes: made };
  } catch (thrown) {
    if (!(thrown instanceof SourceLost)) throw thrown;
    const renditions = [{ url, pages: 'this page' }];
    throw mediaAssetError('rendition-lost', { renditions }, { cause: thrown.cause });
  }
}
