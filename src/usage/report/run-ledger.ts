import pLimit from 'p-limit';
import type { Usage } from '../../service/requests.ts';
import * as ledgers from '../ledger/ledger.ts';
import { type PlannedStep, requestsOf } from '../plan/plan-usage.ts';

export type RunLedger = ReturnType<typeof createRunLedger>;

/** The ledger during a run. The cost of an answer depends on its changes and not on the site. */
export function createRunLedger(ledger: ledgers.Ledger) {
  const pages = new Map(ledger.pages);
  /** Pages as they'll be once the service has proven to be the right one. */
  const unproven = new Map<string, readonly ledgers.LedgerRecord[]>();
  const marked = new Set<PlannedStep>();

  function change(changes: readonly ledgers.ChangedRecord[]): void {
    for (const one of changes) {
      const { page, state } = one;
      if (state === 'absent' || unproven.has(page)) {
        const after = new Map([[page, unproven.get(page) ?? pages.get(page) ?? []]]);
        ledgers.changePages(after, [one]);
        unproven.set(page, after.get(page) ?? []);
      }
      if (state !== 'absent') ledgers.changePages(pages, [one]);
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
    inDoubt: () => requestsOf([...marked]).length,
    /** Whether changes wait for a proof. */
    isUnproven: () => unproven.size > 0,
    /** What the ledger says of one asset on its page, under the usage's fields. */
    stateOf: (usage: Usage, id: number) =>
      pages
        .get(usage.page)
        ?.find((record) => ledgers.equalFields(record, usage) && record.ids.includes(id))?.state,
    /** Call it before the requests of a step may be sent. */
    mark: (step: PlannedStep) => void marked.add(step),
    /** Ends the doubt about a step. `isProven`: whether the service is the right one. */
    answer(
      step: PlannedStep,
      { changes, isProven }: { changes: readonly ledgers.ChangedRecord[]; isProven: boolean },
    ): void {
      marked.delete(step);
      change(changes);
      if (isProven) prove();
    },
    change,
    prove,
    /** A copy with all answers, and with the marked steps in doubt. */
    snapshot(): ledgers.Ledger {
      const copy = new Map(pages);
      ledgers.changePages(
        copy,
        requestsOf([...marked]).map((request) => ledgers.toRecord(request, 'in-doubt')),
      );
      return { ...ledger, pages: copy };
    },
  };
}

/**
 * Sends several steps at a time. Only the steps of a window are in doubt in the stored ledger. Once
 * three quarters of the window are answered, it moves on and the ledger is stored, while the last
 * quarter is still being sent. A window holds at most `windowSize` requests, or one longer step.
 *
 * Returns when no request is being sent: after the last step, or once stopped.
 */
export async function sendSteps(run: {
  steps: readonly PlannedStep[];
  /** In requests. */
  windowSize: number;
  concurrency: number;
  ledger: RunLedger;
  /** Stores the ledger as it is. Never throws: a failure stops the run. */
  save: () => Promise<void>;
  /** Sends a step and ends the doubt about it. Never throws, and sends nothing once stopped. */
  send: (step: PlannedStep) => Promise<void>;
  isStopped: () => boolean;
}): Promise<void> {
  const { steps, windowSize, concurrency, ledger, save, send, isStopped } = run;
  const limit = pLimit(concurrency);
  const underWay = new Set<Promise<void>>();
  const left = Math.ceil(windowSize / 4);
  const hasRoom = ({ requests }: PlannedStep) =>
    ledger.inDoubt() === 0 || ledger.inDoubt() + requests.length <= windowSize;
  let next = 0;

  function mark(): readonly PlannedStep[] {
    const from = next;
    for (let step = steps[next]; step && hasRoom(step); step = steps[next]) {
      ledger.mark(step);
      next += 1;
    }
    return steps.slice(from, next);
  }

  while (next < steps.length && !isStopped()) {
    const marked = ledger.inDoubt() <= left ? mark() : [];
    if (marked.length > 0) await save();
    else await Promise.race(underWay);
    for (const step of marked) {
      const sent = limit(send, step).finally(() => underWay.delete(sent));
      underWay.add(sent);
    }
  }
  await Promise.all(underWay);
}
