import { ServiceError } from '../../service/service-error.ts';
import type { MediaService, Usage } from '../../service/types.ts';
import type { Lease } from '../ledger/state-store.ts';
import { createRefusalJudge, type RefusalJudge, refusedWith } from './refusal-judge.ts';

/** Failures in a row after which a service counts as down, for reports and for removals. */
const failuresInRow = 3;

/**
 * How a request ended. `failed`: with an answer such as 429 or 500, which a retry may fix.
 * `unsent`: without an answer. `mayHaveActed`: the service may have carried it out all the same.
 */
export type UsageAnswer =
  | { readonly kind: 'done'; readonly mayHaveActed: true }
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** The service's answer, which can be empty. */
      readonly text: string;
      readonly mayHaveActed: boolean;
    }
  | { readonly kind: 'failed'; readonly mayHaveActed: boolean }
  | { readonly kind: 'unsent'; readonly mayHaveActed: boolean };

/** Sends the usage requests of one run, until something stops it. */
export interface UsageSender {
  /**
   * Never throws. Sends nothing once it has been stopped. Once removals have failed several times in
   * a row, sends only removals that a report waits for.
   */
  send(usage: Usage, options?: { reportFollows: boolean }): Promise<UsageAnswer>;
  readonly requests: number;
  /** Whether the service has accepted anything in this run. */
  readonly accepted: boolean;
  readonly refusals: Pick<
    RefusalJudge,
    'hasAccepted' | 'isForbidden' | 'refusedAssets' | 'refusesReportsOf'
  >;
  readonly stopped: boolean;
  /** Why something is unsent, as a sentence. */
  readonly reason: string | undefined;
  /**
   * An error that no further request fixes. `ledgerLost`: another run has taken over, or the ledger
   * couldn't be written.
   */
  readonly failure: { readonly error: unknown; readonly ledgerLost: boolean } | undefined;
  /** Stops the run because the ledger couldn't be written. */
  loseLedger(error: unknown): void;
  /** Call it after the last request. Refusals may fail the run: see `lastFailure` of `RefusalJudge`. */
  end(result: { isProven: boolean }): void;
}

export function createUsageSender({
  service,
  lease,
  accepted,
  refusedAssets = [],
  signal,
}: {
  service: Pick<MediaService, 'usages'>;
  lease: Lease;
  accepted: boolean;
  /** From earlier runs. */
  refusedAssets?: readonly number[] | undefined;
  signal: AbortSignal | undefined;
}): UsageSender {
  const state = {
    requests: 0,
    accepted,
    reason: undefined as string | undefined,
    failure: undefined as UsageSender['failure'],
  };
  const refusals = createRefusalJudge(new Set(refusedAssets));
  /** In a row. An accepted removal says nothing about reports, and the other way round. */
  const failures = { reports: 0, removals: 0 };
  let failedRemovals = 0;
  const isStopped = () =>
    state.failure !== undefined ||
    Math.max(failures.reports, failures.removals) >= failuresInRow ||
    Boolean(signal?.aborted);

  function fail(error: unknown): void {
    state.failure ??= { error, ledgerLost: false };
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
      const text = answerText(error);
      refusals.refuse({ usage, status, text, error });
      if (refusals.failure) fail(refusals.failure);
      return { kind: 'refused', status, text, mayHaveActed };
    }
    if (error.temporary) {
      const kind = error.status === undefined ? 'unsent' : 'failed';
      if (usage.removed && kind === 'failed') failedRemovals += 1;
      else failures[usage.removed ? 'removals' : 'reports'] += 1;
      state.reason = error.message;
      return { kind, mayHaveActed };
    }
    fail(error);
    return { kind: 'unsent', mayHaveActed };
  }

  function succeed({ removed }: Usage): void {
    failures[removed ? 'removals' : 'reports'] = 0;
    if (removed) failedRemovals = 0;
  }

  /** Called for each attempt, because the wait before a retry can outlast the lease. */
  async function renew(): Promise<void> {
    try {
      await lease.renew();
    } catch (error) {
      state.failure ??= { error, ledgerLost: true };
      throw error;
    }
  }

  return {
    get requests() {
      return state.requests;
    },
    get accepted() {
      return state.accepted;
    },
    refusals,
    get stopped() {
      return isStopped();
    },
    get reason() {
      if (!signal?.aborted) return state.reason;
      return isTimeout(signal.reason)
        ? 'The time limit of the run was reached.'
        : 'The run was interrupted.';
    },
    get failure() {
      return state.failure;
    },
    loseLedger(error) {
      state.failure ??= { error, ledgerLost: true };
    },
    end(service) {
      const error = isStopped() ? undefined : refusals.lastFailure(service);
      if (error) fail(error);
    },
    async send(usage, { reportFollows } = { reportFollows: false }) {
      const isPointless = usage.removed && !reportFollows && failedRemovals >= failuresInRow;
      if (isStopped() || isPointless) return { kind: 'unsent', mayHaveActed: false };
      let sent = false;
      const beforeAttempt = async () => {
        await renew();
        // Another request may have stopped the run meanwhile.
        if (!sent && isStopped()) throw new Error('The run has been stopped.');
        if (!sent) state.requests += 1;
        sent = true;
      };
      try {
        await service.usages.report(usage, { signal, beforeAttempt });
      } catch (error) {
        if (!sent && !(error instanceof ServiceError) && isStopped()) {
          return { kind: 'unsent', mayHaveActed: false };
        }
        return readFailure(error, usage);
      }
      succeed(usage);
      state.accepted = true;
      refusals.accept(usage);
      return { kind: 'done', mayHaveActed: true };
    },
  };
}

/** Whether a signal was aborted by time (`AbortSignal.timeout`). */
function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

/** The service's own words at the end of the error's message. */
function answerText({ message, status }: ServiceError): string {
  const start = status === 403 ? ' (403): ' : ` with ${status}: `;
  const at = message.lastIndexOf(start);
  return at < 0 ? '' : message.slice(at + start.length).replace(/\.$/, '');
}
