import { mediaAssetError } from '../../errors/errors.ts';
import type { Usage } from '../../service/requests.ts';
import { ServiceError } from '../../service/service-error.ts';
import type { MediaService } from '../../service/types.ts';
import type { Lease } from '../ledger/open-state-store.ts';

/** Failures in a row after which a service counts as down, for reports and for removals. */
const failuresInRow = 3;

/** A service that accepts no report and refuses this many assets counts as refusing everything. */
const mostAssets = 50;

/** The same for usages, if the assets are on many pages. */
const mostUsages = 200;

/**
 * How a request ended. `failed`: with an answer such as 429 or 500, which a retry may fix.
 * `unsent`: without an answer. `mayHaveActed`: the service may have carried it out all the same.
 * `idle`: unsent, because the service closed an idle connection. The next request gets a new one.
 */
export type UsageAnswer =
  | { readonly kind: 'done' | 'failed' | 'unsent' | 'idle'; readonly mayHaveActed: boolean }
  | RefusedAnswer;

export interface RefusedAnswer {
  readonly kind: 'refused';
  readonly mayHaveActed: boolean;
  readonly status: number;
  readonly error: ServiceError;
}

export type UsageSender = ReturnType<typeof createUsageSender>;

/**
 * Sends the usage requests of one run, until something stops it. Tells a service that refuses single
 * assets from one that accepts no usages. Accepted removals prove nothing about reports, because
 * credentials can have one right and not the other.
 */
export function createUsageSender(run: {
  service: Pick<MediaService, 'folders' | 'usages'>;
  lease: Lease;
  serviceAnswered?: boolean | undefined;
  refusedAssets?: readonly number[] | undefined;
  signal: AbortSignal | undefined;
}) {
  const { service, lease, serviceAnswered = false, refusedAssets = [], signal } = run;
  let requests = 0;
  let hasAccepted = false;
  /** Whether the service is the right one. A wrong address may answer removals with 404 too. */
  let isProven = serviceAnswered;
  let reason: string | undefined;
  let failure: { readonly error: unknown; readonly ledgerLost: boolean } | undefined;
  /** In a row. An accepted removal says nothing about reports, and the other way round. */
  const failures = { reports: 0, removals: 0 };
  let failedRemovals = 0;
  const known = new Set(refusedAssets);
  const reported = new Set<number>();
  const refused = new Set<number>();
  const refusedReports = new Set<number>();
  /** The first 403 of each kind. */
  const forbidden: { toReport?: ServiceError; toRemove?: ServiceError } = {};
  /** Refusals that may mean that the service accepts no reports. */
  const suspicious = { assets: new Set<number>(), usages: 0 };

  const isStopped = () =>
    failure !== undefined ||
    Math.max(failures.reports, failures.removals) >= failuresInRow ||
    Boolean(signal?.aborted);

  function fail(error: unknown, ledgerLost = false): void {
    failure ??= { error, ledgerLost };
  }

  function readFailure(error: unknown, usage: Usage): UsageAnswer {
    if (!(error instanceof ServiceError)) {
      fail(error);
      return { kind: 'unsent', mayHaveActed: true };
    }
    // An interrupted removal may have had an answer that doesn't count, such as 429.
    const mayHaveActed =
      error.effect === 'unknown' || (usage.removed && error.code === 'call-ended');
    const status = refusedWith(error);
    if (status !== undefined) {
      succeed(usage);
      noteRefusal(usage, status, error);
      return { kind: 'refused', status, error, mayHaveActed };
    }
    if (error.wasIdle && !usage.removed) {
      reason = error.message;
      return { kind: 'idle', mayHaveActed };
    }
    if (error.temporary) {
      const kind = error.status === undefined ? 'unsent' : 'failed';
      if (usage.removed && kind === 'failed') failedRemovals += 1;
      else failures[usage.removed ? 'removals' : 'reports'] += 1;
      reason = error.message;
      return { kind, mayHaveActed };
    }
    fail(error);
    return { kind: 'unsent', mayHaveActed };
  }

  function succeed({ removed }: Usage): void {
    failures[removed ? 'removals' : 'reports'] = 0;
    if (removed) failedRemovals = 0;
  }

  /** Ends the run early once so many refusals mean that the service accepts nothing. */
  function noteRefusal({ removed, ids }: Usage, status: number, error: ServiceError): void {
    const [id, another] = ids;
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
    const details = { refused: suspicious.usages, status, answer: error.answer };
    fail(forbidden.toReport ?? mediaAssetError('usages-refused', details));
  }

  /** Called before each attempt of a request, because a wait can outlast the lease. */
  async function renew(): Promise<void> {
    try {
      await lease.renew();
    } catch (error) {
      fail(error, true);
      throw error;
    }
  }

  return {
    requests: () => requests,
    /** Whether the service has accepted a usage, or the removal of one. */
    hasAccepted: () => hasAccepted,
    isProven: () => isProven,
    isStopped,
    /** Why something is unsent, as a sentence. */
    reason: () => (signal?.aborted ? 'The run was interrupted.' : reason),
    /** An error that no request fixes. `ledgerLost`: another run took over, or writing failed. */
    failure: () => failure,
    /**
     * Assets, in ascending order, that the service has refused in this run or an earlier one while it
     * accepted reports of others. Their refusals say nothing about the service. `undefined` for none.
     */
    refusedAssets() {
      const all = [...new Set([...known, ...(reported.size > 0 ? refused : [])])];
      const ids = all.filter((id) => refused.has(id) || !reported.has(id)).sort((a, b) => a - b);
      return ids.length > 0 ? ids : undefined;
    },
    /** Whether the service has refused reports of an asset in this run, and accepted none. */
    refusesReportsOf: (id: number) => refusedReports.has(id) && !reported.has(id),
    /** Stops the run because the ledger couldn't be written. */
    loseLedger: (error: unknown) => fail(error, true),
    /**
     * Call it after the last request. If a 403 or `needsProof` asks whether the service is the right one,
     * makes a call that only that one answers. Returns why it failed. A 403 to a report fails the run
     * if no report was accepted: the credentials may lack the right to report. A 403 to a removal fails
     * it unless the service is proven.
     */
    async end({ needsProof }: { needsProof: boolean }): Promise<unknown> {
      let problem: unknown;
      const isAsked = needsProof || (forbidden.toReport ?? forbidden.toRemove) !== undefined;
      if (isAsked && !isProven && !isStopped()) {
        try {
          await renew();
          await service.folders.tree({ signal });
          isProven = true;
        } catch (error) {
          problem = error;
        }
      }
      if (isStopped()) return problem;
      const toReport = reported.size === 0 ? forbidden.toReport : undefined;
      const error = toReport ?? (isProven ? undefined : forbidden.toRemove);
      if (error) fail(error);
      return problem;
    },
    /**
     * Never throws. Sends nothing once it has been stopped. Once removals have failed several times in
     * a row, sends only removals that a report waits for.
     */
    async send(usage: Usage, { reportFollows = false } = {}): Promise<UsageAnswer> {
      const isPointless = usage.removed && !reportFollows && failedRemovals >= failuresInRow;
      if (isStopped() || isPointless) return { kind: 'unsent', mayHaveActed: false };
      let [sent, isLate] = [false, false];
      const beforeAttempt = async () => {
        await renew();
        // Other requests may have stopped the run meanwhile, and one may let it go on before this one ends.
        isLate = !sent && isStopped();
        if (isLate) throw new Error('The run has been stopped.');
        if (!sent) requests += 1;
        sent = true;
      };
      try {
        await service.usages.report(usage, { signal, beforeAttempt });
      } catch (error) {
        if (isLate || (!sent && isStopped())) return { kind: 'unsent', mayHaveActed: false };
        return readFailure(error, usage);
      }
      succeed(usage);
      hasAccepted = true;
      isProven = true;
      if (!usage.removed) for (const id of usage.ids) reported.add(id);
      return { kind: 'done', mayHaveActed: true };
    },
  };
}

/**
 * The status of a refusal that is about one usage, asset or folder. `undefined` for any other
 * failure. 403 counts, because credentials may see one asset and not the next. If nothing else was
 * accepted, the caller decides what a 403 means.
 */
export function refusedWith(error: unknown): number | undefined {
  if (!(error instanceof ServiceError)) return undefined;
  const { code, status = 0 } = error;
  return code === 'request-refused' || code === 'request-forbidden' ? status : undefined;
}
