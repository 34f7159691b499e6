import type { Usage } from '../../service/types.ts';
import type { RefusedUsage } from '../ledger/last-run.ts';
import {
  equalFields,
  type LedgerChange,
  type RecordState,
  toSentFields,
} from '../ledger/ledger.ts';
import { isAbsent } from './refusal-judge.ts';
import type { UsageAnswer, UsageSender } from './usage-sender.ts';

export interface StepResult {
  /** One after the other, starting from the ledger before the step. */
  readonly changes: readonly StepChange[];
  readonly refused: readonly RefusedUsage[];
}

/** What the ledger says of usages before a step. */
export interface KnownStates {
  /** Of one asset on its page, under the usage's fields. */
  stateOf(usage: Usage): RecordState | undefined;
}

type RefusedAnswer = Extract<UsageAnswer, { kind: 'refused' }>;

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
 *
 * A refused removal keeps no report from being sent: a duplicate is better than a gap. Only a removal
 * without an answer does.
 */
export async function sendStep(
  requests: readonly Usage[],
  { sender, ledger }: { sender: Pick<UsageSender, 'send' | 'refusals'>; ledger: KnownStates },
): Promise<StepResult> {
  const changes: StepChange[] = [];
  const removals = requests.filter(({ removed }) => removed);
  const reports = requests.filter(({ removed }) => !removed);
  /** By asset: the refusal of a report replaces those of the removals before it. */
  const refused = new Map<number, RefusedUsage>();
  const removed = new Set<number>();
  const unanswered: Usage[] = [];
  const reported = new Set<number>();
  /** Refused removals, each of one id. */
  const kept: Usage[] = [];

  function note(usage: Usage, state: RecordState | undefined, proven = true): void {
    const { page, ids } = usage;
    changes.push({ page, ids, fields: toSentFields(usage), state, proven });
  }

  function noteRefusal({ page, ids, removed }: Usage, { status, text }: RefusedAnswer): void {
    for (const id of ids) refused.set(id, { page, id, removed, status, text });
  }

  async function remove(usage: Usage, isInDoubt: boolean): Promise<void> {
    const answer = await sender.send({ ...usage, removed: true });
    if (answer.kind !== 'done' && answer.mayHaveActed) note(usage, 'in-doubt');
    if (answer.kind === 'done') {
      note(usage, undefined);
      for (const id of usage.ids) removed.add(id);
    } else if (answer.kind === 'unsent') {
      unanswered.push(usage);
    } else if (usage.ids.length > 1) {
      note(usage, 'in-doubt');
      for (const part of parts(usage, sender)) await remove(part, isInDoubt);
    } else if (saysAbsent(answer, isInDoubt || isDoubted(usage))) {
      note(usage, undefined, false);
      const isGone = !reports.some(({ ids }) => usage.ids.every((id) => ids.includes(id)));
      if (isGone && !isAbsent(answer.status)) noteRefusal({ ...usage, removed: true }, answer);
    } else {
      kept.push(usage);
      noteRefusal({ ...usage, removed: true }, answer);
    }
  }

  /** Also after a removal under other fields: it may have matched the page alone. */
  function isDoubted(usage: Usage): boolean {
    return usage.ids.every((id) => removed.has(id)) || ledger.stateOf(usage) === 'in-doubt';
  }

  function toSend(ids: readonly number[]): readonly number[] {
    const blocked = new Set(unanswered.flatMap((usage) => usage.ids));
    return ids.filter((id) => !blocked.has(id));
  }

  async function report(usage: Usage): Promise<void> {
    const answer = await sender.send(usage);
    if (answer.kind === 'done') {
      for (const id of usage.ids) {
        reported.add(id);
        const others = kept.filter(
          ({ ids, ...sent }) => ids[0] === id && !equalFields(sent, usage),
        );
        // A service that overwrites does not list them any more.
        for (const other of others) note(other, 'in-doubt');
        if (others.length === 0) refused.delete(id);
      }
      note(usage, 'confirmed');
    } else if (answer.kind === 'refused' && usage.ids.length > 1) {
      note(usage, 'in-doubt');
      for (const part of parts(usage, sender)) {
        await remove(part, true);
        const ids = toSend(part.ids);
        if (ids.length > 0) await report({ ...part, ids });
      }
    } else {
      if (answer.mayHaveActed) note(usage, 'in-doubt');
      if (answer.kind === 'refused') noteRefusal(usage, answer);
    }
  }

  /** Whether the service lists the asset as it should, and refuses to part with it. */
  function stands(usage: Usage, id: number): boolean {
    const isKept = kept.some(({ ids, ...sent }) => ids[0] === id && equalFields(sent, usage));
    return isKept && !removed.has(id) && ledger.stateOf({ ...usage, ids: [id] }) === 'confirmed';
  }

  for (const removal of removals) await remove(removal, false);
  for (const usage of [...kept, ...unanswered]) {
    const ids = usage.ids.filter((id) => removed.has(id));
    if (ids.length > 0) note({ ...usage, ids }, 'in-doubt');
  }
  for (const request of reports) {
    const standing = request.ids.filter((id) => stands(request, id));
    if (standing.length > 0) note({ ...request, ids: standing }, 'confirmed');
    const ids = toSend(request.ids).filter((id) => !standing.includes(id));
    if (ids.length > 0) await report({ ...request, ids });
  }
  const taken = new Set(removals.flatMap(({ ids }) => ids));
  for (const request of reports) {
    const ids = request.ids.filter((id) => taken.has(id) && !reported.has(id));
    if (ids.length > 0) note({ ...request, ids }, 'unsent');
  }
  return { changes, refused: [...refused.values()] };
}

/**
 * Whether the refusal of a removal says that the service does not list the usage. Services use
 * various statuses for that: where the usage is in doubt anyway, all count but 403, which speaks of
 * the right to remove it.
 */
function saysAbsent({ status }: RefusedAnswer, isInDoubt: boolean): boolean {
  return isAbsent(status) || (isInDoubt && status !== 403);
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
