import pLimit from 'p-limit';
import type { PlannedStep } from '../plan/plan-usage.ts';
import type { RunLedger } from './run-ledger.ts';

/**
 * Sends steps, several at the same time. The window, those that are in doubt in the stored ledger,
 * moves over them: once three quarters of it are answered, it is stored further on, and what is left
 * is under way meanwhile. It never holds more requests than its size, or one step that is longer.
 *
 * Gives back once no request is under way: after the last step, or once stopped.
 */
export async function sendSteps({
  steps,
  windowSize,
  concurrency,
  ledger,
  save,
  send,
  isStopped,
}: {
  steps: readonly PlannedStep[];
  /** In requests. */
  windowSize: number;
  /** Steps under way at once. */
  concurrency: number;
  ledger: RunLedger;
  /** Stores the ledger as it is. Never throws: a failure stops the run. */
  save: () => Promise<void>;
  /** Sends a step and ends the doubt about it. Never throws, and sends nothing once stopped. */
  send: (step: PlannedStep) => Promise<void>;
  isStopped: () => boolean;
}): Promise<void> {
  const limit = pLimit(concurrency);
  const underWay = new Set<Promise<void>>();
  const left = Math.ceil(windowSize / 4);
  const hasRoom = ({ requests }: PlannedStep) =>
    ledger.inDoubt === 0 || ledger.inDoubt + requests.length <= windowSize;
  let next = 0;

  /** Marks as many further steps as there is room for. */
  function mark(): readonly PlannedStep[] {
    const from = next;
    for (let step = steps[next]; step && hasRoom(step); step = steps[next]) {
      ledger.mark(step);
      next += 1;
    }
    return steps.slice(from, next);
  }

  while (next < steps.length && !isStopped()) {
    const marked = ledger.inDoubt <= left ? mark() : [];
    if (marked.length > 0) await save();
    else await Promise.race(underWay);
    for (const step of marked) {
      const sent = limit(send, step).finally(() => underWay.delete(sent));
      underWay.add(sent);
    }
  }
  await Promise.all(underWay);
}
