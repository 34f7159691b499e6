import { beforeEach, describe, expect, test } from 'vitest';
import type { WitnessAnswer } from '../../src/usage/ledger/gaps.ts';
import { emptyLedger } from '../../src/usage/ledger/ledger.ts';
import { ledgerIdentity } from '../../src/usage/ledger/ledger-identity.ts';
import { openStateStore, type StateKind } from '../../src/usage/ledger/open-state-store.ts';
import { loadHistory } from '../../src/usage/ledger/publication-history.ts';
import { ledgerChunks, loadLedger } from '../../src/usage/ledger/stored-ledger.ts';
import { recordPublication } from '../../src/usage/record-publication.ts';
import { identity, site, siteFields } from '../support/ledger/usage-fixtures.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';

const day = (number: number) => `2026-03-0${number}T08:00:00.000Z`;
const unread: WitnessAnswer = { kind: 'unread', problem: 'status 404' };
const online = (number: number): WitnessAnswer => {
  return { kind: 'read', history: 'theirs', build: `b${number}`, startedAt: day(number) };
};

let root: string;
beforeEach(async () => {
  root = await temporaryFolder('recorded');
});

const open = (kind: StateKind) => openStateStore({ store: undefined, root, identity, kind });

/** Records the publication of a day's build, while `live` is online. */
async function record(
  number: number,
  {
    live = unread,
    first,
    base = '/',
    shown = {},
    ...rules
  }: {
    live?: WitnessAnswer;
    first?: boolean;
    base?: string;
    /** The asset of each page. */
    shown?: Record<string, number>;
    witness?: WitnessAnswer;
    build?: undefined;
  } = {},
) {
  const state = { store: open('ledger'), history: open('history'), fields: siteFields };
  await recordPublication(
    { ...state, identity: ledgerIdentity({ ...identity, base }), clock: () => Date.parse(day(9)) },
    { pages: [] },
    {
      rules: { build: `b${number}`, ...rules },
      publication: {
        build: day(number),
        urls: Object.entries(shown).map(([path, id]) => {
          return { kind: 'page', url: site + path, id, hash: '' } as const;
        }),
      },
      first,
      signal: undefined,
      readWitness: async () => live,
    },
  );
}

/** Why the history may lack URLs, apart from that it has just begun. */
async function gaps(): Promise<string[]> {
  const { gaps = [] } = (await loadHistory(open('history'), identity.service)) ?? {};
  return gaps
    .filter(({ reason }) => reason !== 'new')
    .map(({ reason, detail }) => `${reason} ${detail}`);
}

async function writeLedger(build: string): Promise<void> {
  const lease = await open('ledger').lock();
  const ledger = { ...emptyLedger(ledgerIdentity(identity)), build, startedAt: day(1) };
  await lease.write(ledgerChunks(ledger), undefined);
  await lease.release();
}

describe('the build that was online before', () => {
  test.each<[string, Parameters<typeof record>[1], string]>([
    ['is the one that the build has read', { witness: online(1), live: online(2) }, 'lost b1'],
    ['is the one that is online now, if the build has read none', { live: online(1) }, 'lost b1'],
    ['is unknown if it is this one now', { live: online(2) }, 'unread it was replaced'],
    [
      'is unknown if the build could not read it, and it is this one now',
      { witness: unread, live: online(2) },
      'unread status 404',
    ],
    [
      'is unknown if builds do not write one',
      { build: undefined, live: online(1) },
      "unread its builds don't write one",
    ],
  ])('%s', async (_, given, gap) => {
    await record(2, given);
    expect(await gaps()).toEqual([gap]);
  });
});

describe('that nothing was published before', () => {
  test.each<[string, () => Promise<unknown>, WitnessAnswer]>([
    ['nothing', async () => {}, unread],
    ['this build online', async () => {}, online(2)],
    ['a record of this build', () => record(2), unread],
  ])('is believed with %s, and leaves no gap', async (_, prepare, live) => {
    await prepare();
    await record(2, { first: true, live });
    expect((await loadHistory(open('history'), identity.service))?.gaps).toEqual([]);
  });

  test.each<[string, () => Promise<unknown>, WitnessAnswer]>([
    ['another build online', async () => {}, online(1)],
    ['a record of another build', () => record(1), unread],
    ['a ledger of another build', () => writeLedger('b1'), unread],
  ])('is an error with %s', async (_, prepare, live) => {
    await prepare();
    await expect(record(2, { first: true, live })).rejects.toMatchObject({
      code: 'history-not-first',
      details: { build: 'b1' },
    });
  });
});

describe('the pages that the history knows', () => {
  const ledger = async () => {
    const { gap, pages } = (await loadLedger(open('ledger'), identity)).ledger;
    const records = [...pages.values()].flat();
    return [gap?.reason, ...records.map(({ page, ids, state }) => `${page} ${ids} ${state}`)];
  };

  test("are in doubt in a lost ledger, without those of another site's base", async () => {
    await record(1, { shown: { '/a/': 1 } });
    await record(2, { shown: { '/shop/': 2 }, base: '/shop' });
    await record(3);
    expect(await ledger()).toEqual(['ledger-lost', `${site}/a/ 1 in-doubt`]);
  });

  test('show that the ledger is lost if a build without an ID published them, but not whose they are', async () => {
    const span = `"first":"${day(1)}","last":"${day(1)}"`;
    const entries = `[{"kind":"page",${span},"urls":[["${site}/a/","",[1]]]}]`;
    const head = `"version":2,"service":"${identity.service}","id":"a","builds":[],"gaps":[]`;
    const text = `{${head},"entries":${entries}}`;
    const lease = await open('history').lock();
    await lease.write([text], undefined);
    await lease.release();
    await record(2);
    expect(await ledger()).toEqual(['ledger-lost']);
  });

  test("aren't added to a ledger that is only older", async () => {
    await record(2, { shown: { '/a/': 1 } });
    await writeLedger('b1');
    await record(3);
    expect(await ledger()).toEqual(['ledger-behind']);
  });
});
