import * as z from 'zod';
import { oneLine } from '../../errors/wording.ts';

const time = z.iso.datetime();
const name = z.string().max(100);

/** A build that a history has recorded. `site`: the URL of the site with its base. */
export const builtSchema = z.strictObject({ site: z.string(), build: z.string(), startedAt: time });
export type RecordedBuild = Readonly<z.output<typeof builtSchema>>;

/** `media-asset.json` of a site: the build that is online, and the history that has recorded it. */
export const witnessSchema = z.object({
  version: z.literal(1),
  history: name,
  build: name,
  startedAt: time,
});

/** What the live site answers. `unread` never means that nothing is online. */
export const answerSchema = z.discriminatedUnion('kind', [
  witnessSchema.omit({ version: true }).extend({ kind: z.literal('read') }),
  z.object({ kind: z.literal('unread'), problem: z.string() }),
]);
export type WitnessAnswer = Readonly<z.output<typeof answerSchema>>;

/** What each reason says, from its detail. */
const reasons = {
  lost: (build: string) =>
    `the live site has the build ${build}, which another history has recorded: the state here was lost, or it belongs to another machine`,
  older: (build: string) =>
    `the live site has the build ${build}, which isn't recorded here: the state is an older copy, that build wasn't reported, or its URLs were proved gone`,
  'ledger-lost': () => 'the ledger was lost, while the publication history has builds of the site',
  'ledger-behind': (build: string) =>
    `the history knows a report of the build ${build}, and the ledger doesn't: it's an older copy, or that report was stopped`,
  'ledger-ahead': (build: string) => `the ledger knows the build ${build}, and the history doesn't`,
  listed: (page: string) => `the service lists ${page}, which nothing here knows`,
  unlisted: (id: string) => `the service doesn't give the usages of asset ${id}, or not as a whole`,
  new: () => 'the publication history begins here, and nothing says what was published before',
  unread: (problem: string) => `its media-asset.json couldn't be read (${problem})`,
} satisfies Record<string, (detail: string) => string>;

export const gapSchema = z.strictObject({
  /** The URL of the site with its base; empty for all sites of a history. */
  site: z.string(),
  /** `gap`: the state here lacks something. `not known`: it may. */
  kind: z.enum(['gap', 'not known']),
  reason: z.enum(Object.keys(reasons) as (keyof typeof reasons)[]),
  /** The build, page or problem. */
  detail: z.string().default(''),
  /** When it was noticed, ISO 8601 in UTC. It's about what was published before. */
  at: time,
});

/** Why the state here may not be all that was published. It's kept until it's closed. */
export type Gap = Readonly<z.output<typeof gapSchema>>;

/** Whether the state here is all that was published. */
export type Continuity = { readonly kind: 'no gap' } | Gap;

/** A gap as a sentence for people. */
export function gapText({ site, reason, detail }: Gap): string {
  return `${site && `${site}: `}${oneLine(reasons[reason](detail))}.`;
}

/** Open gaps with more. Of the same one, the newest stays. */
export function addGaps(open: readonly Gap[], found: readonly Continuity[]): readonly Gap[] {
  const keyOf = ({ site, kind, reason, detail }: Gap) =>
    JSON.stringify([site, reason, kind === 'gap' && detail]);
  const gaps = found.flatMap((one) => (one.kind === 'no gap' ? [] : one));
  return [...new Map([...open, ...gaps].map((gap) => [keyOf(gap), gap])).values()];
}

/** What is known here of a site, and of what was published of it. */
interface KnownState {
  /** The URL of the site with its base. */
  readonly site: string;
  readonly history: { readonly id: string; readonly builds: readonly RecordedBuild[] };
  /** `undefined` if there is none. */
  readonly ledger: { build?: string | undefined; startedAt?: string | undefined } | undefined;
  /** Whether a build of the site was recorded before. */
  readonly wasRecorded: boolean;
  /** ISO 8601 in UTC. */
  readonly at: string;
}

/**
 * Compares the build that is online with what is known here. `history`: whether all published URLs are
 * known. `ledger`: whether the service has been told only what the ledger says.
 */
export function compareWitness(
  answer: WitnessAnswer,
  { site, history, ledger, wasRecorded, at }: KnownState,
): { readonly history: Continuity; readonly ledger: Continuity } {
  const gap = (reason: Gap['reason'], detail = '', kind: Gap['kind'] = 'gap'): Gap => {
    return { site, kind, reason, detail, at };
  };
  const isKnown = (build: string) =>
    history.builds.some((one) => one.site === site && one.build === build);
  const none = { kind: 'no gap' } as const;
  // Each report is recorded in the history, then in the ledger.
  const last = history.builds.findLast((one) => one.site === site);
  const isOlder = last !== undefined && (ledger?.startedAt ?? '') < last.startedAt;
  const isAhead = ledger?.build !== undefined && !isKnown(ledger.build) && !isOlder;
  const ahead = isAhead ? gap('ledger-ahead', ledger.build) : none;
  const isBehind = ledger && last && ledger.build !== last.build && !isAhead;
  const behind = isBehind ? gap('ledger-behind', last.build) : none;
  const lost = !ledger && wasRecorded ? gap('ledger-lost') : behind;
  if (answer.kind === 'unread') {
    const unread = gap('unread', answer.problem, 'not known');
    return { history: isAhead ? ahead : unread, ledger: lost };
  }
  const { build } = answer;
  const unknown = gap(answer.history === history.id ? 'older' : 'lost', build);
  const isTold = ledger?.build === build || isKnown(build);
  return {
    history: isKnown(build) ? ahead : unknown,
    ledger: lost !== none || isTold ? lost : unknown,
  };
}
