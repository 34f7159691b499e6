import type { Assets } from '../../assets/assets.ts';
import { autoSizes } from '../../assets/geometry/auto-sizes.ts';
import { readProps } from '../../assets/request/read-props.ts';
import { isMediaAssetError } from '../../errors/errors.ts';
import { type CallSite, callSiteOf, placed } from '../call-sites/call-site.ts';
import { annotateFailure } from '../log-finding.ts';
import type { Renderer } from '../renderer.ts';
import type { BuildNotes } from './build-notes.ts';

/**
 * The renderer of a build. An unavailable asset doesn't stop the rendering. Its page gets a marker, and
 * the build lists all such pages at the end.
 */
export function buildRenderer(
  images: Pick<Assets, 'getMediaAsset' | 'getMediaFile'>,
  {
    unavailable,
    requested,
    hasServer,
  }: Pick<BuildNotes, 'unavailable' | 'requested'> & {
    /** With a server, parts of pages can be rendered later. */
    readonly hasServer: boolean;
  },
): Renderer {
  async function render<T extends object>(
    { id, page, callSite }: { id: number; page: string; callSite: CallSite | undefined },
    work: Promise<T | undefined>,
  ): Promise<(T & { available: true }) | { available: false; id: number }> {
    try {
      const asset = await work;
      if (!asset) return { available: false, id };
      if (hasServer) requested.note(page, asset);
      return { ...asset, available: true };
    } catch (error) {
      if (!isMediaAssetError(error, 'asset-unknown', 'asset-withdrawn')) {
        annotateFailure(error);
        throw error;
      }
      unavailable.add({ id, page, callSite }, error);
      return { available: false, id };
    }
  }

  return {
    autoSizes,
    readProps(given) {
      const callSite = callSiteOf(given.props);
      try {
        return { ...readProps(placed(given, callSite)), callSite };
      } catch (error) {
        annotateFailure(error);
        throw error;
      }
    },
    getMediaAsset: (request, callSite) =>
      render({ ...request, callSite }, images.getMediaAsset(placed(request, callSite))),
    getMediaFile: (request, callSite) =>
      render({ ...request, callSite }, images.getMediaFile(placed(request, callSite))),
  };
}
