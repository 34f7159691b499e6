import { ForbiddenAsset } from '../../assets/records/rights-guard.ts';
import {
  type Finding,
  finding,
  type MediaAssetError,
  mediaAssetError,
  toFinding,
  type UnavailableAsset,
} from '../../errors/errors.ts';
import type { AssetSubject, Subject } from '../../errors/place.ts';
import { ServiceError } from '../../service/service-error.ts';
import { logFindings } from '../log-finding.ts';
import type { Site } from '../open-site.ts';

export type UnavailableAssets = ReturnType<typeof createUnavailableAssets>;

/** Each once. */
type Subjects = Map<string, Subject>;

/** The assets that a build can't show, and the pages that request them. */
export function createUnavailableAssets() {
  const assets = new Map<number, { asked: Subjects; error: MediaAssetError | undefined }>();
  const explained = new Map<number, { asked: Subjects; error: MediaAssetError }>();
  const taken = new Set<string>();

  function list(): UnavailableAsset[] {
    return Array.from(assets, ([id, { asked, error }]) => ({
      id,
      reason: reasonOf(error),
      asked: withPlaces([...asked.values()], [...(explained.get(id)?.asked.values() ?? [])]),
    })).sort((a, b) => a.id - b.id);
  }

  function codeOf(...ids: readonly number[]) {
    const codes = new Set(ids.map((id) => assets.get(id)?.error?.code));
    if (codes.has('asset-forbidden')) return 'asset-forbidden';
    return codes.size === 1 && codes.has('asset-unknown') ? 'asset-unknown' : 'asset-withdrawn';
  }

  return {
    add({ id, ...subject }: AssetSubject, error?: MediaAssetError) {
      const asset = assets.get(id) ?? { asked: new Map(), error };
      asset.error ??= error ?? explained.get(id)?.error;
      asset.asked.set(JSON.stringify(subject), subject);
      assets.set(id, asset);
    },
    /** Notes why an asset in Markdown was refused, and where: for pages that have no place. */
    explain({ id, ...subject }: AssetSubject, error: MediaAssetError) {
      const { asked = new Map() } = explained.get(id) ?? {};
      explained.set(id, { error, asked: asked.set(JSON.stringify(subject), subject) });
    },
    /** One error that names all refused assets, and one that names all forbidden ones. */
    toErrors() {
      const isForbidden = ({ id }: UnavailableAsset) => codeOf(id) === 'asset-forbidden';
      const groups = Map.groupBy(list(), isForbidden);
      return Array.from(groups.values(), (group) =>
        mediaAssetError(codeOf(...group.map(({ id }) => id)), { assets: group }),
      );
    },
    /** The findings since the last caller. */
    takeFindings(): Finding[] {
      return list().flatMap((asset) => {
        const key = JSON.stringify(asset);
        if (taken.has(key)) return [];
        taken.add(key);
        return finding('warning', codeOf(asset.id), { assets: [asset] });
      });
    },
  };
}

/** The HTTP status of a refusal, or what the record says. */
function reasonOf(error: MediaAssetError | undefined): UnavailableAsset['reason'] {
  if (error instanceof ForbiddenAsset) return error.reason;
  return error?.cause instanceof ServiceError ? error.cause.status : undefined;
}

/** Sorts pages. Each is there once for each of its places. Pages without one have those in Markdown. */
function withPlaces(asked: readonly Subject[], inMarkdown: readonly Subject[]): Subject[] {
  const byPage = Map.groupBy(asked, ({ page, caller }) => page ?? caller ?? '');
  const inOrder = [...byPage].sort(([one], [other]) => (one < other ? -1 : 1));
  return inOrder.flatMap(([, same]) => {
    const placed = same.filter(({ place }) => place);
    if (placed.length > 0) return placed;
    const [{ page, caller } = {}] = same;
    return inMarkdown.length > 0 && page !== undefined
      ? inMarkdown.map((one) => ({ ...one, page, caller }))
      : [{ page, caller }];
  });
}

/** Fails the build if pages request refused or forbidden assets, or warns once for each. */
export function checkUnavailable(
  site: Pick<Site, 'options' | 'forbidden' | 'logger'> & {
    readonly unavailable: UnavailableAssets;
  },
): void {
  const { unavailable, options, forbidden, logger } = site;
  const [first, ...others] = unavailable.toErrors().filter(({ code }) => {
    return (code === 'asset-forbidden' ? forbidden : options.unavailable) === 'fail';
  });
  const findings = others.map((error) => toFinding('error', error));
  logFindings(logger, first ? findings : unavailable.takeFindings());
  if (first) throw first;
}
