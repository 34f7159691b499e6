import { type Finding, finding } from '../errors.ts';
import type { Usage } from '../service/media-service.ts';
import type { RefusedUsage } from './last-run.ts';
import { type LedgerChange, type RecordState, toSentFields } from './ledger.ts';
import type { Answer, UsageSender } from './usage-sender.ts';

export interface StepResult {
  /** One after the other, starting from the ledger before the step. */
  readonly changes: readonly StepChange[];
  readonly findings: readonly Finding[];
  readonly refused: readonly RefusedUsage[];
}

export interface StepChange extends LedgerChange {
  /**
   * False for a removal of what the service says it does not have: true only if it has accepted
   * something in this run, and so is the service.
   */
  readonly proven: boolean;
}

/**
 * Sends the requests of one step, one after the other. What is refused for several ids is sent
 * again for half of them, down to single ids; a report so repeated comes after a removal, because
 * a part of it may have been done.
 */
export async function sendStep(
  requests: readonly Usage[],
  sender: Pick<UsageSender, 'send'>,
): Promise<StepResult> {
  const changes: StepChange[] = [];
  const findings: Finding[] = [];
  const refused: RefusedUsage[] = [];
  const taken = new Set<number>();
  const blocked = new Set<number>();
  const reported = new Set<number>();

  function note(usage: Usage, state: RecordState | undefined, proven = true): void {
    const { page, ids } = usage;
    changes.push({ page, ids, fields: toSentFields(usage), state, proven });
  }

  function noteRefusal(usage: Usage, answer: Answer): void {
    if (answer.kind !== 'refused') return;
    const { page, ids, removed } = usage;
    const { status, text } = answer;
    for (const id of ids) {
      const details = { page, id, status, answer: text };
      refused.push({ page, id, removed, status, text });
      findings.push(finding('warning', 'usage-refused', page, details));
    }
  }

  /** Gives the ids that the service does not list under these fields any more. */
  async function remove(usage: Usage): Promise<readonly number[]> {
    const answer = await sender.send({ ...usage, removed: true });
    if (answer.kind === 'done') {
      note(usage, undefined);
      return usage.ids;
    }
    if (answer.kind === 'refused' && usage.ids.length > 1) {
      note(usage, 'in-doubt');
      const [first, second] = halves(usage);
      return [...(await remove(first)), ...(await remove(second))];
    }
    if (answer.mayHaveActed) note(usage, 'in-doubt');
    if (answer.kind === 'refused' && (answer.status === 404 || answer.status === 410)) {
      note(usage, undefined, false);
      return usage.ids;
    }
    noteRefusal(usage, answer);
    return [];
  }

  async function report(usage: Usage): Promise<void> {
    const answer = await sender.send(usage);
    if (answer.kind === 'done') {
      note(usage, 'confirmed');
      for (const id of usage.ids) reported.add(id);
    } else if (answer.kind === 'refused' && usage.ids.length > 1) {
      note(usage, 'in-doubt');
      for (const half of halves(usage)) {
        const ids = await remove(half);
        if (ids.length > 0) await report({ ...half, ids });
      }
    } else {
      if (answer.mayHaveActed) note(usage, 'in-doubt');
      noteRefusal(usage, answer);
    }
  }

  for (const request of requests) {
    if (request.removed) {
      const cleared = new Set(await remove(request));
      for (const id of request.ids) {
        taken.add(id);
        if (!cleared.has(id)) blocked.add(id);
      }
    } else {
      const ids = request.ids.filter((id) => !blocked.has(id));
      if (ids.length > 0) await report({ ...request, ids });
    }
  }
  for (const request of requests.filter(({ removed }) => !removed)) {
    const ids = request.ids.filter((id) => taken.has(id) && !reported.has(id));
    if (ids.length > 0) note({ ...request, ids }, 'unsent');
  }
  return { changes, findings, refused };
}

function halves(usage: Usage): [Usage, Usage] {
  const middle = Math.ceil(usage.ids.length / 2);
  return [
    { ...usage, ids: usage.ids.slice(0, middle) },
    { ...usage, ids: usage.ids.slice(middle) },
  ];
}
