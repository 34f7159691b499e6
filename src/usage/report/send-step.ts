import type { Usage } from '../../service/requests.ts';
import type { RefusedUsage } from '../ledger/last-run.ts';
import {
  type ChangedRecord,
  equalFields,
  type LedgerRecord,
  type RecordState,
  toRecord,
} from '../ledger/ledger.ts';
import type { RunLedger } from './run-ledger.ts';
import type { RefusedAnswer, UsageAnswer, UsageSender } from './usage-sender.ts';

type Refusal = Omit<RefusedUsage, 'since'>;

export type StepResult = Awaited<ReturnType<typeof sendStep>>;

/** Removals start with the variant that the service lists for certain. */
const removalOrder: readonly RecordState[] = ['confirmed', 'in-doubt', 'unremoved'];

/**
 * Sends the requests of one step, one after the other: removals, then reports. Returns `changes`, to apply
 * in this order to the ledger as it was before the step.
 *
 * - Any answer to a removal lets the report follow, because a duplicate is better than a gap. Only a
 *   removal without an answer keeps its report back.
 * - After an error, no other removal is sent for the asset, and a usage that the service lists isn't
 *   reported again. So there is one duplicate at most, and one request in each further run.
 * - A request that is refused for several assets is sent again for half of them, down to single
 *   ones. Its reports come after removals, because the service may have carried out a part.
 */
export async function sendStep(
  requests: readonly Usage[],
  {
    sender,
    ledger,
    beforeRepeat,
  }: {
    sender: Pick<UsageSender, 'send' | 'hasAccepted'>;
    ledger: Pick<RunLedger, 'stateOf'>;
    /** Stores that the service may list these usages twice from now on. Never throws. */
    beforeRepeat: (usage: Usage) => Promise<void>;
  },
) {
  const changes: ChangedRecord[] = [];
  const reports = requests.filter(({ removed }) => !removed);
  const isReported = (usage: Usage) => reports.some((report) => equalFields(report, usage));
  const removals = requests
    .filter(({ removed }) => removed)
    .sort((a, b) => Number(isReported(a)) - Number(isReported(b)));
  const refused = new Map<number, Refusal>();
  const removed = new Set<number>();
  const unanswered = new Set<number>();
  /**
   * By asset, removals that were answered with an error. `mayBeGone`: the service may or may not list
   * the usage, so the asset is reported, and the usage may be listed twice.
   */
  const kept = new Map<number, { readonly usage: Usage; readonly mayBeGone: boolean }[]>();
  const reported = new Set<number>();
  /** Removals of known usages that were answered as if the service didn't list them. */
  const absent: { readonly refused: Refusal; readonly doubt: LedgerRecord }[] = [];

  const { stateOf } = ledger;
  const isListed = (usage: Usage, id: number) =>
    ['confirmed', 'unremoved'].includes(stateOf(usage, id) ?? '');
  const mayBeGone = (id: number) => kept.get(id)?.some((one) => one.mayBeGone) ?? false;
  const hasVariants = (id: number) => removals.filter(({ ids }) => ids.includes(id)).length > 1;
  const awaitsReport = (id: number) =>
    reports.some((report) => report.ids.includes(id) && !isListed(report, id));

  function note(usage: Usage, state: ChangedRecord['state']): void {
    changes.push(toRecord(usage, state));
  }

  function refusalOf({ page, removed }: Usage, id: number, answer: RefusedAnswer): Refusal {
    return { page, id, removed, status: answer.status, text: answer.text };
  }

  function keep(usage: Usage, mayBeGone: boolean): void {
    for (const id of usage.ids) kept.set(id, [...(kept.get(id) ?? []), { usage, mayBeGone }]);
  }

  /** `refusedWith`: the status of a refused removal that these usages were a part of. */
  async function remove(
    usage: Usage,
    { isInDoubt = false, refusedWith }: { isInDoubt?: boolean; refusedWith?: number } = {},
  ): Promise<void> {
    const { ids } = usage;
    if (ids.length === 0) return;
    const reportFollows = isInDoubt || ids.some(awaitsReport);
    const answer = await sender.send({ ...usage, removed: true }, { reportFollows });
    if (answer.kind === 'done') {
      note(usage, 'removed');
      // It may have removed another variant, so this one is in doubt until the others are answered.
      note(only(usage, hasVariants), 'in-doubt');
      for (const id of ids) removed.add(id);
      return;
    }
    if (answer.mayHaveActed || answer.kind === 'failed') note(usage, 'in-doubt');
    if (answer.kind === 'unsent') {
      for (const id of ids) unanswered.add(id);
      return;
    }
    if (answer.kind !== 'refused') {
      keep(usage, true);
      return;
    }
    const { mayHaveActed, status } = answer;
    const isDoubted = isInDoubt || (refusedWith ?? status) !== status;
    if (ids.length === 1) return removeRefused(usage, answer, isDoubted);
    note(usage, 'in-doubt');
    const known = { isInDoubt: isDoubted || mayHaveActed, refusedWith: status };
    for (const part of parts(usage, sender)) await remove(part, known);
  }

  /** For a removal of one asset. */
  function removeRefused(usage: Usage, answer: RefusedAnswer, isInDoubt: boolean): void {
    const [id = 0] = usage.ids;
    const known = stateOf(usage, id);
    // Also after a removal under other fields: it may have matched the page alone.
    const isDoubted = isInDoubt || removed.has(id) || known !== 'confirmed';
    const refusal = refusalOf({ ...usage, removed: true }, id, answer);
    if (saysAbsent(answer.status, isDoubted)) {
      note(usage, 'absent');
      if (known) absent.push({ refused: refusal, doubt: toRecord(usage, 'in-doubt') });
      const isGone = !reports.some(({ ids }) => ids.includes(id));
      if (isGone && !isAbsent(answer.status)) refused.set(id, refusal);
      return;
    }
    if (!isDoubted && !answer.mayHaveActed) note(usage, 'confirmed');
    const wasInDoubt = !removed.has(id) && (known === 'in-doubt' || known === 'unremoved');
    keep(usage, answer.mayHaveActed || wasInDoubt);
    refused.set(id, refusal);
  }

  /** Reports the assets whose removals allow it. `isInDoubt`: a part may have been reported already. */
  async function reportAllowed(request: Usage, isInDoubt: boolean): Promise<void> {
    const stands = (id: number) => kept.has(id) && !removed.has(id) && isListed(request, id);
    const mayRepeat = (id: number) =>
      mayBeGone(id) && (isInDoubt || (stateOf(request, id) ?? 'unsent') !== 'unsent');
    const standing = only(request, (id) => stands(id) && mayBeGone(id));
    if (!isInDoubt) note(standing, 'unremoved');
    const allowed = (id: number) => !unanswered.has(id) && (isInDoubt || !stands(id));
    const first = only(request, (id) => allowed(id) && !mayRepeat(id));
    const again = only(request, (id) => allowed(id) && mayRepeat(id));
    if (first.ids.length > 0) await report(first);
    if (again.ids.length === 0) return;
    await beforeRepeat(again);
    for (const id of again.ids) {
      const usage = { ...again, ids: [id] };
      const { kind, mayHaveActed } = await report(usage, true);
      if (kind === 'done' || mayHaveActed) continue;
      note(usage, 'removed');
      note(usage, 'in-doubt');
    }
  }

  /** `isRepeat`: the service may list it already. A third time would be more than the ledger knows. */
  async function report(usage: Usage, isRepeat = false): Promise<UsageAnswer> {
    const answer = await sender.send(usage);
    const isIdle = answer.kind === 'idle' && !isRepeat;
    if (answer.kind === 'done') {
      noteReported(usage);
    } else if (isIdle || (answer.kind === 'refused' && usage.ids.length > 1)) {
      note(usage, 'in-doubt');
      // A report that may have been carried out isn't repeated before it's removed.
      for (const part of isIdle ? [usage] : parts(usage, sender)) {
        await remove(part, { isInDoubt: true });
        await reportAllowed(part, true);
      }
    } else {
      if (answer.mayHaveActed) note(usage, 'in-doubt');
      for (const id of usage.ids) {
        if (answer.kind === 'refused') refused.set(id, refusalOf(usage, id, answer));
        else refused.delete(id);
      }
    }
    return answer;
  }

  function noteReported(usage: Usage): void {
    note(usage, 'confirmed');
    for (const id of usage.ids) {
      reported.add(id);
      const others = (kept.get(id) ?? []).filter((other) => !equalFields(other.usage, usage));
      for (const other of others) note({ ...other.usage, ids: [id] }, 'unremoved');
      if (mayBeGone(id)) note({ ...usage, ids: [id] }, 'unremoved');
      else if (others.length === 0) refused.delete(id);
    }
  }

  for (const state of removalOrder) {
    for (const removal of removals) {
      const toRemove = (id: number) => !kept.has(id) && !unanswered.has(id);
      const part = only(removal, (id) => stateOf(removal, id) === state && toRemove(id));
      await remove(part);
      if (state !== 'unremoved') continue;
      // It may be listed twice, and a removal may take the first record alone.
      const again = only(part, (id) => removed.has(id) && toRemove(id));
      note(again, 'in-doubt');
      await remove(again);
    }
  }
  const allAnswered = (id: number) => removed.has(id) && !kept.has(id) && !unanswered.has(id);
  for (const removal of removals) {
    const settled = only(removal, (id) => hasVariants(id) && allAnswered(id));
    note(settled, 'removed');
  }
  for (const request of reports) await reportAllowed(request, false);
  const taken = new Set(removals.flatMap(({ ids }) => ids));
  for (const request of reports) {
    const unsent = only(request, (id) => taken.has(id) && !reported.has(id));
    note(unsent, 'unsent');
  }
  // A service that accepts another removal of the asset knows the asset.
  const unknown = absent.filter(({ refused }) => !removed.has(refused.id));
  return { changes, refused: [...refused.values()], absent: unknown };
}

function only(usage: Usage, test: (id: number) => boolean): Usage {
  return { ...usage, ids: usage.ids.filter(test) };
}

/** Whether a status says that the service doesn't have the usage. */
function isAbsent(status: number): boolean {
  return status === 404 || status === 410;
}

/**
 * Whether the refusal of a removal says that the service doesn't list the usage. Services use
 * various statuses for that. If the usage is in doubt, all of them count except 403, which is about
 * the right to remove it.
 */
function saysAbsent(status: number, isInDoubt: boolean): boolean {
  return isAbsent(status) || (isInDoubt && status !== 403);
}

/**
 * A refused request in halves. A service that has accepted nothing may refuse everything: then single
 * assets take the fewest requests.
 */
function* parts(
  usage: Usage,
  sender: Pick<UsageSender, 'hasAccepted'>,
): Generator<Usage, void, void> {
  const half = Math.ceil(usage.ids.length / 2);
  let { ids } = usage;
  while (ids.length > 0) {
    const size = sender.hasAccepted ? half : 1;
    yield { ...usage, ids: ids.slice(0, size) };
    ids = ids.slice(size);
  }
}
