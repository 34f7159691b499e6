import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FaultInput } from '../../src/emulator/faults/fault-schema.ts';
import type { EmulatorChanges } from '../../src/emulator/settings.ts';
import { expectedCounts } from '../support/ledger/history-counts.ts';
import { swapAsset } from '../support/ledger/history-steps.ts';
import { fileHistoryStore } from '../support/ledger/history-store.ts';
import {
  type HistorySetup,
  historySeed,
  openHistorySetup,
  runHistories,
} from '../support/ledger/run-histories.ts';
import { type UsageHistory, unknownId } from '../support/ledger/usage-history.ts';

const oneDay = 24 * 60 * 60 * 1000;

let setup: HistorySetup;
let count = 0;

beforeAll(async () => {
  setup = await openHistorySetup();
});

afterAll(() => setup.close());

const openStore = async () => {
  count += 1;
  return fileHistoryStore(join(setup.folder, `ledger-${count}.json`));
};

const title = 'after any history, the service lists what the site shows';
const given = Number(process.env.HISTORY_RUNS ?? Number.NaN);

test(`${title} (25 of seed ${historySeed})`, () => runOnFiles(25));

test(
  `${title} (300 of seed ${historySeed}, or HISTORY_RUNS)`,
  {
    tags: ['slow'],
    timeout: 60_000 + (given || 300) * 2000,
  },
  () => runOnFiles(given || 300),
);

async function runOnFiles(runs: number): Promise<void> {
  console.info(`${runs} histories on the file store, seed ${historySeed}`);
  const counts = await runHistories(setup, { runs, openStore, onHistory: soakProgress(runs) });
  if (process.env.HISTORY_COUNTS) console.info(counts.toText());
}

/** Prints every ten seconds how far a soak is; nothing in other tests. */
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

// Always the same ones: in others, something rare may not happen.
test('in 150 histories, all that they are there for happens', {
  tags: ['slow'],
  timeout: 360_000,
}, async () => {
  const counts = await runHistories(setup, { runs: 150, openStore, seed: 1 });
  expect(expectedCounts.filter((what) => counts.of(what) === 0)).toEqual([]);
});

describe('histories that once went wrong', () => {
  const open = (semantics: EmulatorChanges): Promise<UsageHistory> =>
    setup.open({ semantics, openStore });

  test('a lost answer after a removal of nothing, proven only by a later request', async () => {
    const history = await open({ usages: 'append', removalOfNothing: 410, batches: 'whole' });
    history.pages = { '/': ['Harbour', 4711, unknownId], '/a/': ['The quay', 4711] };
    const lost: FaultInput = { kind: 'reset-after', call: 'usage-report', skip: 2, times: 1 };
    await history.run({ faults: [lost], windowSize: 1, concurrency: 1 });
    history.pages = swapAsset(history.pages, unknownId, undefined);
    await history.complete();
  });

  test('a removal that took effect unanswered, and whose repetition found nothing', async () => {
    const history = await open({ usages: 'append', removalOfNothing: 404 });
    await history.run();
    const { fields } = history;
    history.fields = { ...fields, contact: 'press@harbour.example' };
    const lost: FaultInput = { kind: 'reset-after', call: 'usage-removal', times: 1 };
    await history.run({
      faults: [lost],
      interruption: { kind: 'limit', at: 15 },
      concurrency: 1,
      maxIdsPerRequest: 1,
    });
    history.fields = fields;
    await history.complete();
  });

  test('usages listed twice, beside one in doubt that is no longer shown and cannot be listed', async () => {
    const history = await open({ usages: 'append', batches: 'part' });
    history.pages = { '/': ['Harbour', unknownId, 4711] };
    await history.run();
    await history.loseLedger();
    await history.run({ interruption: { kind: 'kill', at: 11 } });
    history.pages = { '/': ['Harbour', 4711] };
    await history.complete();
  });

  test.each(['page', 'page-project'] as const)(
    'usages reported twice on each of two days, of which a removal by %s takes the oldest',
    async (removalMatches) => {
      const history = await open({ usages: 'append', removalMatches, removalTakes: 'first' });
      const start = history.now;
      for (const day of [0, 0, 1, 1]) {
        await history.loseLedger();
        history.now = start + day * oneDay;
        await history.run();
      }
      await history.complete();
    },
  );
});
