import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SettingChanges } from '../support/bends/bent-emulator.ts';
import type { Fault } from '../support/bends/faults/faults.ts';
import { expectedCounts } from '../support/ledger/history-counts.ts';
import { type HistoryTest, type UsageHistory, unknownId } from '../support/ledger/history-site.ts';
import { swapAsset } from '../support/ledger/history-steps.ts';
import { fileHistoryStores, type StatePlaces } from '../support/ledger/history-store.ts';
import {
  type HistorySetup,
  historySeed,
  historyTimeout,
  openHistorySetup,
  runHistories,
} from '../support/ledger/run-histories.ts';
import { rounds } from '../support/process/rounds.ts';

const oneDay = 24 * 60 * 60 * 1000;

let setup: HistorySetup;
let count = 0;

beforeAll(async () => {
  setup = await openHistorySetup();
});

afterAll(() => setup.close());

const openStore = async () => {
  count += 1;
  return fileHistoryStores(join(setup.folder, `ledger-${count}.json`));
};

const title = 'after any history, the service lists what the site shows';
const few = rounds(25);
const given = Number(process.env.HISTORY_RUNS ?? Number.NaN);

test(
  `${title} (${few} of seed ${historySeed})`,
  {
    tags: ['slow'],
    timeout: historyTimeout(few),
  },
  (test) => runOnFiles(few, test),
);

test.runIf(given)(
  `${title} (HISTORY_RUNS of seed ${historySeed})`,
  { timeout: historyTimeout(given || 1) },
  (test) => runOnFiles(given, test),
);

async function runOnFiles(runs: number, test: HistoryTest): Promise<void> {
  console.info(`${runs} histories on the file store, seed ${historySeed}`);
  const counts = await runHistories(setup, {
    runs,
    openStore,
    test,
    onHistory: soakProgress(runs),
  });
  if (process.env.HISTORY_COUNTS) console.info(counts.toText());
}

/** Prints the progress of a soak every ten seconds. Prints nothing in other tests. */
function soakProgress(total: number): (done: number) => void {
  if (process.env.HISTORY_PROGRESS === undefined) return () => {};
  const start = Date.now();
  let last = start;
  return (done) => {
    const now = Date.now();
    if (now - last < 10_000 && done < total) return;
    last = now;
    const rate = (done * 1000) / (now - start);
    const left = Math.ceil((total - done) / rate);
    const share = `${done.toLocaleString('en')} of ${total.toLocaleString('en')} histories`;
    const time = `${Math.floor(left / 60)} min ${left % 60} s left`;
    console.info(done < total ? `${share}, ${rate.toFixed(1)} a second, ${time}` : share);
  };
}

const many = rounds(100);
/** Half of the histories lack them. */
const rare: readonly string[] =
  many < 100 ? ['wrong list, and a gap', 'wrong list, and an answer that is not known'] : [];

// Always the same histories, because others may lack a rare event.
test(`${many} histories contain every expected event`, {
  tags: ['slow'],
  timeout: historyTimeout(many),
}, async (test) => {
  const counts = await runHistories(setup, { runs: many, openStore, test, seed: 1 });
  const missing = expectedCounts.filter((what) => counts.of(what) === 0);
  expect(missing.filter((what) => !rare.includes(what))).toEqual([]);
});

test('histories of a finished test start nothing more, and leave nothing behind', async ({
  onTestFinished,
}) => {
  const over = new AbortController();
  const places: StatePlaces[] = [];
  const begin = async () => {
    if (places.length === 1) over.abort();
    const place = await openStore();
    places.push(place);
    return place;
  };
  const test = { signal: over.signal, onTestFinished };
  await expect(runHistories(setup, { runs: 25, openStore: begin, test })).rejects.toThrow('abort');
  expect(await Promise.all(places.map(({ ledger }) => ledger.content()))).toEqual([
    undefined,
    undefined,
  ]);
  expect(await setup.emulator.faults()).toEqual([]);
});

describe('histories that once failed', () => {
  const open = async (
    semantics: SettingChanges,
    { signal, onTestFinished }: HistoryTest,
  ): Promise<UsageHistory> => {
    const history = await setup.open({ semantics, openStore, signal });
    onTestFinished(() => history.close());
    return history;
  };

  test('a lost answer after a removal of a missing usage, proven only by a later request', async (test) => {
    const history = await open({ usages: 'append', removalOfNothing: 410, batches: 'whole' }, test);
    history.pages = { '/': ['Harbour', 4711, unknownId], '/a/': ['The quay', 4711] };
    const lost: Fault = { kind: 'reset-after', call: 'usage-report', skip: 2, times: 1 };
    await history.run({ faults: [lost], windowSize: 1, concurrency: 1 });
    history.pages = swapAsset(history.pages, unknownId, undefined);
    await history.complete();
  });

  test('a removal that took effect unanswered, and whose retry found nothing', async (test) => {
    const history = await open({ usages: 'append', removalOfNothing: 404 }, test);
    await history.run();
    const { fields } = history;
    history.fields = { ...fields, contact: 'press@harbour.example' };
    const lost: Fault = { kind: 'reset-after', call: 'usage-removal', times: 1 };
    await history.run({
      faults: [lost],
      interruption: { kind: 'end', at: 15 },
      concurrency: 1,
      maxIdsPerRequest: 1,
    });
    history.fields = fields;
    await history.complete();
  });

  test("usages listed twice, next to one in doubt that is no longer shown and can't be listed", async (test) => {
    const history = await open({ usages: 'append', batches: 'part' }, test);
    history.pages = { '/': ['Harbour', unknownId, 4711] };
    await history.run();
    await history.lose(['ledger']);
    await history.run({ interruption: { kind: 'kill', at: 11 } });
    history.pages = { '/': ['Harbour', 4711] };
    await history.complete();
  });

  test('a report in doubt whose batch is refused, and whose removal then fails', async (test) => {
    const semantics = { removalMatches: 'page-project', removalTakes: 'first' } as const;
    const reading = { usages: 'append', removalOfNothing: 410, batches: 'part' } as const;
    const history = await open({ ...reading, ...semantics }, test);
    history.pages = { '/a/': ['The quay', 4711, 4713, unknownId] };
    const late: Fault = { kind: 'late', call: 'usage-report', ms: 15, skip: 2, times: 1 };
    await history.run({ faults: [late], windowSize: 1, concurrency: 1 });
    const limit: Fault = { kind: 'limit', call: 'usage-removal', skip: 2, times: 2 };
    await history.run({ faults: [limit], windowSize: 1, concurrency: 1 });
    history.pages = swapAsset(history.pages, unknownId, undefined);
    await history.complete();
  });

  test('a removal that took effect, was answered with 429, and ended before its retry', async (test) => {
    const history = await open({ usages: 'append', removalOfNothing: 404 }, test);
    await history.run();
    history.pages = { '/': ['Harbour'] };
    await history.run({
      faults: [{ kind: 'status', call: 'usage-removal', status: 429, effect: true }],
      interruption: { kind: 'end', at: 10 },
      allowRemovals: true,
      windowSize: 1,
      maxIdsPerRequest: 1,
      concurrency: 1,
    });
    await history.complete();
  });

  test.for([404, 410, 422] as const)(
    'an asset that the service knows no more, with %i for its removal and its report, and then again',
    async (status, test) => {
      const history = await open({ usages: 'append', removalOfNothing: 404 }, test);
      history.pages = { '/': ['Harbour', 4711], '/a/': ['The quay', 4712] };
      await history.run();
      history.pages = { '/': ['Harbour', 4711], '/a/': ['The old quay', 4712] };
      await history.run({
        faults: [{ kind: 'status', call: 'any', status, times: 2 }],
        serviceAnswered: true,
      });
      await history.complete();
    },
  );

  test.for(['page', 'page-project'] as const)(
    'usages reported twice on each of two days, of which a removal by %s takes the oldest',
    async (removalMatches, test) => {
      const history = await open({ usages: 'append', removalMatches, removalTakes: 'first' }, test);
      const start = history.now;
      for (const day of [0, 0, 1, 1]) {
        await history.lose(['ledger']);
        history.now = start + day * oneDay;
        await history.run();
      }
      await history.complete();
    },
  );
});
