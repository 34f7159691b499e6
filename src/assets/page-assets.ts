import { isAssetId } from '../errors/asset-id.ts';
import { ignoreOurs, type MediaAssetError, mediaAssetError } from '../errors/errors.ts';
import type { AssetParts } from './asset-parts.ts';
import { getMediaFile } from './files/get-media-file.ts';
import { originalOf } from './formats/source.ts';
import { createGetMediaAsset } from './get-media-asset.ts';
import { creditOf } from './records/asset-record.ts';
import { missingImage } from './renditions/missing-image.ts';
import { serveFile } from './renditions/serve-renditions.ts';
import type { Asking } from './request/asking.ts';
import type { MediaAssetRequest, MediaCredit } from './request/media-asset.ts';
import type { MediaFile, MediaFileRequest } from './request/media-file.ts';
import { atPage } from './sources/asset-errors.ts';

/** What pages ask. */
export type PageAssets = ReturnType<typeof createPageAssets>;

export function createPageAssets(parts: AssetParts) {
  const { options, access, bytes, guard, findShown, onPages, isMissing, asked, missing } = parts;
  const { service, mode, toUrl, sourceLabel } = options;
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
      ...{ options, access, onPages, findShown },
      issuer: { store, toUrl, begin: mode === 'build' ? bytes.begin : undefined },
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
    /** What a URL names; `undefined` if no component has issued it. */
    fileFor: (url: string) => serveFile({ access, bytes, options }, url),
  };
}
