import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { FaultInput } from '../../src/emulator/fault.ts';
import type { EmulatorChanges } from '../../src/emulator/settings.ts';
import { type EmulatorProcess, startEmulatorProcess } from '../support/start-emulator.ts';
import { openUsageHistory, type RunOptions, type UsageHistory } from '../support/usage-history.ts';

const seed = Number(process.env.HISTORY_SEED ?? Math.floor(Math.random() * 2 ** 31));
const numRuns = Number(process.env.HISTORY_RUNS ?? 100);
const oneDay = 24 * 60 * 60 * 1000;

/** An id that the library does not have: its reports are refused. */
const unknownId = 9;

let folder: string;
let emulator: EmulatorProcess;
let accessToken: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'histories-'));
  emulator = await startEmulatorProcess({ tokenLifetime: 31_536_000 });
  for (let count = 0; count < 5; count += 1) {
    await writeFile(join(emulator.mediaDir, `${count}.txt`), String(count));
  }
  accessToken = await emulator.signIn();
});

afterAll(async () => {
  await emulator.stop();
  await rm(folder, { recursive: true, force: true });
});

const path = fc.constantFrom('/a/', '/b/', '/c/', '/d/', '/e/');
const asset = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 4711, max: 4715 }) },
  { weight: 1, arbitrary: fc.constant(unknownId) },
);
const assets = fc.uniqueArray(asset, { maxLength: 5 });
const pageName = fc.constantFrom('The quay', 'Quay', 'Kai – „Süd“');

const fault = fc
  .record({
    call: fc.constantFrom('usage-report', 'usage-removal', 'any'),
    what: fc.constantFrom(
      { kind: 'reset-before' },
      { kind: 'reset-after' },
      { kind: 'status', status: 500 },
      { kind: 'status', status: 500, effect: true, body: 'html' },
      { kind: 'status', status: 422, body: 'text' },
      { kind: 'limit' },
      { kind: 'limit', status: 503, retryAfter: 0 },
      { kind: 'late', ms: 15 },
    ),
    rate: fc.constantFrom(0.3, 1),
    skip: fc.nat(4),
    times: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ what, ...where }) => ({ ...where, ...what }) as FaultInput);

const runOptions: fc.Arbitrary<RunOptions> = fc.record({
  faults: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 3, arbitrary: fc.array(fault, { minLength: 1, maxLength: 2 }) },
  ),
  cut: fc.option(
    fc.record({ kind: fc.constantFrom('stop' as const, 'kill' as const), at: fc.nat(6) }),
    { nil: undefined, freq: 2 },
  ),
  allowRemovals: fc.boolean(),
  serviceAnswered: fc.boolean(),
  windowSize: fc.constantFrom(1, 3, 100),
  maxIdsPerRequest: fc.constantFrom(1, 3, 100),
  concurrency: fc.constantFrom(1, 4),
});

type Step = fc.AsyncCommand<object, UsageHistory>;

/** A step of a history; its text is what a failure shows. */
function step(text: string, run: (history: UsageHistory) => unknown): Step {
  return {
    check: () => true,
    async run(_, history) {
      await run(history);
    },
    toString: () => text,
  };
}

const steps: fc.Arbitrary<Step>[] = [
  fc.record({ at: path, name: pageName, ids: assets }).map(({ at, name, ids }) =>
    step(`edit ${at}: ${name} ${ids}`, (history) => {
      history.pages = { ...history.pages, [at]: [name, ...ids] };
    }),
  ),
  fc.record({ name: pageName, ids: assets }).map(({ name, ids }) =>
    step(`edit all: ${name} ${ids}`, (history) => {
      for (const at of ['/', '/a/', '/b/', '/c/', '/d/', '/e/']) {
        history.pages = { ...history.pages, [at]: [name, ...ids] };
      }
    }),
  ),
  path.map((at) =>
    step(`delete ${at}`, (history) => {
      const { [at]: _, ...others } = history.pages;
      history.pages = others;
    }),
  ),
  fc.constant(
    step('delete all but the first page', (history) => {
      history.pages = { '/': ['Harbour'] };
    }),
  ),
  fc.record({ from: path, to: path }).map(({ from, to }) =>
    step(`move ${from} to ${to}`, (history) => {
      const { [from]: moved, ...others } = history.pages;
      if (moved) history.pages = { ...others, [to]: moved };
    }),
  ),
  fc.record({ from: asset, to: asset }).map(({ from, to }) =>
    step(`swap asset ${from} for ${to}`, (history) => {
      swap(history, from, to);
    }),
  ),
  fc.constantFrom('Harbour', 'Museum').map((project) =>
    step(`project ${project}`, (history) => {
      history.fields = { ...history.fields, project };
    }),
  ),
  fc.constantFrom('web@harbour.example', 'press@harbour.example').map((contact) =>
    step(`contact ${contact}`, (history) => {
      history.fields = { ...history.fields, contact };
    }),
  ),
  // Most runs are there twice: a history without them tells little.
  ...[0, 1, 2, 3].map(() =>
    runOptions.map((options) =>
      step(`run ${JSON.stringify(options)}`, (history) => {
        history.now += oneDay;
        return history.run(options);
      }),
    ),
  ),
  runOptions.map(({ cut: _, ...options }) =>
    step(`run twice ${JSON.stringify(options)}`, (history) => history.runTwice(options)),
  ),
];

/** Everywhere; where both were shown, one is left. */
function swap(history: UsageHistory, from: number, to: number | undefined): void {
  history.pages = Object.fromEntries(
    Object.entries(history.pages).map(([at, [name, ...ids]]) => {
      const swapped = ids.flatMap((id) => (id === from ? (to ?? []) : id));
      return [at, [name, ...new Set(swapped)]];
    }),
  );
}

const semantics: fc.Arbitrary<EmulatorChanges> = fc.record({
  usages: fc.constantFrom('overwrite', 'append'),
  removalMatches: fc.constantFrom('page', 'page-project', 'all-fields'),
  removalTakes: fc.constantFrom('all', 'first'),
  removalOfNothing: fc.constantFrom(200, 404, 410),
  batches: fc.constantFrom('whole', 'part'),
  usageAnswer: fc.constantFrom('json', 'empty', 'text'),
});

test(`after any history, the service lists what the site shows (seed ${seed})`, {
  timeout: 60_000 + numRuns * 2000,
}, async () => {
  let count = 0;
  const property = fc.asyncProperty(
    semantics,
    fc.commands(steps, { maxCommands: 24, size: 'max' }),
    async (semantics, commands) => {
      count += 1;
      const ledgerFile = join(folder, `ledger-${count}.json`);
      const history = await openUsageHistory(emulator, { ledgerFile, accessToken, semantics });
      try {
        await fc.asyncModelRun(() => ({ model: {}, real: history }), commands);
        swap(history, unknownId, undefined);
        await history.complete();
      } finally {
        await history.close();
      }
    },
  );
  await fc.assert(property, { numRuns, seed });
});

describe('histories that once went wrong', () => {
  async function openHistory(name: string, semantics: EmulatorChanges): Promise<UsageHistory> {
    const ledgerFile = join(folder, `${name}.json`);
    return openUsageHistory(emulator, { ledgerFile, accessToken, semantics });
  }

  test('a lost answer after a removal of nothing, proven only by a later request', async () => {
    const history = await openHistory('proven-later', {
      usages: 'append',
      removalOfNothing: 410,
      batches: 'whole',
    });
    history.pages = { '/': ['Harbour', 4711, unknownId], '/a/': ['The quay', 4711] };
    const lost: FaultInput = { kind: 'reset-after', call: 'usage-report', skip: 2, times: 1 };
    await history.run({ faults: [lost], windowSize: 1, concurrency: 1 });
    swap(history, unknownId, undefined);
    await history.complete();
  });

  test('a removal that took effect unanswered, and whose repetition found nothing', async () => {
    const history = await openHistory('repeated', { usages: 'append', removalOfNothing: 404 });
    await history.run();
    const { fields } = history;
    history.fields = { ...fields, contact: 'press@harbour.example' };
    const lost: FaultInput = { kind: 'reset-after', call: 'usage-removal', times: 1 };
    await history.run({
      faults: [lost],
      cut: { kind: 'stop', at: 0 },
      concurrency: 1,
      maxIdsPerRequest: 1,
    });
    history.fields = fields;
    await history.complete();
  });
});
