import type { AstroIntegrationLogger } from 'astro';
import { ForbiddenAsset } from '../../assets/records/rights-guard.ts';
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

/** The assets that a build can't show, and the pages that request them. */
export interface UnavailableAssets {
  add(place: AssetPlace, error?: MediaAssetError): void;
  /**
   * Notes why an asset in Markdown was refused, and its file and line. Its pages are only known later.
   * Pages without a call site of their own name these places.
   */
  explain(id: number, error: MediaAssetError, place: string): void;
  /** One error that names all refused assets, and one that names all forbidden ones. */
  toErrors(): MediaAssetError[];
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

  function list(): UnavailableAsset[] {
    return Array.from(assets, ([id, { pages, error }]) => ({
      id,
      reason: reasonOf(error),
      pages: namePages(pages, explained.get(id)?.places),
    })).sort((a, b) => a.id - b.id);
  }

  function codeOf(...ids: readonly number[]) {
    const codes = new Set(ids.map((id) => assets.get(id)?.error?.code));
    if (codes.has('asset-forbidden')) return 'asset-forbidden';
    return codes.size === 1 && codes.has('asset-unknown') ? 'asset-unknown' : 'asset-withdrawn';
  }

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
    toErrors() {
      const isForbidden = ({ id }: UnavailableAsset) => codeOf(id) === 'asset-forbidden';
      const groups = Map.groupBy(list(), isForbidden);
      return Array.from(groups.values(), (group) =>
        mediaAssetError(codeOf(...group.map(({ id }) => id)), { assets: group }),
      );
    },
    takeFindings() {
      const found = list().map((asset) =>
        finding('warning', codeOf(asset.id), asset.pages.join(', '), { assets: [asset] }),
      );
      const fresh = found.filter(({ message }) => !taken.has(message));
      for (const { message } of fresh) taken.add(message);
      return fresh;
    },
  };
}

/** The HTTP status of a refusal, or what the record says. */
function reasonOf(error: MediaAssetError | undefined): UnavailableAsset['reason'] {
  if (error instanceof ForbiddenAsset) return error.reason;
  return error?.cause instanceof ServiceError ? error.cause.status : undefined;
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
 * Fails the build if its pages request refused or forbidden assets, or warns once per asset if the
 * site sets `unavailable: 'warn'` or `rights: { forbidden: 'hide' }`.
 *
 * @throws `asset-unknown`, `asset-withdrawn` or `asset-forbidden`, naming the pages
 */
export function checkUnavailable(
  assets: UnavailableAssets,
  rule: {
    readonly refused: 'fail' | 'warn';
    readonly forbidden: 'fail' | 'hide' | 'warn';
    readonly logger: AstroIntegrationLogger;
  },
): void {
  const [first, ...others] = assets
    .toErrors()
    .filter(({ code }) => rule[code === 'asset-forbidden' ? 'forbidden' : 'refused'] === 'fail');
  const findings = others.map(({ code, message, hint }) => ({
    ...{ code, message, hint },
    ...({ severity: 'error', place: '' } as const),
  }));
  logFindings(rule.logger, first ? findings : assets.takeFindings());
  if (first) throw first;
}
