import { mediaAssetError } from '../../errors/errors.ts';
import {
  assertPublishable,
  assertSvgTrusted,
  type FileRules,
  type SvgRule,
} from '../files/file-rules.ts';
import { contentTypeOf } from '../formats/rendition.ts';
import { parseRenditionUrl, renditionKey } from '../formats/rendition-url.ts';
import { SourceLost, sourcePath } from '../sources/source-bytes.ts';
import type { Sources } from '../sources/sources.ts';
import type { AssetStore } from '../store/asset-store.ts';
import type { RenditionBytes } from './rendition-bytes.ts';

/** `undefined` if no component has issued the URL, or the service refuses its asset. */
export async function serveRendition(
  site: { store: AssetStore; bytes: RenditionBytes; sources: Sources; svg: SvgRule | undefined },
  url: string,
): Promise<{ bytes: Buffer; contentType: string } | undefined> {
  const { store, bytes, sources, svg } = site;
  const address = parseRenditionUrl(url);
  if (!address) return undefined;
  const { id } = address;
  const key = renditionKey(address);
  const rendition = store.facts(id).issued[key];
  if (rendition?.as !== 'rendition' || sources.refusal(id)) return undefined;
  const { format } = rendition.recipe;
  if (format === 'svg') assertSvgTrusted(svg, { id, page: url });
  const made = await unlessLost(url, bytes.get({ key, rendition, url }));
  return { bytes: made, contentType: contentTypeOf(format) };
}

/** The path of the bytes; `undefined` as above. */
export async function serveFile(
  { sources, store, files }: { sources: Sources; store: AssetStore; files: FileRules | undefined },
  url: string,
): Promise<{ path: string; contentType: string } | undefined> {
  const address = parseRenditionUrl(url);
  const file = address && store.facts(address.id).issued[renditionKey(address)];
  if (file?.as !== 'file') return undefined;
  const { source, contentType, guarded } = file;
  const { reference } = source;
  if (sources.refusal(reference.id)) return undefined;
  assertPublishable({ guarded, allow: files?.allow }, { id: reference.id, page: url });
  return { path: await unlessLost(url, sourcePath({ store, sources }, source)), contentType };
}

async function unlessLost<T>(url: string, work: Promise<T>): Promise<T> {
  return work.catch((thrown: unknown) => {
    if (!(thrown instanceof SourceLost)) throw thrown;
    const renditions = [{ url, pages: 'this page' }];
    throw mediaAssetError('rendition-lost', { renditions }, { cause: thrown.cause });
  });
}
