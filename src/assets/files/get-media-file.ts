import { mediaAssetError } from '../../errors/errors.ts';
import type { AssetParts } from '../asset-parts.ts';
import { fileDigest, formatRenditionPath, renditionKey } from '../formats/rendition-url.ts';
import { type FileSource, fileOf } from '../formats/source.ts';
import type { Asking } from '../request/asking.ts';
import { type MediaFile, type MediaFileRequest, parseFileRequest } from '../request/media-file.ts';
import { atPage } from '../sources/asset-errors.ts';
import { refusedAssetError } from '../sources/refusals.ts';
import { downloadFileName, sizeText } from './file-label.ts';
import { assertPublishable } from './file-rules.ts';

/** Enters a file in the catalogue. Errors name the page and the place. */
export async function getMediaFile(
  site: Pick<AssetParts, 'access' | 'onPages' | 'options'>,
  request: MediaFileRequest,
  asking: Asking,
): Promise<MediaFile> {
  const { access, onPages, options } = site;
  const { service, delivery, files = {} } = options;
  onPages.ask(asking.id, 'file');
  const parsed = parseFileRequest(request, asking);
  const { id } = asking;
  try {
    await onPages.record(asking);
    const source = await access.sources.get(fileOf(id));
    onPages.allowStale(asking);
    const { contentType, size, picture, extension, guarded } = source;
    // Checked first, because `files.allow` doesn't turn an image into a video.
    if (parsed.as === 'video' && !contentType.startsWith('video/')) {
      throw mediaAssetError('file-not-video', { ...asking, contentType });
    }
    if (delivery === 'static') assertPublishable({ guarded, files }, asking);
    onPages.shown.add(id);
    const originalUrl = service.files.originalUrl(id);
    const { reference, hash } = source;
    if (delivery === 'service') onPages.issueLink(originalUrl, { reference, hash });
    const src = delivery === 'service' ? originalUrl : issueFile(site, source);
    const name = parsed.name ?? source.title ?? String(id);
    const typeText = extension.toUpperCase();
    const inUnits = sizeText(size, parsed.locale);
    return {
      ...{ id, name, src, url: onPages.toAbsolute(src), originalUrl },
      ...{ fileName: downloadFileName(name, extension), contentType, typeText },
      ...{ size, sizeText: inUnits, text: `${name} (${typeText}, ${inUnits})` },
      width: picture?.width,
      height: picture?.height,
    };
  } catch (thrown) {
    const refused = access.sources.refusal(id);
    throw refused ? refusedAssetError(refused, [asking]) : atPage(thrown, asking);
  }
}

function issueFile(
  { access, options }: Parameters<typeof getMediaFile>[0],
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
