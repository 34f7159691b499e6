import type { Usage } from '../../service/types.ts';
import {
  type ChangedRecord,
  changePages,
  equalFields,
  type Ledger,
  type LedgerRecord,
  toRecord,
} from '../ledger/ledger.ts';
import { type PlannedStep, requestsOf } from '../plan/plan-usage.ts';

export type RunLedger = ReturnType<typeof createRunLedger>;

/** The ledger during a run. The cost of an answer depends on its changes and not on the site. */
export function createRunLedger(ledger: Ledger) {
  const pages = new Map(ledger.pages);
  /** Pages as they'll be once the service has proven to be the right one. */
  const unproven = new Map<string, readonly LedgerRecord[]>();
  const marked = new Set<PlannedStep>();
  let inDoubt = 0;

  /** Applies changes during a step. */
  function change(changes: readonly ChangedRecord[]): void {
    for (const one of changes) {
      const { page, state } = one;
      if (state === 'absent' || unproven.has(page)) {
        const after = new Map([[page, unproven.get(page) ?? pages.get(page) ?? []]]);
        changePages(after, [one]);
        unproven.set(page, after.get(page) ?? []);
      }
      if (state !== 'absent') changePages(pages, [one]);
    }
  }

  /** Applies the changes that wait for a proof that the service is the right one. */
  function prove(): void {
    for (const [page, records] of unproven) {
      if (records.length > 0) pages.set(page, records);
      else pages.delete(page);
    }
    unproven.clear();
  }

  return {
    /** Requests that may have been sent, and have no recorded answer. */
    get inDoubt() {
      return inDoubt;
    },
    /** Whether changes wait for a proof. */
    get isUnproven() {
      return unproven.size > 0;
    },
    /** What the ledger says of one asset on its page, under the usage's fields. */
    stateOf: (usage: Usage, id: number) =>
      pages.get(usage.page)?.find((record) => equalFields(record, usage) && record.ids.includes(id))
        ?.state,
    /** Call it before the requests of a step may be sent. */
    mark(step: PlannedStep): void {
      marked.add(step);
      inDoubt += step.requests.length;
    },
    /** Ends the doubt about a step. `isProven`: whether the service is the right one. */
    answer(
      step: PlannedStep,
      { changes, isProven }: { changes: readonly ChangedRecord[]; isProven: boolean },
    ): void {
      marked.delete(step);
      inDoubt -= step.requests.length;
      change(changes);
      if (isProven) prove();
    },
    change,
    prove,
    /** A copy with all answers, and with the marked steps in doubt. */
    snapshot(): Ledger {
      const copy = new Map(pages);
      changePages(
        copy,
        requestsOf([...marked]).map((request) => toRecord(request, 'in-doubt')),
      );
      return { ...ledger, pages: copy };
    },
  };
}
