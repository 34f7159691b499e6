import { isAssetId } from '../errors/asset-id.ts';
import { ignoreOurs, type MediaAssetError, mediaAssetError } from '../errors/errors.ts';
import type { AssetParts } from './asset-parts.ts';
import { assertAllowed } from './files/file-rules.ts';
import { getMediaFile } from './files/get-media-file.ts';
import { contentTypeOf } from './formats/output-formats.ts';
import { parseRenditionUrl, renditionKey } from './formats/rendition-url.ts';
import { originalOf } from './formats/source.ts';
import { createGetMediaAsset } from './get-media-asset.ts';
import { creditOf } from './records/asset-record.ts';
import { missingImage } from './renditions/missing-image.ts';
import type { Asking } from './request/asking.ts';
import type { MediaAssetRequest, MediaCredit } from './request/media-asset.ts';
import type { MediaFile, MediaFileRequest } from './request/media-file.ts';
import { atPage } from './sources/asset-errors.ts';
import { SourceLost, sourcePath } from './sources/source-bytes.ts';

/** What pages ask. */
export type PageAssets = ReturnType<typeof createPageAssets>;

export function createPageAssets(parts: AssetParts) {
  const { options, access, bytes, guard, findShown, onPages, isMissing, asked, missing } = parts;
  const { service, sourceLabel } = options;
  const { store, sources } = access;

  /** Without credentials, a page is shown without what isn't cached. Throws any other error. */
  function noteMissing(thrown: unknown, { id }: { readonly id: number }): MediaAssetError {
    if (!isMissing(thrown)) throw thrown;
    missing.add(id);
    return thrown;
  }

  /** The labelled placeholder of an unavailable asset. */
  const showMissing = async (request: MediaAssetRequest, asking: Asking, error: MediaAssetError) =>
    missingImage({ ...request, inMarkdown: undefined, ...asking }, error, {
      defaults: { ...options.defaults, record: (await guard.orEmpty(asking))?.record },
      originalUrl: service.files.originalUrl,
    });

  /** What an image itself says, for a label. A file that isn't an image isn't downloaded for that. */
  async function ownSourceType(id: number): Promise<string | undefined> {
    const { original, file } = store.facts(id).sources;
    const isFile = asked.get(id) === 'file' || (file && !original);
    if (!sourceLabel || isFile) return undefined;
    return (await sources.get(originalOf(id)).catch(ignoreOurs))?.digitalSourceType;
  }

  return {
    getMediaAsset: createGetMediaAsset({
      ...{ options, access, bytes, onPages, findShown },
      orPlaceholder: (request, asking, thrown) =>
        showMissing(request, asking, noteMissing(thrown, asking)),
    }),
    /** `undefined` if the file isn't cached and there are no credentials. */
    getMediaFile: (request: MediaFileRequest, asking: Asking): Promise<MediaFile | undefined> =>
      getMediaFile({ access, onPages, options }, request, asking).catch((thrown) => {
        noteMissing(thrown, asking);
        return undefined;
      }),
    /** What a record says about an asset's makers; empty without credentials and a cached record. */
    async getMediaCredit({ id, ...asking }: Asking): Promise<MediaCredit> {
      if (!isAssetId(id)) throw mediaAssetError('asset-id-invalid', { ...asking, value: id });
      onPages.ask(id);
      try {
        const known = await guard.show({ ...asking, id }, true);
        if (!options.record && !sourceLabel) throw mediaAssetError('record-unread', undefined);
        const credit = creditOf(known?.record);
        const digitalSourceType = credit.digitalSourceType ?? (await ownSourceType(id));
        const label = sourceLabel?.(digitalSourceType, asking.texts);
        return { ...credit, digitalSourceType, sourceLabel: label };
      } catch (thrown) {
        noteMissing(isMissing(thrown) ? thrown : atPage(thrown, { ...asking, id }), { id });
        return { ...creditOf(undefined), sourceLabel: undefined };
      }
    },
    missingImage: showMissing,
    /**
     * The bytes of a rendition, or the path of a file that is published unchanged. `undefined` if no
     * component has issued the URL, or the service refuses its asset.
     */
    async fileFor(
      url: string,
    ): Promise<{ contentType: string; bytes?: Buffer; path?: string } | undefined> {
      const address = parseRenditionUrl(url);
      const key = address && renditionKey(address);
      const issued = key && store.facts(address.id).issued[key];
      if (!issued || issued.as === 'link' || sources.refusal(address.id)) return undefined;
      assertAllowed(issued, options, { id: address.id, page: url });
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
    },
  };
}
