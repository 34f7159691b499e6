import { mediaAssetError } from '../../errors/errors.ts';
import { ServiceError } from '../../service/service-error.ts';
import type { Usage } from '../../service/types.ts';

/** Assets refused, and no report accepted, after which a service counts as one that refuses all. */
const mostAssets = 50;

/** As many usages of them, where they are on many pages. */
const mostUsages = 200;

interface Refusal {
  readonly usage: Usage;
  readonly status: number;
  /** What the service said, possibly nothing. */
  readonly text: string;
  readonly error: ServiceError;
}

/**
 * Tells a service that refuses single assets from one that takes no usages at all. Accepted removals
 * prove nothing of reports: credentials can have the one right and not the other.
 */
export interface RefusalJudge {
  /** Whether the service has accepted a usage, or the removal of one. */
  readonly hasAccepted: boolean;
  /** Whether a 403 came that may concern the credentials, and not the asset. */
  readonly isForbidden: boolean;
  /**
   * The assets, in ascending order, that the service refuses while it accepts reports of others: in
   * this run or an earlier one. Their refusals say nothing of it.
   */
  readonly refusedAssets: readonly number[];
  accept(usage: Usage): void;
  refuse(refusal: Refusal): void;
  /** What should end a run under way: as many refusals as a service has that takes nothing. */
  readonly failure: Error | undefined;
  /**
   * What ends a run that has sent all. `isProven`: whether the service has answered another call. A
   * 403 to a report counts where no report was accepted, as credentials without the right to report
   * would see the same; one to a removal where nothing was, unless it is proven.
   */
  lastFailure(service: { isProven: boolean }): Error | undefined;
}

/** @param known `refusedAssets` of earlier runs */
export function createRefusalJudge(known: ReadonlySet<number>): RefusalJudge {
  /** The first 403 of each kind. */
  const forbidden: { toReport?: ServiceError; toRemove?: ServiceError } = {};
  const reported = new Set<number>();
  const refused = new Set<number>();
  /** Those that may mean that the service takes no reports. */
  const suspicious = { assets: new Set<number>(), usages: 0 };
  let hasAccepted = false;
  let failure: Error | undefined;
  return {
    get hasAccepted() {
      return hasAccepted;
    },
    get isForbidden() {
      return !hasAccepted && (forbidden.toReport ?? forbidden.toRemove) !== undefined;
    },
    get refusedAssets() {
      const fromNowOn = reported.size > 0 ? refused : [];
      const ids = [...new Set([...known, ...fromNowOn])];
      return ids.filter((id) => refused.has(id) || !reported.has(id)).sort((a, b) => a - b);
    },
    get failure() {
      return failure;
    },
    accept({ removed, ids }) {
      hasAccepted = true;
      if (!removed) for (const id of ids) reported.add(id);
    },
    refuse({ usage, status, text, error }) {
      const { removed } = usage;
      const [id, another] = usage.ids;
      // The removal may find nothing, and services have various statuses for that.
      const isNoNews = removed && status !== 403;
      if (id === undefined || another !== undefined || isNoNews) return;
      refused.add(id);
      if (known.has(id)) return;
      if (status === 403) forbidden[removed ? 'toRemove' : 'toReport'] ??= error;
      if (removed || reported.size > 0) return;
      suspicious.assets.add(id);
      suspicious.usages += 1;
      if (suspicious.assets.size < mostAssets && suspicious.usages < mostUsages) return;
      const details = { refused: suspicious.usages, status, answer: text };
      failure ??= forbidden.toReport ?? mediaAssetError('usages-refused', details);
    },
    lastFailure({ isProven }) {
      if (reported.size === 0 && forbidden.toReport) return forbidden.toReport;
      return hasAccepted || isProven ? undefined : forbidden.toRemove;
    },
  };
}

/** Whether a status says that the service does not have what was asked for. */
export function isAbsent(status: number): boolean {
  return status === 404 || status === 410;
}

/**
 * The status with which the service refuses one usage, asset or folder for good; `undefined` for any
 * other failure. 403 is such a status: credentials may see one asset and not the next. What it says
 * where nothing else was accepted is for the caller to judge.
 */
export function refusedWith(
  error: unknown,
  {
    missing = [],
  }: {
    /** Further statuses that say there is no such call. */
    missing?: readonly number[];
  } = {},
): number | undefined {
  if (!(error instanceof ServiceError)) return undefined;
  const { code, status } = error;
  if (code === 'request-refused' || code === 'request-forbidden') return status ?? 0;
  return status !== undefined && missing.includes(status) ? status : undefined;
}
