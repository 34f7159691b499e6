import pLimit from 'p-limit';
import { mediaAssetError } from '../../errors/errors.ts';
import type { Manifest } from '../../scan/manifest.ts';
import type { MediaService } from '../../service/types.ts';
import { datedRefusals, type RefusedUsage, toLastRun, unsentSince } from '../ledger/last-run.ts';
import {
  forgetUnsent,
  type Ledger,
  ledgerOfPairs,
  type PairSet,
  toSentFields,
} from '../ledger/ledger.ts';
import { type LedgerIdentity, ownPages } from '../ledger/ledger-identity.ts';
import { ledgerChunks } from '../ledger/ledger-json.ts';
import { type LoadedLedger, loadLedger } from '../ledger/load-ledger.ts';
import type { Lease, StateStore } from '../ledger/state-store.ts';
import {
  type Plan,
  type PlannedStep,
  planUsage,
  requestsOf,
  type SiteFields,
} from '../plan/plan-usage.ts';
import {
  type ReportResult,
  refusalText,
  refusedFindings,
  reportCounts,
  reportResult,
} from './report-result.ts';
import { createRunLedger, type RunLedger } from './run-ledger.ts';
import { type StepResult, sendStep } from './send-step.ts';
import { sendSteps } from './send-steps.ts';
import { createUsageSender, type UsageSender } from './usage-sender.ts';

const unprovenReason =
  "The service doesn't know these usages, and accepted no request that would prove it's the right service.";

export interface ReportRun {
  readonly manifest: Manifest;
  readonly fields: SiteFields;
  readonly service: Pick<MediaService, 'usages'>;
  readonly store: StateStore;
  readonly identity: LedgerIdentity;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly allowRemovals: boolean;
  /** When the build of these pages started, ISO 8601 in UTC, if it's known. */
  readonly startedAt?: string | undefined;
  /** Lets a build pass that is older than the one reported last. @default false */
  readonly rollback?: boolean | undefined;
  /**
   * Removes only these pairs, even if they are shown, and ignores the guard. By page URL.
   */
  readonly takeOut?: PairSet | undefined;
  /** Requests that may be in doubt when a run is killed. @default 100 */
  readonly windowSize?: number;
  /** @default 100 */
  readonly maxIdsPerRequest?: number;
  /** Requests under way at once. @default 4 */
  readonly concurrency?: number;
  /** How long something may stay unsent or refused before a run fails, in ms. @default 7 days */
  readonly maxUnsent?: number;
  /** `fail`: unsent usages are an error. @default 'warn' */
  readonly onError?: 'warn' | 'fail';
  /** Whether a call to the service has succeeded in this run already. @default false */
  readonly serviceAnswered?: boolean;
  /**
   * A call that only the right service answers. Made once, at the end of a run whose removals all
   * found nothing, because a wrong address would answer the same.
   */
  readonly prove?: (signal: AbortSignal | undefined) => Promise<unknown>;
  /** Counted in planned requests. */
  readonly onProgress?: (progress: { done: number; total: number }) => void;
  /**
   * Once aborted, by a person or a time limit, nothing more is sent, not even a retry. A request
   * that was sent has a second to be answered, and is in doubt otherwise.
   */
  readonly signal?: AbortSignal;
}

/**
 * Makes the service list exactly what a manifest shows, and records it in the ledger. An unchanged
 * manifest sends no request, and writes only the start of a newer build. Held removals are recorded
 * once.
 *
 * @throws `scan-empty`; `report-older-build`; the `ledger-…` codes before anything is sent
 * (`ledger-unwritable`, `ledger-busy` and `ledger-lost` also later); an error of the service that is
 * neither temporary nor about a single usage, after the ledger has been written
 */
export async function reportUsage(run: ReportRun): Promise<ReportResult> {
  const { store, manifest } = run;
  const isOwn = ownPages(run.identity);
  const foreign = manifest.pages.find(({ page }) => !isOwn(page));
  if (foreign) {
    const expected = `${run.identity.site}${run.identity.base}`;
    throw mediaAssetError('ledger-foreign', { path: store.name, found: foreign.page, expected });
  }
  const loaded = await loadRunLedger(run);
  const plan = planRun(run, loaded.ledger);
  const isSame = loaded.ledger.startedAt === loaded.reported;
  if (isSame && isRecorded(plan, loaded.ledger)) return unchangedResult(run, plan, loaded);
  const lease = await store.lock(run.signal);
  try {
    return await sendPlan(run, lease);
  } finally {
    await lease.release();
  }
}

/**
 * The ledger with the start of this run's build. `reported` is the stored one. Clocks differ by
 * seconds from machine to machine, so the newer of two builds that start together may be refused.
 *
 * @throws as `loadLedger` does; `report-older-build`
 */
async function loadRunLedger({
  store,
  identity,
  ...run
}: ReportRun): Promise<LoadedLedger & { readonly reported: string | undefined }> {
  const loaded = await loadLedger(store, identity);
  const { startedAt: reported } = loaded.ledger;
  const { startedAt = reported, rollback = false } = run;
  if (startedAt && reported && Date.parse(startedAt) < Date.parse(reported) && !rollback) {
    throw mediaAssetError('report-older-build', { startedAt, reported });
  }
  return { ...loaded, ledger: { ...loaded.ledger, startedAt }, reported };
}

function unchangedResult(
  run: ReportRun,
  plan: Plan,
  { ledger, findings }: LoadedLedger,
): ReportResult {
  const nothing = { refused: [], requests: 0, reason: undefined };
  return reportResult(run, { plan, ledger, findings, ...nothing });
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

/** Whether a plan has no requests, and the ledger already records its result. */
function isRecorded(plan: Plan, { unsentSince, lastRun }: Ledger): boolean {
  const { unsent = 0, held = 0 } = lastRun ?? {};
  return (
    plan.steps.length === 0 && unsentSince === undefined && unsent === 0 && held === heldOf(plan)
  );
}

function heldOf({ guard }: Plan): number {
  return guard.held ? guard.removals : 0;
}

async function sendPlan(run: ReportRun, lease: Lease): Promise<ReportResult> {
  const { service, clock, signal, windowSize = 100, concurrency = 4 } = run;
  // Read again: another run may have ended since.
  const loaded = await loadRunLedger(run);
  const plan = planRun(run, loaded.ledger);
  const write = ledgerWriter(lease, loaded);
  if (isRecorded(plan, loaded.ledger)) {
    // Also fails a run that another one has overtaken.
    await write(loaded.ledger);
    return unchangedResult(run, plan, loaded);
  }
  const sender = createUsageSender({
    service,
    lease,
    accepted: run.serviceAnswered ?? false,
    refusedAssets: loaded.ledger.lastRun?.refusedAssets,
    signal,
  });
  const save = () => write(known.snapshot()).catch(sender.loseLedger);
  const known = createRunLedger(loaded.ledger);
  const total = requestsOf(plan.steps).length;
  const refusals = new Map<PlannedStep, readonly RefusedUsage[]>();
  const absent: StepResult['absent'][number][] = [];
  /** A service that refuses an asset's reports too may only hide it, and still list its usages. */
  const hidden = () => absent.filter(({ refused }) => sender.refusals.refusesReportsOf(refused.id));
  let done = 0;
  // One purpose after the other.
  for (const steps of Map.groupBy(plan.steps, ({ purpose }) => purpose).values()) {
    await sendSteps({
      steps,
      windowSize,
      concurrency,
      ledger: known,
      save,
      async send(step) {
        const { refused, ...result } = await sendStep(step.requests, {
          sender,
          ledger: known,
          beforeRepeat({ page, ids, ...sent }) {
            const fields = toSentFields(sent);
            known.change([{ page, ids, fields, state: 'unremoved', proven: true }]);
            return save();
          },
        });
        known.answer(step, { ...result, accepted: sender.accepted });
        absent.push(...result.absent);
        known.change(hidden().map(({ doubt }) => doubt));
        refusals.set(step, refused);
        done += step.requests.length;
        if (!sender.stopped) run.onProgress?.({ done, total });
      },
      isStopped: () => sender.stopped,
    });
  }
  const proofError = await settle(run, { known, sender });
  const now = clock();
  const refused = datedRefusals(
    [
      ...plan.steps.flatMap((step) => refusals.get(step) ?? []),
      ...hidden().map((one) => one.refused),
    ],
    { lastRun: loaded.ledger.lastRun, now },
  );
  const findings = [...loaded.findings, ...refusedFindings(refused)];
  let ledger = known.snapshot();
  const { requests, failure } = sender;
  const reason = sender.reason ?? unsentReason(known, { refused, proofError });
  const { reported, removed, unsent, waiting } = reportCounts(plan.steps, { ledger, refused });
  ledger = {
    ...forgetUnsent(ledger, run.manifest),
    unsentSince: waiting > 0 ? unsentSince(ledger.unsentSince, now) : undefined,
    lastRun: toLastRun({
      now,
      reported,
      removed,
      requests,
      unsent,
      held: heldOf(plan),
      refused,
      refusedAssets: sender.refusals.refusedAssets,
      reason: failure ? messageOf(failure.error) : unsent > 0 ? reason : undefined,
    }),
  };
  await saveLast(run, { write, ledger, sender });
  return reportResult(run, { plan, ledger, findings, refused, requests, reason });
}

/** Applies changes that wait for a proof of the right service. Returns why the proof failed. */
async function settle(
  { prove, signal }: ReportRun,
  { known, sender }: { known: RunLedger; sender: UsageSender },
): Promise<unknown> {
  let isProven = sender.accepted;
  let proofError: unknown;
  if (prove && !isProven && !sender.stopped && (known.isUnproven || sender.refusals.isForbidden)) {
    try {
      await prove(signal);
      isProven = true;
    } catch (error) {
      proofError = error;
    }
  }
  if (isProven) known.prove();
  sender.end({ isProven });
  return proofError;
}

function unsentReason(
  { isUnproven }: RunLedger,
  { refused, proofError }: { refused: readonly RefusedUsage[]; proofError: unknown },
): string {
  const [first] = refused;
  if (!isUnproven && first) return refusalText(first);
  return proofError === undefined ? unprovenReason : `${unprovenReason} ${messageOf(proofError)}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Writes one ledger at a time. */
function ledgerWriter(lease: Lease, { tag }: LoadedLedger) {
  const limit = pLimit(1);
  let current = tag;
  return (next: Ledger): Promise<void> =>
    limit(async () => {
      current = await lease.write(ledgerChunks(next), current);
    });
}

/** @throws what stopped the run, unless it's temporary */
async function saveLast(
  { store }: ReportRun,
  end: { write: (ledger: Ledger) => Promise<void>; ledger: Ledger; sender: UsageSender },
): Promise<void> {
  const { failure } = end.sender;
  // The run that has taken over works from the stored ledger, where these requests are in doubt.
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
