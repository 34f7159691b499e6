import { type Finding, mediaAssetError } from '../errors.ts';
import type { Manifest } from '../scan/manifest.ts';
import type { MediaService } from '../service/media-service.ts';
import { type RefusedUsage, toLastRun, waitsSince } from './last-run.ts';
import { forgetUnsent, type Ledger, ledgerOfPairs, type PairSet } from './ledger.ts';
import { ledgerChunks } from './ledger-chunks.ts';
import { type LedgerIdentity, ownPages } from './ledger-identity.ts';
import { type LoadedLedger, loadLedger } from './load-ledger.ts';
import { moveWindow } from './move-window.ts';
import { type Plan, planUsage, type SiteFields } from './plan-usage.ts';
import { type PlannedStep, plannedSteps } from './planned-steps.ts';
import { reportCounts } from './report-counts.ts';
import { type ReportResult, reportResult } from './report-result.ts';
import { createRunLedger } from './run-ledger.ts';
import { sendStep } from './send-step.ts';
import type { Lease, StateStore } from './state-store.ts';
import { createUsageSender, type UsageSender } from './usage-sender.ts';

const unprovenReason =
  'The service answers that it does not have them, and has accepted nothing that would prove it is the right one.';

export interface ReportRun {
  readonly manifest: Manifest;
  readonly fields: SiteFields;
  readonly service: Pick<MediaService, 'usages'>;
  readonly store: StateStore;
  readonly identity: LedgerIdentity;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly allowRemovals: boolean;
  /**
   * Takes these pairs out, wanted or not, without regard to the guard, and leaves all others as they
   * are. By page URL.
   */
  readonly takeOut?: PairSet | undefined;
  /** Requests that may be in doubt when a run is killed. @default 100 */
  readonly windowSize?: number;
  /** @default 100 */
  readonly maxIdsPerRequest?: number;
  /** Requests under way at once. @default 4 */
  readonly concurrency?: number;
  /** How long something may stay unsent before a run fails, in ms. @default 7 days */
  readonly maxUnsent?: number;
  /** Whether a call to the service has succeeded in this run already. @default false */
  readonly serviceAnswered?: boolean;
  /** Counted in planned requests. */
  readonly onProgress?: (progress: { done: number; total: number }) => void;
  /**
   * Once aborted, by a person or by a time limit, nothing more is sent, no repetition either. A
   * request under way has a second to be answered; without an answer it is in doubt.
   */
  readonly signal?: AbortSignal;
}

/**
 * Makes the service list exactly what a manifest shows, and records it in the ledger. An unchanged
 * manifest sends no request and writes nothing; what is held is recorded once.
 *
 * @throws `scan-empty`; the `ledger-…` codes, before anything is sent (`ledger-unwritable`,
 * `ledger-busy`, `ledger-changed` and `lease-lost` also later); any error of the service that is
 * neither temporary nor about a single usage, after what was done has been recorded
 */
export async function reportUsage(run: ReportRun): Promise<ReportResult> {
  const { store, manifest } = run;
  const isOwn = ownPages(run.identity);
  const foreign = manifest.pages.find(({ page }) => !isOwn(page));
  if (foreign) {
    const expected = `${run.identity.site}${run.identity.base}`;
    throw mediaAssetError('ledger-foreign', { path: store.name, found: foreign.page, expected });
  }
  const loaded = await loadLedger(store, run.identity, { keepsBroken: true });
  const plan = planRun(run, loaded.ledger);
  if (plan.requests.length === 0 && isRecorded(plan, loaded.ledger)) {
    const { ledger, findings } = loaded;
    return reportResult(run, { plan, ledger, findings, requests: 0, reason: undefined });
  }
  const lease = await store.lock(run.signal);
  try {
    return await sendPlan(run, lease);
  } finally {
    await lease.release();
  }
}

function planRun(run: ReportRun, ledger: Ledger): Plan {
  const { manifest, fields, clock, allowRemovals, takeOut, maxIdsPerRequest = 100 } = run;
  const today = new Date(clock()).toISOString().slice(0, 10);
  const common = { fields, today, maxIdsPerRequest };
  if (!takeOut) return planUsage({ ...common, manifest, ledger, allowRemovals });
  return planUsage({
    ...common,
    manifest: { ...manifest, pages: manifest.pages.map((page) => ({ ...page, assets: [] })) },
    ledger: ledgerOfPairs(ledger, takeOut),
    allowRemovals: true,
  });
}

/** Whether the ledger says of a plan without requests all that there is to say. */
function isRecorded(plan: Plan, { unsentSince, lastRun }: Ledger): boolean {
  return unsentSince === undefined && (lastRun?.held ?? 0) === heldOf(plan);
}

function heldOf({ guard }: Plan): number {
  return guard.held ? guard.removals : 0;
}

async function sendPlan(run: ReportRun, lease: Lease): Promise<ReportResult> {
  const { store, service, clock, signal, windowSize = 100, concurrency = 4 } = run;
  // Read again: another run may have ended since.
  const loaded = await loadLedger(store, run.identity, { keepsBroken: true });
  const plan = planRun(run, loaded.ledger);
  const sender = createUsageSender({
    service,
    lease,
    accepted: run.serviceAnswered ?? false,
    signal,
  });
  const write = ledgerWriter(lease, loaded);
  const known = createRunLedger(loaded.ledger);
  const steps = plannedSteps(plan.requests);
  const notes = new Map<
    PlannedStep,
    { findings: readonly Finding[]; refused: readonly RefusedUsage[] }
  >();
  let done = 0;
  for (const some of steps) {
    await moveWindow({
      steps: some,
      windowSize,
      concurrency,
      ledger: known,
      save: () => write(known.snapshot()).catch(sender.loseLedger),
      async send(step) {
        const { changes, ...noted } = await sendStep(step, sender);
        known.answer(step, { changes, accepted: sender.accepted });
        notes.set(step, noted);
        done += step.length;
        if (!sender.stopped) run.onProgress?.({ done, total: plan.requests.length });
      },
      isStopped: () => sender.stopped,
    });
  }
  const told = steps.flat().flatMap((step) => notes.get(step) ?? []);
  const findings = [...loaded.findings, ...told.flatMap((noted) => noted.findings)];
  const refused = told.flatMap((noted) => noted.refused);
  let ledger = known.snapshot();
  const { requests, failure } = sender;
  const reason = sender.reason ?? (known.isUnproven ? unprovenReason : 'The service refuses them.');
  const { unremoved: _, ...counts } = reportCounts(plan.requests, ledger);
  const now = clock();
  const isUnsent = counts.unsent > 0;
  ledger = {
    ...forgetUnsent(ledger, run.manifest),
    unsentSince: isUnsent ? waitsSince(ledger.unsentSince, now) : undefined,
    lastRun: toLastRun({
      ...counts,
      now,
      requests,
      held: heldOf(plan),
      refused,
      reason: failure ? messageOf(failure.error) : isUnsent ? reason : undefined,
    }),
  };
  await saveLast(run, { write, ledger, sender });
  return reportResult(run, { plan, ledger, findings, requests, reason });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function ledgerWriter(lease: Lease, { tag, ledger }: LoadedLedger) {
  let current = tag;
  let { revision } = ledger;
  return async (next: Ledger): Promise<void> => {
    revision += 1;
    current = await lease.write(ledgerChunks({ ...next, revision }), current);
  };
}

/** @throws what stopped the run, if it is no matter of time */
async function saveLast(
  { store }: ReportRun,
  end: { write: (ledger: Ledger) => Promise<void>; ledger: Ledger; sender: UsageSender },
): Promise<void> {
  const { failure } = end.sender;
  // The run that has taken over goes by what it found: requests without an answer stay in doubt.
  if (failure?.ledgerLost) throw failure.error;
  try {
    await end.write(end.ledger);
  } catch (error) {
    if (!failure) throw error;
    const cause = new AggregateError([failure.error, error], String(failure.error));
    throw mediaAssetError('ledger-unwritable', { path: store.name }, { cause });
  }
  if (failure) throw failure.error;
}
