import type { Usage } from '../../service/requests.ts';
import type { RecordState } from '../ledger/ledger.ts';
import type { RunLedger } from './run-ledger.ts';
import { only, openStepNotes } from './step-notes.ts';
import type { UsageAnswer, UsageSender } from './usage-sender.ts';

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
  const { stateOf } = ledger;
  const notes = openStepNotes(requests, ledger);
  const { note } = notes;

  /** `refusedWith`: the status of a refused removal that these usages were a part of. */
  async function remove(
    usage: Usage,
    { isInDoubt = false, refusedWith }: { isInDoubt?: boolean; refusedWith?: number } = {},
  ): Promise<void> {
    const { ids } = usage;
    if (ids.length === 0) return;
    const reportFollows = isInDoubt || ids.some(notes.awaitsReport);
    const answer = await sender.send({ ...usage, removed: true }, { reportFollows });
    if (answer.kind === 'done') return notes.noteRemoved(usage);
    if (answer.mayHaveActed || answer.kind === 'failed') note(usage, 'in-doubt');
    if (answer.kind === 'unsent') return notes.noteUnanswered(usage);
    if (answer.kind !== 'refused') return notes.keep(usage, true);
    const { mayHaveActed, status } = answer;
    const isDoubted = isInDoubt || (refusedWith ?? status) !== status;
    if (ids.length === 1) return notes.noteRefusedRemoval(usage, answer, isDoubted);
    note(usage, 'in-doubt');
    const known = { isInDoubt: isDoubted || mayHaveActed, refusedWith: status };
    for (const part of parts(usage, sender)) await remove(part, known);
  }

  /** Reports the assets whose removals allow it. `isInDoubt`: a part may have been reported already. */
  async function reportAllowed(request: Usage, isInDoubt: boolean): Promise<void> {
    const stands = (id: number) => notes.stands(request, id);
    const mayRepeat = (id: number) =>
      notes.mayBeGone(id) && (isInDoubt || (stateOf(request, id) ?? 'unsent') !== 'unsent');
    const standing = only(request, (id) => stands(id) && notes.mayBeGone(id));
    if (!isInDoubt) note(standing, 'unremoved');
    const allowed = (id: number) => notes.mayReport(id) && (isInDoubt || !stands(id));
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
      notes.noteReported(usage);
    } else if (isIdle || (answer.kind === 'refused' && usage.ids.length > 1)) {
      note(usage, 'in-doubt');
      // A report that may have been carried out isn't repeated before it's removed.
      for (const part of isIdle ? [usage] : parts(usage, sender)) {
        await remove(part, { isInDoubt: true });
        await reportAllowed(part, true);
      }
    } else {
      if (answer.mayHaveActed) note(usage, 'in-doubt');
      notes.noteUnreported(usage, answer.kind === 'refused' ? answer : undefined);
    }
    return answer;
  }

  for (const state of removalOrder) {
    for (const removal of notes.removals) {
      const part = only(removal, (id) => stateOf(removal, id) === state && notes.mayRemove(id));
      await remove(part);
      if (state !== 'unremoved') continue;
      // It may be listed twice, and a removal may take the first record alone.
      const again = only(part, (id) => notes.isRemoved(id) && notes.mayRemove(id));
      note(again, 'in-doubt');
      await remove(again);
    }
  }
  notes.settleRemovals();
  for (const request of notes.reports) await reportAllowed(request, false);
  return notes.result();
}

/** A refused request in halves. If nothing was accepted yet, single assets are cheaper. */
function* parts(
  usage: Usage,
  sender: Pick<UsageSender, 'hasAccepted'>,
): Generator<Usage, void, void> {
  const half = Math.ceil(usage.ids.length / 2);
  let { ids } = usage;
  while (ids.length > 0) {
    const size = sender.hasAccepted() ? half : 1;
    yield { ...usage, ids: ids.slice(0, size) };
    ids = ids.slice(size);
  }
}
