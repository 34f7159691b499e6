import { mediaAssetError } from '../../errors/errors.ts';
import type { ImagesContext } from '../assets-context.ts';
import { downloadFileName } from '../formats/file-title.ts';
import { renditionName } from '../formats/rendition-name.ts';
import { fileDigest, formatRenditionPath, renditionKey } from '../formats/rendition-url.ts';
import { sizeText } from '../formats/size-text.ts';
import { describeSource, type FileSource } from '../formats/source.ts';
import { atPage } from '../request/at-page.ts';
import type { MediaFile, MediaFileRequest } from '../request/media-file.ts';
import { longestAlt } from '../request/parse-request.ts';
import { isAssetId, propReaders } from '../request/prop-readers.ts';
import { assertFileSize } from '../sources/download-file.ts';
import { refusedAssetError } from '../sources/refused-asset.ts';
import { assertPublishable } from './guard-file.ts';

/**
 * Gives a page the address, type and size of a file, and notes it in the catalogue.
 *
 * @throws an error that names the page: of the request (`parseFileRequest`), `file-guarded`,
 * `file-is-picture`, `file-not-video`, `file-empty`, `file-too-large`, `asset-unknown`,
 * `asset-withdrawn`, `stale-too-long`, of the download, or of the service
 */
export async function getMediaFile(
  context: ImagesContext,
  request: MediaFileRequest,
): Promise<MediaFile> {
  const parsed = parseFileRequest(request);
  const { id, page, locale } = parsed;
  const { options, service } = context;
  try {
    const source = await context.sources.get({ kind: 'file', service: service.baseUrl, id });
    if (options.mode === 'build') context.allowStale(id, page);
    const { contentType, size, picture, extension } = source;
    // First: the options that let more files pass make no video of a picture.
    if (parsed.as === 'video' && !contentType.startsWith('video/')) {
      throw mediaAssetError('file-not-video', { id, page, contentType });
    }
    if (options.delivery === 'static') assertPublishable(source, { page, files: options.files });
    const { maxBytes } = options.files ?? {};
    assertFileSize({ what: describeSource(source.reference), size, maxBytes });
    context.shown.add(id);
    const src = issueFile(context, source, parsed.name);
    const name = parsed.name ?? source.title ?? String(id);
    const typeText = extension.toUpperCase();
    return {
      id,
      name,
      src,
      url: context.toAbsolute(src),
      fileName: downloadFileName(name, extension),
      contentType,
      typeText,
      size,
      sizeText: sizeText(size, locale),
      text: `${name} (${typeText}, ${sizeText(size, locale)})`,
      width: picture?.width,
      height: picture?.height,
      originalUrl: service.files.originalUrl(id),
    };
  } catch (thrown) {
    const refused = context.sources.refusal(id);
    throw refused ? refusedAssetError(refused, [page]) : atPage(thrown, { page, id });
  }
}

/** Notes a file in the catalogue; gives the address that pages carry. */
function issueFile(
  { catalogue, options, service, onLink }: ImagesContext,
  { reference, hash, extension, contentType, guarded, size }: FileSource,
  name: string | undefined,
): string {
  const originalUrl = service.files.originalUrl(reference.id);
  const facts = {
    source: { reference, hash },
    contentType,
    size,
    guarded: [...guarded],
    originalUrl,
  };
  if (options.delivery === 'service') {
    catalogue.issueFile(originalUrl, { ...facts, path: null });
    onLink(originalUrl);
    return originalUrl;
  }
  const { id } = reference;
  const address = {
    id,
    sourceHash: hash.slice(0, 16),
    digest: fileDigest,
    // Never the service's own name: it can hold what must not be published.
    name: renditionName(name ?? '', id),
    extension,
  };
  const path = formatRenditionPath(address);
  catalogue.issueFile(renditionKey(address), { ...facts, path });
  return options.toUrl(path);
}

/** A request whose values are known to be usable. */
interface ParsedFileRequest {
  readonly id: number;
  readonly name: string | undefined;
  readonly locale: string;
  readonly as: 'file' | 'video';
  readonly page: string;
}

type Untrusted = { readonly [Key in keyof MediaFileRequest]?: unknown };

/**
 * Checks a request from a template.
 *
 * @throws `asset-id-invalid` or `prop-invalid`, naming the page
 */
function parseFileRequest(request: Untrusted): ParsedFileRequest {
  const page = String(request.page ?? 'an unknown page');
  const { id } = request;
  if (!isAssetId(id)) throw mediaAssetError('asset-id-invalid', { value: id, page });
  const read = propReaders({ id, page });
  const locale = read.optional(request.locale, (value) => read.text('locale', value, 100));
  const name = read.optional(request.name, (value) => read.text('name', value, longestAlt));
  return {
    id,
    page,
    name: name?.replace(/\s+/g, ' ').trim() || undefined,
    locale: locale !== undefined && isLocale(locale) ? locale : 'en',
    as:
      read.optional(request.as, (value) => read.oneOf('as', value, ['file', 'video'] as const)) ??
      'file',
  };
}

/** Pages can have names of languages of their own. */
function isLocale(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length === 1;
  } catch {
    return false;
  }
}
