import { mediaAssetError } from '../../errors/errors.ts';
import { ServiceError } from '../../service/service-error.ts';
import type { Usage } from '../../service/types.ts';

/** A service that accepts no report and refuses this many assets counts as refusing everything. */
const mostAssets = 50;

/** The same for usages, if the assets are on many pages. */
const mostUsages = 200;

interface Refusal {
  readonly usage: Usage;
  readonly status: number;
  /** The service's answer, which can be empty. */
  readonly text: string;
  readonly error: ServiceError;
}

/**
 * Tells a service that refuses single assets from one that accepts no usages. Accepted removals prove
 * nothing about reports, because credentials can have one right and not the other.
 */
export interface RefusalJudge {
  /** Whether the service has accepted a usage, or the removal of one. */
  readonly hasAccepted: boolean;
  /** Whether a 403 may be about the credentials instead of the asset. */
  readonly isForbidden: boolean;
  /**
   * Assets, in ascending order, that the service has refused in this run or an earlier one while it
   * accepted reports of others. Their refusals say nothing about the service.
   */
  readonly refusedAssets: readonly number[];
  /** Whether the service has refused reports of an asset in this run, and accepted none. */
  refusesReportsOf(id: number): boolean;
  accept(usage: Usage): void;
  refuse(refusal: Refusal): void;
  /** Ends the run early: so many refusals mean that the service accepts nothing. */
  readonly failure: Error | undefined;
  /**
   * Fails a run that has sent everything. `isProven`: the service has answered another call. A 403 to
   * a report counts if no report was accepted: the credentials may lack the right to report. A 403 to
   * a removal counts if nothing was accepted, unless the service is proven.
   */
  lastFailure(service: { isProven: boolean }): Error | undefined;
}

/** @param known `refusedAssets` of earlier runs */
export function createRefusalJudge(known: ReadonlySet<number>): RefusalJudge {
  /** The first 403 of each kind. */
  const forbidden: { toReport?: ServiceError; toRemove?: ServiceError } = {};
  const reported = new Set<number>();
  const refused = new Set<number>();
  const refusedReports = new Set<number>();
  /** Refusals that may mean that the service accepts no reports. */
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
    refusesReportsOf: (id) => refusedReports.has(id) && !reported.has(id),
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
      // The service may not list the usage, and services use various statuses for that.
      const isNoNews = removed && status !== 403;
      if (id === undefined || another !== undefined || isNoNews) return;
      refused.add(id);
      if (!removed) refusedReports.add(id);
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

/** Whether a status says that the service doesn't have the usage. */
export function isAbsent(status: number): boolean {
  return status === 404 || status === 410;
}

/**
 * The status of a refusal that is about one usage, asset or folder. `undefined` for any other
 * failure. 403 counts, because credentials may see one asset and not the next. If nothing else was
 * accepted, the caller decides what a 403 means.
 */
export function refusedWith(
  error: unknown,
  {
    missing = [],
  }: {
    /** Further statuses for a missing call. */
    missing?: readonly number[];
  } = {},
): number | undefined {
  if (!(error instanceof ServiceError)) return undefined;
  const { code, status } = error;
  if (code === 'request-refused' || code === 'request-forbidden') return status ?? 0;
  return status !== undefined && missing.includes(status) ? status : undefined;
}
