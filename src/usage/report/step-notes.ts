import type { Usage } from '../../service/requests.ts';
import type { RefusedUsage } from '../ledger/last-run.ts';
import { type ChangedRecord, equalFields, type LedgerRecord, toRecord } from '../ledger/ledger.ts';
import type { RunLedger } from './run-ledger.ts';
import type { RefusedAnswer } from './usage-sender.ts';

type Refusal = Omit<RefusedUsage, 'since'>;

/**
 * What the answers of one step say about its usages so far. Sends nothing. `changes` apply in their
 * order to the ledger as it was before the step.
 */
export function openStepNotes(requests: readonly Usage[], { stateOf }: Pick<RunLedger, 'stateOf'>) {
  const reports = requests.filter(({ removed }) => !removed);
  const isReported = (usage: Usage) => reports.some((report) => equalFields(report, usage));
  const removals = requests
    .filter(({ removed }) => removed)
    .sort((a, b) => Number(isReported(a)) - Number(isReported(b)));
  const changes: ChangedRecord[] = [];
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

  const isListed = (usage: Usage, id: number) =>
    ['confirmed', 'unremoved'].includes(stateOf(usage, id) ?? '');
  const mayBeGone = (id: number) => kept.get(id)?.some((one) => one.mayBeGone) ?? false;
  const hasVariants = (id: number) => removals.filter(({ ids }) => ids.includes(id)).length > 1;

  function note(usage: Usage, state: ChangedRecord['state']): void {
    changes.push(toRecord(usage, state));
  }

  function refusalOf({ page, removed }: Usage, id: number, answer: RefusedAnswer): Refusal {
    return { page, id, removed, status: answer.status, text: answer.error.answer };
  }

  function keep(usage: Usage, mayBeGone: boolean): void {
    for (const id of usage.ids) kept.set(id, [...(kept.get(id) ?? []), { usage, mayBeGone }]);
  }

  return {
    ...{ reports, removals, note, keep, mayBeGone },
    mayRemove: (id: number) => !kept.has(id) && !unanswered.has(id),
    isRemoved: (id: number) => removed.has(id),
    mayReport: (id: number) => !unanswered.has(id),
    /** Whether a removal was answered with an error and the service lists the usage. */
    stands: (usage: Usage, id: number) => kept.has(id) && !removed.has(id) && isListed(usage, id),
    awaitsReport: (id: number) =>
      reports.some((report) => report.ids.includes(id) && !isListed(report, id)),
    noteRemoved(usage: Usage): void {
      note(usage, 'removed');
      // It may have removed another variant, so this one is in doubt until the others are answered.
      note(only(usage, hasVariants), 'in-doubt');
      for (const id of usage.ids) removed.add(id);
    },
    noteUnanswered({ ids }: Usage): void {
      for (const id of ids) unanswered.add(id);
    },
    /** For a removal of one asset. */
    noteRefusedRemoval(usage: Usage, answer: RefusedAnswer, isInDoubt: boolean): void {
      const [id = 0] = usage.ids;
      const known = stateOf(usage, id);
      // Also after a removal under other fields: it may have matched the page alone.
      const isDoubted = isInDoubt || removed.has(id) || known !== 'confirmed';
      const refusal = refusalOf({ ...usage, removed: true }, id, answer);
      // Any gateway can send a page, so the next run decides.
      const isPage = !answer.error.isOwnRefusal && isAbsent(answer.status) && known === 'confirmed';
      if (!isPage && saysAbsent(answer.status, isDoubted)) {
        note(usage, 'absent');
        if (known) absent.push({ refused: refusal, doubt: toRecord(usage, 'in-doubt') });
        const isGone = !reports.some(({ ids }) => ids.includes(id));
        if (isGone && !isAbsent(answer.status)) refused.set(id, refusal);
        return;
      }
      const isKept = !isDoubted && !answer.mayHaveActed;
      if (isPage || isKept) note(usage, isPage ? 'in-doubt' : 'confirmed');
      const wasInDoubt = !removed.has(id) && (known === 'in-doubt' || known === 'unremoved');
      keep(usage, isPage || answer.mayHaveActed || wasInDoubt);
      refused.set(id, refusal);
    },
    noteReported(usage: Usage): void {
      note(usage, 'confirmed');
      for (const id of usage.ids) {
        reported.add(id);
        const others = (kept.get(id) ?? []).filter((other) => !equalFields(other.usage, usage));
        for (const other of others) note({ ...other.usage, ids: [id] }, 'unremoved');
        if (mayBeGone(id)) note({ ...usage, ids: [id] }, 'unremoved');
        else if (others.length === 0) refused.delete(id);
      }
    },
    /** @param answer `undefined` if the report wasn't refused, but has no answer either */
    noteUnreported(usage: Usage, answer: RefusedAnswer | undefined): void {
      for (const id of usage.ids) {
        if (answer) refused.set(id, refusalOf(usage, id, answer));
        else refused.delete(id);
      }
    },
    /** Call it when all removals are answered. */
    settleRemovals(): void {
      const allAnswered = (id: number) => removed.has(id) && !kept.has(id) && !unanswered.has(id);
      for (const removal of removals)
        note(
          only(removal, (id) => hasVariants(id) && allAnswered(id)),
          'removed',
        );
    },
    /** Call it when everything is answered. */
    result() {
      const taken = new Set(removals.flatMap(({ ids }) => ids));
      for (const request of reports)
        note(
          only(request, (id) => taken.has(id) && !reported.has(id)),
          'unsent',
        );
      // A service that accepts another removal of the asset knows the asset.
      const unknown = absent.filter(({ refused }) => !removed.has(refused.id));
      return { changes, refused: [...refused.values()], absent: unknown };
    },
  };
}

export function only(usage: Usage, test: (id: number) => boolean): Usage {
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
