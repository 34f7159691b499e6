import {
  changePages,
  equalFields,
  type Ledger,
  type LedgerRecord,
  toSentFields,
} from '../ledger/ledger.ts';
import { type PlannedStep, requestsOf } from '../plan/plan-usage.ts';
import type { KnownStates, StepChange } from './send-step.ts';

/** The ledger during a run. The cost of an answer depends on its changes and not on the site. */
export interface RunLedger extends KnownStates {
  /** Requests that may have been sent, and have no recorded answer. */
  readonly inDoubt: number;
  /** Whether changes wait for a proof that the service is the right one. */
  readonly isUnproven: boolean;
  /** Call it before the requests of a step may be sent. */
  mark(step: PlannedStep): void;
  /** Ends the doubt about a step. `accepted`: whether the service has accepted anything in this run. */
  answer(step: PlannedStep, result: { changes: readonly StepChange[]; accepted: boolean }): void;
  /** Applies changes during a step. */
  change(changes: readonly StepChange[]): void;
  /** Applies the changes that wait for the proof. */
  prove(): void;
  /** A copy with all answers, and with the marked steps in doubt. */
  snapshot(): Ledger;
}

export function createRunLedger(ledger: Ledger): RunLedger {
  const pages = new Map(ledger.pages);
  /** Pages as they'll be once the service has proven to be the right one. */
  const unproven = new Map<string, readonly LedgerRecord[]>();
  const marked = new Set<PlannedStep>();
  let inDoubt = 0;

  /** Applies a change on top of the unproven ones. */
  function changeUnproven(change: StepChange): void {
    const { page } = change;
    const after = new Map([[page, unproven.get(page) ?? pages.get(page) ?? []]]);
    changePages(after, [change]);
    unproven.set(page, after.get(page) ?? []);
  }

  function change(changes: readonly StepChange[]): void {
    for (const one of changes) {
      if (!one.proven || unproven.has(one.page)) changeUnproven(one);
      if (one.proven) changePages(pages, [one]);
    }
  }

  function prove(): void {
    for (const [page, records] of unproven) {
      if (records.length > 0) pages.set(page, records);
      else pages.delete(page);
    }
    unproven.clear();
  }

  return {
    get inDoubt() {
      return inDoubt;
    },
    get isUnproven() {
      return unproven.size > 0;
    },
    stateOf: (usage) =>
      pages
        .get(usage.page)
        ?.find(
          (record) =>
            equalFields(record, usage) && usage.ids.every((id) => record.ids.includes(id)),
        )?.state,
    mark(step) {
      marked.add(step);
      inDoubt += step.requests.length;
    },
    answer(step, { changes, accepted }) {
      marked.delete(step);
      inDoubt -= step.requests.length;
      change(changes);
      if (accepted) prove();
    },
    change,
    prove,
    snapshot() {
      const marks = requestsOf([...marked]).map(({ page, ids, ...request }) => ({
        page,
        ids,
        fields: toSentFields(request),
        state: 'in-doubt' as const,
      }));
      const copy = new Map(pages);
      changePages(copy, marks);
      return { ...ledger, pages: copy };
    },
  };
}
