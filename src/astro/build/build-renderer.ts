import type { PageAssets } from '../../assets/assets.ts';
import { imageAttributes } from '../../assets/request/image-attributes.ts';
import type { MediaFileRequest } from '../../assets/request/media-file.ts';
import { readProps } from '../../assets/request/read-props.ts';
import { structuredData } from '../../assets/request/structured-data.ts';
import { isUnavailable } from '../../assets/sources/asset-errors.ts';
import { type CallSite, callSiteOf, formatCallSite, placed } from '../call-sites/call-site.ts';
import { askedBy, type ValuePlaces } from '../call-sites/value-places.ts';
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
  async function render<T extends object>(
    request: MediaFileRequest,
    callSite: CallSite | undefined,
    work: Promise<T | undefined>,
  ): Promise<(T & { available: true }) | { available: false; id: number }> {
    const { id, page } = request;
    requested.ask(request);
    try {
      const asset = await work;
      if (!asset) return { available: false, id };
      if (hasServer) requested.note(page, asset);
      return { ...asset, available: true };
    } catch (error) {
      const asked = askedBy(request, callSite);
      if (!isUnavailable(error)) {
        throw annotated(await valuePlaces.explain(error, asked));
      }
      const values = await valuePlaces.of(error, asked);
      const places = callSite ? [formatCallSite(callSite), ...values] : values;
      unavailable.add({ id, page, places }, error);
      return { available: false, id };
    }
  }

  return {
    imageAttributes,
    structuredData,
    async readProps(given) {
      const callSite = callSiteOf(given.props);
      try {
        return { ...readProps(placed(given, callSite)), callSite };
      } catch (error) {
        throw annotated(await valuePlaces.explain(error, askedBy(given.props, callSite)));
      }
    },
    getMediaAsset: (request, callSite) =>
      render(request, callSite, images.getMediaAsset(placed(request, callSite))),
    getMediaCredit: (request, callSite) =>
      render(request, callSite, images.getMediaCredit(placed(request, callSite))),
    getMediaFile: (request, callSite) =>
      render(request, callSite, images.getMediaFile(placed(request, callSite))),
  };
}

function annotated(thrown: unknown): unknown {
  annotateFailure(thrown);
  return thrown;
}
