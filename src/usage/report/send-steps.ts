import pLimit from 'p-limit';
import type { PlannedStep } from '../plan/plan-usage.ts';
import type { RunLedger } from './run-ledger.ts';

/**
 * Sends several steps at a time. Only the steps of a window are in doubt in the stored ledger. Once
 * three quarters of the window are answered, it moves on and the ledger is stored, while the last
 * quarter is still being sent. A window holds at most `windowSize` requests, or one longer step.
 *
 * Returns when no request is being sent: after the last step, or once stopped.
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
  /** Steps sent at the same time. */
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

  /** Marks further steps, as many as fit. */
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
