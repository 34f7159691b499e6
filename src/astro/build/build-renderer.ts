import type { PageAssets } from '../../assets/assets.ts';
import type { Asked } from '../../assets/request/media-asset.ts';
import type { MediaFileRequest } from '../../assets/request/media-file.ts';
import { readProps } from '../../assets/request/read-props.ts';
import { structuredData } from '../../assets/request/structured-data.ts';
import { isUnavailable } from '../../assets/sources/asset-errors.ts';
import type { ValuePlaces } from '../call-sites/value-places.ts';
import { annotateFailure } from '../log-finding.ts';
import type { Renderer } from '../renderer.ts';
import type { BuildNotes } from './build-notes.ts';

/**
 * The renderer of a build. An unavailable asset doesn't stop the rendering. Its page gets a marker, and
 * the build lists all such pages at the end.
 */
export function buildRenderer(
  images: PageAssets,
  {
    unavailable,
    requested,
    hasServer,
    valuePlaces,
  }: Pick<BuildNotes, 'unavailable' | 'requested'> & {
    /** With a server, parts of pages can be rendered later. */
    readonly hasServer: boolean;
    readonly valuePlaces: ValuePlaces;
  },
): Renderer {
  async function render<Request extends Asked<MediaFileRequest>, T extends object>(
    asked: Request,
    make: (asked: Request) => Promise<T | undefined>,
  ): Promise<(T & { available: true }) | { available: false; id: number }> {
    const { id, page, place, caller } = asked;
    requested.ask(asked);
    try {
      const asset = await make(asked);
      if (!asset) return { available: false, id };
      if (hasServer) requested.note(asked, asset);
      return { ...asset, available: true };
    } catch (error) {
      if (!isUnavailable(error)) throw annotateFailure(await valuePlaces.explain(error, asked));
      const values = await valuePlaces.of(error, asked);
      unavailable.add({ id, page, place, caller }, error);
      for (const value of values) unavailable.add({ id, page, place: value, caller }, error);
      return { available: false, id };
    }
  }

  return {
    structuredData: async (...shown) => structuredData(...shown),
    async readProps(given) {
      try {
        return readProps(given);
      } catch (error) {
        const { props, place } = given;
        throw annotateFailure(await valuePlaces.explain(error, { ...props, place }));
      }
    },
    getMediaAsset: (request, place) =>
      render({ ...request, place, caller: 'getMediaAsset()' }, images.getMediaAsset),
    getMediaCredit: (request, place) =>
      render({ ...request, place, caller: 'getMediaCredit()' }, images.getMediaCredit),
    getMediaFile: (request, place) =>
      render({ ...request, place, caller: 'getMediaFile()' }, images.getMediaFile),
  };
}
