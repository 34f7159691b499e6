import { describe, expect, test } from 'vitest';
import {
  addGaps,
  compareWitness,
  type Gap,
  gapText,
  type WitnessAnswer,
} from '../../../src/usage/ledger/gaps.ts';

const site = 'https://harbour.example/';
const day = (number: number) => `2026-03-0${number}T08:00:00.000Z`;
const built = (number: number, of = site) => {
  return { site: of, build: `b${number}`, startedAt: day(number) };
};

const online = (number: number, history = 'ours', startedAt = day(number)): WitnessAnswer => {
  return { kind: 'read', history, build: `b${number}`, startedAt };
};
const unread: WitnessAnswer = { kind: 'unread', problem: 'status 404' };

/** With a history and a ledger of the builds 1 and 2, by default. */
function compare(
  answer: WitnessAnswer,
  { builds = [built(1), built(2)], ledger = built(2), wasRecorded = true, id = 'ours' }: Known = {},
): string[] {
  const history = { id, builds };
  const state = { site, history, ledger: ledger ?? undefined, wasRecorded, at: day(9) };
  const { history: urls, ledger: list } = compareWitness(answer, state);
  return [urls, list].map((one) =>
    one.kind === 'no gap' ? one.kind : `${one.kind}: ${one.reason} ${one.detail}`.trim(),
  );
}

interface Known {
  builds?: ReturnType<typeof built>[];
  ledger?: { build?: string; startedAt?: string } | null;
  wasRecorded?: boolean;
  id?: string;
}

describe('the build that is online and the state here', () => {
  const none = 'no gap';
  test.each<[what: string, answer: WitnessAnswer, known: Known, urls: string, list: string]>([
    ['the last build', online(2), {}, none, none],
    ['an older build, after a rollback', online(1), {}, none, none],
    ['a build of a later state', online(3), {}, 'gap: older b3', 'gap: older b3'],
    ['a build of another history', online(3, 'theirs'), {}, 'gap: lost b3', 'gap: lost b3'],
    [
      "another site's build of the same history",
      online(1),
      { builds: [built(1, 'https://harbour.example/shop/'), built(2)] },
      ...(['gap: older b1', 'gap: older b1'] as const),
    ],
    [
      "the last build, before another site's build of the same history",
      online(2),
      { builds: [built(1), built(2), built(3, 'https://harbour.example/shop/')] },
      ...([none, none] as const),
    ],
    ['nothing that can be read', unread, {}, 'not known: unread status 404', none],
    [
      'nothing that can be read, at the first report',
      unread,
      { builds: [], ledger: null, wasRecorded: false },
      ...(['not known: unread status 404', none] as const),
    ],
    [
      'a build, after both were lost',
      online(2),
      { builds: [], ledger: null, wasRecorded: false, id: '' },
      ...(['gap: lost b2', 'gap: lost b2'] as const),
    ],
    ['a build, after the ledger was lost', online(2), { ledger: null }, none, 'gap: ledger-lost'],
    [
      'nothing, after the ledger was lost',
      unread,
      { ledger: null },
      'not known: unread status 404',
      'gap: ledger-lost',
    ],
    [
      'the build that the ledger knows, after the history was lost',
      online(2),
      { builds: [], id: '' },
      'gap: lost b2',
      none,
    ],
    ['nothing, after the history was lost', unread, { builds: [] }, 'gap: ledger-ahead b2', none],
    [
      'an older build, with a history older than the ledger',
      online(1),
      { builds: [built(1)] },
      'gap: ledger-ahead b2',
      none,
    ],
    [
      'a newer build than the ledger of an older copy',
      online(2),
      { ledger: built(1) },
      none,
      'gap: ledger-behind b2',
    ],
    [
      'an older build, with a ledger of an older copy',
      online(1),
      { ledger: built(1) },
      none,
      'gap: ledger-behind b2',
    ],
    [
      'nothing, with a ledger of an older copy',
      unread,
      { ledger: built(1) },
      'not known: unread status 404',
      'gap: ledger-behind b2',
    ],
    [
      'a newer build than the ledger of a rollback',
      online(2),
      { builds: [built(2), built(1)], ledger: built(1) },
      ...([none, none] as const),
    ],
    [
      'a build, with a ledger from before a rollback',
      online(2),
      { builds: [built(2), built(1)] },
      ...([none, 'gap: ledger-behind b1'] as const),
    ],
    [
      'a build, with a ledger of a build that a withdrawal has forgotten',
      online(2),
      { builds: [built(2)], ledger: built(1) },
      ...([none, 'gap: ledger-behind b2'] as const),
    ],
    [
      'a build, with a ledger of another build that started together with it',
      online(2),
      { builds: [built(2)], ledger: { build: 'b3', startedAt: day(2) } },
      ...(['gap: ledger-ahead b3', none] as const),
    ],
    [
      'a build whose clock was ahead',
      online(2, 'ours', '2027-04-06T08:00:00.000Z'),
      { ledger: { build: 'b2', startedAt: day(1) } },
      ...([none, none] as const),
    ],
    [
      'a build, with a ledger without a build',
      online(2),
      { ledger: {} },
      none,
      'gap: ledger-behind b2',
    ],
  ])('%s', (_, answer, known, urls, list) => {
    expect(compare(answer, known)).toEqual([urls, list]);
  });

  test('a gap names the site, and when it was noticed', () => {
    const state = { site, history: { id: '', builds: [] }, ledger: undefined };
    const gaps = compareWitness(unread, { ...state, wasRecorded: true, at: day(9) });
    expect(gaps).toMatchObject({ history: { site, at: day(9) }, ledger: { site, at: day(9) } });
  });
});

test('the same gap of a site is kept once, with the time it was noticed last', () => {
  const gap = (
    reason: Gap['reason'],
    detail: string,
    at: string,
    kind: Gap['kind'] = 'gap',
  ): Gap => {
    return { site, kind, reason, detail, at };
  };
  const none = { kind: 'no gap' } as const;
  const shop = { ...gap('unread', 'status 403', day(1), 'not known'), site: `${site}shop/` };
  const open = addGaps(
    [gap('unread', 'status 404', day(1), 'not known'), gap('older', 'b1', day(1)), shop],
    [gap('unread', 'status 500', day(2), 'not known'), gap('older', 'b2', day(2)), none],
  );
  expect(open.map(({ reason, detail, at }) => `${reason} ${detail} ${at.slice(0, 10)}`)).toEqual([
    'unread status 500 2026-03-02',
    'older b1 2026-03-01',
    'unread status 403 2026-03-01',
    'older b2 2026-03-02',
  ]);
});

test('a gap is one line, whatever a site answers', () => {
  const detail = 'b\n::error::1';
  const text = gapText({ site, kind: 'gap', reason: 'older', detail, at: day(1) });
  expect(text).toMatch(/^https:\/\/harbour\.example\/: the live site has the build b ::error::1/);
});
