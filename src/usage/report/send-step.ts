import type { Usage } from '../../service/types.ts';
import type { RefusedUsage } from '../ledger/last-run.ts';
import { type LedgerChange, type RecordState, toSentFields } from '../ledger/ledger.ts';
import { isAbsent } from './refusal-judge.ts';
import type { UsageAnswer, UsageSender } from './usage-sender.ts';

export interface StepResult {
  /** One after the other, starting from the ledger before the step. */
  readonly changes: readonly StepChange[];
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
 * again for half of them, down to single ids, and for one after the other as long as the service has
 * accepted nothing; a report so repeated comes after a removal, because a part of it may have been done.
 */
export async function sendStep(
  requests: readonly Usage[],
  sender: Pick<UsageSender, 'send' | 'refusals'>,
): Promise<StepResult> {
  const toReport = requests.some(({ removed }) => !removed);
  const changes: StepChange[] = [];
  const refused: RefusedUsage[] = [];
  const taken = new Set<number>();
  const blocked = new Set<number>();
  const reported = new Set<number>();

  function note(usage: Usage, state: RecordState | undefined, proven = true): void {
    const { page, ids } = usage;
    changes.push({ page, ids, fields: toSentFields(usage), state, proven });
  }

  function noteRefusal(usage: Usage, answer: UsageAnswer): void {
    if (answer.kind !== 'refused') return;
    const { page, ids, removed } = usage;
    const { status, text } = answer;
    for (const id of ids) refused.push({ page, id, removed, status, text });
  }

  /** Gives the ids that the service does not list under these fields any more. */
  async function remove(usage: Usage): Promise<readonly number[]> {
    const answer = await sender.send({ ...usage, removed: true }, { toReport });
    if (answer.kind === 'done') {
      note(usage, undefined);
      return usage.ids;
    }
    if (answer.kind === 'refused' && usage.ids.length > 1) {
      note(usage, 'in-doubt');
      const ids: number[] = [];
      for (const part of parts(usage, sender)) ids.push(...(await remove(part)));
      return ids;
    }
    if (answer.mayHaveActed) note(usage, 'in-doubt');
    if (answer.kind === 'refused' && isAbsent(answer.status)) {
      note(usage, undefined, false);
      return usage.ids;
    }
    noteRefusal(usage, answer);
    return [];
  }

  async function report(usage: Usage): Promise<void> {
    const answer = await sender.send(usage, { toReport });
    if (answer.kind === 'done') {
      note(usage, 'confirmed');
      for (const id of usage.ids) reported.add(id);
    } else if (answer.kind === 'refused' && usage.ids.length > 1) {
      note(usage, 'in-doubt');
      for (const part of parts(usage, sender)) {
        const ids = await remove(part);
        if (ids.length > 0) await report({ ...part, ids });
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
  return { changes, refused };
}

/**
 * A refused request in parts. A service that has accepted nothing may refuse all: single ids are the
 * fewest requests then.
 */
function* parts(usage: Usage, sender: Pick<UsageSender, 'refusals'>): Generator<Usage, void, void> {
  const half = Math.ceil(usage.ids.length / 2);
  let { ids } = usage;
  while (ids.length > 0) {
    const size = sender.refusals.hasAccepted ? half : 1;
    yield { ...usage, ids: ids.slice(0, size) };
    ids = ids.slice(size);
  }
}
