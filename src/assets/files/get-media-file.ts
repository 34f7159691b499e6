import { mediaAssetError } from '../../errors/errors.ts';
import type { MediaService } from '../../service/types.ts';
import { downloadFileName, sizeText } from '../formats/file-label.ts';
import { fileDigest, formatRenditionPath, renditionKey } from '../formats/rendition-url.ts';
import { describeSource, type FileSource, fileOf } from '../formats/source.ts';
import type { RightsGuard } from '../records/rights-guard.ts';
import type { MediaFile, MediaFileRequest } from '../request/media-file.ts';
import { parseFileRequest } from '../request/media-file.ts';
import { atPage } from '../sources/asset-errors.ts';
import { refusedAssetError } from '../sources/refusals.ts';
import type { Sources } from '../sources/sources.ts';
import type { AssetStore } from '../store/asset-store.ts';
import { assertFileSize, assertPublishable, type FileRules } from './file-rules.ts';

interface FileSite {
  readonly service: MediaService;
  readonly store: Pick<AssetStore, 'issue'>;
  readonly sources: Pick<Sources, 'get' | 'refusal'>;
  readonly delivery: 'static' | 'service';
  readonly files: FileRules | undefined;
  readonly shown: Set<number>;
  readonly record: RightsGuard['show'];
  /** @throws `stale-too-long` */
  readonly allowStale: (id: number, page: string) => void;
  readonly toUrl: (path: string) => string;
  readonly toAbsolute: (url: string) => string;
  /** Called with each of the service's own URLs that a page contains. */
  readonly onLink: (url: string) => void;
}

/**
 * Returns the URL, type and size of a file for a page, and enters the file in the catalogue.
 *
 * @throws an error that names the page: of the request (`parseFileRequest`), `file-guarded`,
 * `file-is-picture`, `file-not-video`, `file-empty`, `file-too-large`, `asset-unknown`,
 * `asset-withdrawn`, `asset-forbidden`, `stale-too-long`, of the download, or of the service
 */
export async function getMediaFile(site: FileSite, request: MediaFileRequest): Promise<MediaFile> {
  const parsed = parseFileRequest(request);
  const { id, page, locale } = parsed;
  const { service, sources, files = {} } = site;
  try {
    await site.record({ id, page, locale });
    const source = await sources.get(fileOf(id));
    site.allowStale(id, page);
    const { contentType, size, picture, extension } = source;
    // Checked first, because `files.allow` doesn't turn an image into a video.
    if (parsed.as === 'video' && !contentType.startsWith('video/')) {
      throw mediaAssetError('file-not-video', { id, page, contentType });
    }
    if (site.delivery === 'static') assertPublishable(source, { page, files });
    assertFileSize({ what: describeSource(source.reference), size, maxBytes: files.maxBytes });
    site.shown.add(id);
    const src = issueFile(site, source);
    const name = parsed.name ?? source.title ?? String(id);
    const typeText = extension.toUpperCase();
    return {
      id,
      name,
      src,
      url: site.toAbsolute(src),
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
    const refused = sources.refusal(id);
    throw refused ? refusedAssetError(refused, [page]) : atPage(thrown, { page, id });
  }
}

/** Enters a file in the catalogue, and returns its URL for pages. */
function issueFile(
  { store, delivery, service, toUrl, onLink }: FileSite,
  { reference, hash, extension, contentType, guarded }: FileSource,
): string {
  const { id } = reference;
  const source = { reference, hash };
  if (delivery === 'service') {
    const url = service.files.originalUrl(id);
    store.issue(url, { as: 'link', source });
    onLink(url);
    return url;
  }
  const address = {
    id,
    sourceHash: hash.slice(0, 16),
    digest: fileDigest,
    // A link's name would publish the file once for each, and the service's own may be private.
    name: String(id),
    extension,
  };
  store.issue(renditionKey(address), { as: 'file', source, contentType, guarded });
  return toUrl(formatRenditionPath(address));
}
