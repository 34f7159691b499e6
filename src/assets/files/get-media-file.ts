import { mediaAssetError } from '../../errors/errors.ts';
import type { MediaService } from '../../service/types.ts';
import { downloadFileName, sizeText } from '../formats/file-label.ts';
import { fileDigest, formatRenditionPath, renditionKey } from '../formats/rendition-url.ts';
import { describeSource, type FileSource, fileOf } from '../formats/source.ts';
import type { OnPages } from '../get-media-asset.ts';
import type { Asked } from '../request/media-asset.ts';
import type { MediaFile, MediaFileRequest } from '../request/media-file.ts';
import { parseFileRequest } from '../request/media-file.ts';
import { atPage } from '../sources/asset-errors.ts';
import { refusedAssetError } from '../sources/refusals.ts';
import type { Sources } from '../sources/sources.ts';
import type { AssetStore } from '../store/asset-store.ts';
import { assertFileSize, assertPublishable, type FileRules } from './file-rules.ts';

/**
 * Returns the URL, type and size of a file for a page, and enters the file in the catalogue. Its errors
 * name the page and the place.
 */
export async function getMediaFile(
  site: {
    readonly service: MediaService;
    readonly access: {
      readonly sources: Pick<Sources, 'get' | 'refusal'>;
      readonly store: Pick<AssetStore, 'issue'>;
    };
    readonly onPages: OnPages;
    readonly options: {
      readonly delivery: 'static' | 'service';
      readonly files?: FileRules | undefined;
      readonly toUrl: (path: string) => string;
    };
  },
  request: Asked<MediaFileRequest>,
): Promise<MediaFile> {
  const { service, access, onPages, options } = site;
  const { delivery, files = {} } = options;
  onPages.ask(request.id, 'file');
  const parsed = parseFileRequest(request);
  const { id, subject, locale } = parsed;
  try {
    await onPages.record({ ...subject, locale });
    const source = await access.sources.get(fileOf(id));
    onPages.allowStale(subject);
    const { contentType, size, picture, extension, guarded } = source;
    // Checked first, because `files.allow` doesn't turn an image into a video.
    if (parsed.as === 'video' && !contentType.startsWith('video/')) {
      throw mediaAssetError('file-not-video', { ...subject, contentType });
    }
    if (delivery === 'static') assertPublishable({ guarded, allow: files.allow }, subject);
    assertFileSize({ what: describeSource(source.reference), size, maxBytes: files.maxBytes });
    onPages.shown.add(id);
    const src = delivery === 'service' ? linkFile(site, source) : issueFile(site, source);
    const name = parsed.name ?? source.title ?? String(id);
    const typeText = extension.toUpperCase();
    return {
      id,
      name,
      src,
      url: onPages.toAbsolute(src),
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
    const refused = access.sources.refusal(id);
    throw refused ? refusedAssetError(refused, [subject]) : atPage(thrown, subject);
  }
}

type FileSite = Parameters<typeof getMediaFile>[0];

/** Enters the service's own URL in the catalogue, and returns it. */
function linkFile({ service, onPages }: FileSite, { reference, hash }: FileSource): string {
  const url = service.files.originalUrl(reference.id);
  onPages.issueLink(url, { reference, hash });
  return url;
}

/** Enters a file in the catalogue, and returns its URL for pages. */
function issueFile(
  { access, options }: FileSite,
  { reference, hash, extension, contentType, guarded }: FileSource,
): string {
  const { id } = reference;
  const address = {
    id,
    sourceHash: hash.slice(0, 16),
    digest: fileDigest,
    // A link's name would publish the file once for each, and the service's own may be private.
    name: String(id),
    extension,
  };
  const source = { reference, hash };
  access.store.issue(renditionKey(address), { as: 'file', source, contentType, guarded });
  return options.toUrl(formatRenditionPath(address));
}
