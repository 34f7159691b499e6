import type { PageAssets } from '../../assets/assets.ts';
import { checkProps } from '../../assets/request/check-props.ts';
import type { Asked } from '../../assets/request/media-asset.ts';
import type { MediaFileRequest } from '../../assets/request/media-file.ts';
import { structuredData } from '../../assets/request/structured-data.ts';
import { isUnavailable } from '../../assets/sources/asset-errors.ts';
import type { ValuePlaces } from '../call-sites/value-places.ts';
import { annotateFailure } from '../log-finding.ts';
import type { ComponentCall, Renderer } from '../renderer.ts';
import type { BuildNotes } from './build-notes.ts';

/**
 * The renderer of a build. An unavailable asset doesn't stop the rendering. Its page gets a marker, and
 * the build lists all such pages at the end.
 */
export function buildRenderer(
  images: PageAssets,
  build: Pick<BuildNotes, 'unavailable' | 'requested'> & {
    /** With a server, parts of pages can be rendered later. */
    readonly hasServer: boolean;
    readonly valuePlaces: ValuePlaces;
  },
): Renderer {
  const { unavailable, requested, hasServer, valuePlaces } = build;
  async function checkCall(call: ComponentCall): Promise<void> {
    try {
      checkProps(call);
    } catch (error) {
      const { props, place } = call;
      throw annotateFailure(await valuePlaces.explain(error, { ...props, place }));
    }
  }

  async function render<Request extends MediaFileRequest, T extends object>(
    request: Request,
    { call, caller }: { call: ComponentCall | undefined; caller: string },
    make: (asked: Asked<Request>) => Promise<T | undefined>,
  ): Promise<(T & { available: true }) | { available: false; id: number }> {
    if (call) await checkCall(call);
    const { id, page } = request;
    const place = call?.place;
    const asked = { ...request, place, caller };
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
    checkCall,
    structuredData: async (...shown) => structuredData(...shown),
    getMediaAsset: (request, call) =>
      render(request, { call, caller: 'getMediaAsset()' }, images.getMediaAsset),
    getMediaCredit: (request, call) =>
      render(request, { call, caller: 'getMediaCredit()' }, images.getMediaCredit),
    getMediaFile: (request, call) =>
      render(request, { call, caller: 'getMediaFile()' }, images.getMediaFile),
  };
}
