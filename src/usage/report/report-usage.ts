import pLimit from 'p-limit';
import { finding, mediaAssetError } from '../../errors/errors.ts';
import type { Manifest } from '../../scan/manifest.ts';
import type { MediaService } from '../../service/types.ts';
import { dayOf } from '../../storage/day.ts';
import { underLease } from '../../storage/lease.ts';
import { gapText } from '../ledger/gaps.ts';
import { datedRefusals, keptRefusals, pastTime, type RefusedUsage } from '../ledger/last-run.ts';
import { forgetUnsent, type Ledger, ledgerOfPairs, toRecord } from '../ledger/ledger.ts';
import { type LedgerIdentity, ownPages } from '../ledger/ledger-identity.ts';
import type { Lease, StateStore } from '../ledger/open-state-store.ts';
import { ledgerChunks, loadLedger } from '../ledger/stored-ledger.ts';
import { type PlannedStep, planUsage, requestsOf, type SiteFields } from '../plan/plan-usage.ts';
import {
  heldOf,
  type ReportResult,
  refusedFinding,
  reportCounts,
  reportResult,
} from './report-result.ts';
import { createRunLedger, type RunLedger, sendSteps } from './run-ledger.ts';
import { type StepResult, sendStep } from './send-step.ts';
import { createUsageSender } from './usage-sender.ts';

const unprovenReason =
  "The service doesn't know these usages, and accepted no request that would prove it's the right service.";

export interface ReportRun {
  readonly manifest: Manifest;
  readonly fields: SiteFields;
  readonly service: Pick<MediaService, 'folders' | 'usages'>;
  readonly store: StateStore;
  /** Reads the ledger. Default: as it's stored. */
  readonly load?: () => ReturnType<typeof loadLedger>;
  readonly identity: LedgerIdentity;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly allowRemovals: boolean;
  /** When the build of these pages started, ISO 8601 in UTC, if it's known. */
  readonly startedAt?: string | undefined;
  /** The random ID of that build. */
  readonly build?: string | undefined;
  /** Lets a build pass that is older than the one reported last. @default false */
  readonly rollback?: boolean | undefined;
  /** Removes only these pairs, even if they are shown, and ignores the guard. */
  readonly takeOut?: readonly { readonly page: string; readonly id: number }[] | undefined;
  /** Requests that may be in doubt when a run is killed. @default 100 */
  readonly windowSize?: number;
  /** @default 100 */
  readonly maxIdsPerRequest?: number | undefined;
  /** Requests under way at once. @default 8 */
  readonly concurrency?: number | undefined;
  /** Days that something may stay unsent or refused before a run fails. @default 7 */
  readonly maxUnsent?: number | undefined;
  /** `fail`: unsent usages are an error. @default 'warn' */
  readonly onError?: 'warn' | 'fail' | undefined;
  /** Whether a call to the service has succeeded in this run already. @default false */
  readonly serviceAnswered?: boolean | undefined;
  /** Counted in planned requests. */
  readonly onProgress?: (progress: { done: number; total: number }) => void;
  /**
   * Once aborted, nothing more is sent, not even a retry. A request that was sent has a second to be
   * answered, and is in doubt otherwise.
   */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes the service list exactly what a manifest shows, and records it in the ledger. An unchanged
 * manifest sends no request, and writes only the start of a newer build. Held removals are recorded
 * once. Throws an error of the service that is neither temporary nor about a single usage, after the
 * ledger has been written.
 */
export async function reportUsage(run: ReportRun): Promise<ReportResult> {
  const { store, manifest, identity } = run;
  const isOwn = ownPages(identity);
  const foreign = manifest.pages.find(({ page }) => !isOwn(page));
  if (foreign) {
    const expected = `${identity.site}${identity.base}`;
    throw mediaAssetError('ledger-foreign', { path: store.name, found: foreign.page, expected });
  }
  const planned = await planRun(run);
  if (planned.isRecorded && !planned.isNewer) return reportResult(run, planned);
  return underLease(store.lock(run.signal), (lease) => sendPlan(run, lease));
}

/**
 * The plan, and the ledger with the start of this run's build. Clocks differ by seconds from machine
 * to machine, so the newer of two builds that start together may be refused. `isRecorded`: the plan has
 * no requests, and the ledger already records its result. `isNewer`: the ledger gets the start of
 * another build.
 */
export async function planRun(run: Omit<ReportRun, 'service'>) {
  const { load = () => loadLedger(run.store, run.identity) } = run;
  const { ledger: known, tag } = await load();
  const now = run.clock();
  const isMissing = tag === undefined && !known.gap;
  const starts = [known.startedAt, run.startedAt];
  const [reported, own] = starts.map((at) => sureStart(at, now));
  const { build = known.build, rollback = false } = run;
  if (own && reported && Date.parse(own) < Date.parse(reported) && !rollback) {
    throw mediaAssetError('report-older-build', { startedAt: own, reported });
  }
  const findings = [
    ...(isMissing ? [finding('notice', 'ledger-missing', {})] : []),
    ...starts.flatMap((startedAt) =>
      startedAt && !sureStart(startedAt, now)
        ? finding('warning', 'clock-ahead', { startedAt, now: new Date(now).toISOString() })
        : [],
    ),
    ...(known.gap ? [finding('warning', 'ledger-gap', { gap: gapText(known.gap) })] : []),
  ];
  const startedAt = own ?? reported;
  const ledger = { ...known, startedAt, build };
  const { manifest, fields, allowRemovals, takeOut, maxIdsPerRequest = 100 } = run;
  const today = dayOf(now);
  const plan = planUsage({
    ...{ fields, today, maxIdsPerRequest },
    allowRemovals: allowRemovals || takeOut !== undefined,
    manifest: takeOut
      ? { ...manifest, pages: manifest.pages.map((page) => ({ ...page, assets: [] })) }
      : manifest,
    ledger: takeOut ? ledgerOfPairs(ledger, takeOut) : ledger,
  });
  const { unsent = 0, held = 0 } = ledger.lastRun ?? {};
  const isRecorded =
    plan.steps.length === 0 &&
    ledger.unsentSince === undefined &&
    unsent === 0 &&
    held === heldOf(plan);
  const isNewer = startedAt !== known.startedAt || build !== known.build;
  return { tag, findings, ledger, plan, isRecorded, isNewer };
}

/** A build's start, unless it's in the future: then the clock of its machine was wrong. */
export const sureStart = (startedAt: string | undefined, now: number) =>
  startedAt && pastTime(startedAt, now) === startedAt ? startedAt : undefined;

async function sendPlan(run: ReportRun, lease: Lease): Promise<ReportResult> {
  const { service, clock, signal, serviceAnswered } = run;
  // Read again: another run may have ended since.
  const planned = await planRun(run);
  const { plan } = planned;
  const oneWrite = pLimit(1);
  let { tag } = planned;
  const write = (next: Ledger) =>
    oneWrite(async () => {
      tag = await lease.write(ledgerChunks(next), tag);
    });
  if (planned.isRecorded) {
    // Also fails a run that another one has overtaken.
    await write(planned.ledger);
    return reportResult(run, planned);
  }
  const { refusedAssets } = planned.ledger.lastRun ?? {};
  const sender = createUsageSender({ service, lease, serviceAnswered, refusedAssets, signal });
  const runLedger = createRunLedger(planned.ledger);
  const save = () => write(runLedger.snapshot()).catch(sender.loseLedger);
  const total = requestsOf(plan.steps).length;
  const refusals = new Map<PlannedStep, StepResult['refused']>();
  const absent: StepResult['absent'][number][] = [];
  /** A service that refuses an asset's reports too may only hide it, and still list its usages. */
  const hidden = () => absent.filter(({ refused }) => sender.refusesReportsOf(refused.id));
  let done = 0;
  // One purpose after the other.
  for (const steps of Map.groupBy(plan.steps, ({ purpose }) => purpose).values()) {
    await sendSteps({
      steps,
      windowSize: run.windowSize ?? 100,
      concurrency: run.concurrency ?? 8,
      ledger: runLedger,
      save,
      async send(step) {
        const { changes, ...result } = await sendStep(step.requests, {
          sender,
          ledger: runLedger,
          beforeRepeat(usage) {
            runLedger.change([toRecord(usage, 'unremoved')]);
            return save();
          },
        });
        runLedger.answer(step, { changes, isProven: sender.isProven() });
        absent.push(...result.absent);
        runLedger.change(hidden().map(({ doubt }) => doubt));
        refusals.set(step, result.refused);
        done += step.requests.length;
        if (!sender.isStopped()) run.onProgress?.({ done, total });
      },
      isStopped: sender.isStopped,
    });
  }
  const proofError = await sender.end({ needsProof: runLedger.isUnproven() });
  if (sender.isProven()) runLedger.prove();
  const now = clock();
  const refused = datedRefusals(
    [
      ...plan.steps.flatMap((step) => refusals.get(step) ?? []),
      ...hidden().map((one) => one.refused),
    ],
    { lastRun: planned.ledger.lastRun, now },
  );
  const findings = [...planned.findings, ...refused.map(refusedFinding)];
  const [requests, failure] = [sender.requests(), sender.failure()];
  const reason = sender.reason() ?? unsentReason(runLedger, { refused, proofError });
  const sent = runLedger.snapshot();
  const counts = reportCounts(plan.steps, { ledger: sent, refused });
  const { reported, removed, unsent, waiting } = counts;
  const ledger: Ledger = {
    ...forgetUnsent(sent, run.manifest),
    unsentSince: waiting > 0 ? pastTime(sent.unsentSince, now) : undefined,
    lastRun: {
      at: new Date(now).toISOString(),
      ...{ reported, removed, requests, unsent, held: heldOf(plan) },
      reason: failure ? messageOf(failure.error) : unsent > 0 ? reason : undefined,
      ...keptRefusals(refused),
      refusedAssets: sender.refusedAssets(),
    },
  };
  // A run that has taken over works from the stored ledger, where these requests are in doubt.
  if (!failure?.ledgerLost) {
    await write(ledger).catch((error: unknown) => {
      throw failure?.error ?? error;
    });
  }
  if (failure) throw failure.error;
  return reportResult(run, { plan, ledger, findings, counts, refused, requests, reason });
}

function unsentReason(
  { isUnproven }: RunLedger,
  { refused, proofError }: { refused: readonly RefusedUsage[]; proofError: unknown },
): string {
  const [first] = refused;
  if (!isUnproven() && first) return refusedFinding(first).message;
  return proofError === undefined ? unprovenReason : `${unprovenReason} ${messageOf(proofError)}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
