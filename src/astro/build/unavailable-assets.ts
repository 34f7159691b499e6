import type { AstroIntegrationLogger } from 'astro';
import {
  type Finding,
  finding,
  type MediaAssetError,
  mediaAssetError,
  type UnavailableAsset,
} from '../../errors/errors.ts';
import { ServiceError } from '../../service/service-error.ts';
import { logFindings } from '../log-finding.ts';

/** The attribute that marks an unavailable asset in a page. */
export const unavailableMarker = 'data-media-asset-unavailable';

interface AssetPlace {
  readonly id: number;
  readonly page: string;
  /** Where the source calls the component, and where its values may come from. */
  readonly places?: readonly string[] | undefined;
}

/** The assets that the service refuses during a build, and the pages that show them. */
export interface UnavailableAssets {
  add(place: AssetPlace, error?: MediaAssetError): void;
  /**
   * Notes why an asset in Markdown was refused, and its file and line. Its pages are only known later.
   * Pages without a call site of their own name these places.
   */
  explain(id: number, error: MediaAssetError, place: string): void;
  /** One error that names all assets, or `undefined` if there are none. */
  toError(): MediaAssetError | undefined;
  /** The findings since the last call. */
  takeFindings(): Finding[];
}

/** The call sites of an asset, by page. */
type CallSitesOfPages = Map<string, Set<string>>;

/** Sorts line 8 before line 10. */
const inOrder = new Intl.Collator('en', { numeric: true });

export function createUnavailableAssets(): UnavailableAssets {
  const assets = new Map<number, { pages: CallSitesOfPages; error: MediaAssetError | undefined }>();
  const explained = new Map<number, { error: MediaAssetError; places: Set<string> }>();
  const taken = new Set<string>();
  const list = (): UnavailableAsset[] =>
    Array.from(assets, ([id, { pages, error }]) => ({
      id,
      status: error?.cause instanceof ServiceError ? error.cause.status : undefined,
      pages: namePages(pages, explained.get(id)?.places),
    })).sort((a, b) => a.id - b.id);
  const code = (refused = [...assets.values()]) =>
    refused.every(({ error }) => error?.code === 'asset-unknown')
      ? 'asset-unknown'
      : 'asset-withdrawn';
  return {
    add({ id, page, places = [] }, error) {
      const asset = assets.get(id) ?? { pages: new Map(), error };
      asset.error ??= error ?? explained.get(id)?.error;
      assets.set(id, asset);
      asset.pages.set(page, new Set([...(asset.pages.get(page) ?? []), ...places]));
    },
    explain(id, error, place) {
      const { places = new Set<string>() } = explained.get(id) ?? {};
      explained.set(id, { error, places: places.add(place) });
    },
    toError: () => (assets.size > 0 ? mediaAssetError(code(), { assets: list() }) : undefined),
    takeFindings() {
      const found = list().map((asset) => {
        const refused = assets.get(asset.id);
        const place = asset.pages.join(', ');
        return finding('warning', code(refused && [refused]), place, { assets: [asset] });
      });
      const fresh = found.filter(({ message }) => !taken.has(message));
      for (const { message } of fresh) taken.add(message);
      return fresh;
    },
  };
}

/** Sorts pages. Those with the same call sites are listed together: a layout can be on all pages. */
function namePages(pages: CallSitesOfPages, markdown: Iterable<string> = []): string[] {
  const groups = Map.groupBy([...pages.keys()].sort(), (page) => {
    const own = [...(pages.get(page) ?? [])];
    return (own.length > 0 ? own : [...markdown]).sort(inOrder.compare).join(', ');
  });
  const texts = Array.from(groups, ([callSites, group]) => {
    return group.join(', ') + (callSites && ` (${callSites})`);
  });
  return texts.sort();
}

/**
 * Fails the build if its pages show unavailable assets, or warns once per asset if the site sets
 * `unavailable: 'warn'`.
 *
 * @throws `asset-unknown` or `asset-withdrawn`, naming the pages
 */
export function checkUnavailable(
  assets: UnavailableAssets,
  { option, logger }: { option: 'fail' | 'warn'; logger: AstroIntegrationLogger },
): void {
  const error = assets.toError();
  if (error && option === 'fail') throw error;
  logFindings(logger, assets.takeFindings());
}
