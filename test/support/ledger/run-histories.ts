import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { SettingChanges } from '../bends/bent-emulator.ts';
import { testSeed } from '../process/random-seed.ts';
import { type EmulatorProcess, startEmulatorProcess } from '../service/emulator-process.ts';
import { createHistoryCounts, type HistoryCounts } from './history-counts.ts';
import { type HistoryTest, libraryIds, type UsageHistory, unknownId } from './history-site.ts';
import { historySteps, swapAsset } from './history-steps.ts';
import type { OpenHistoryStore } from './history-store.ts';
import { openUsageHistory } from './usage-history.ts';

/** The seed of the random histories: `HISTORY_SEED`, that of all random tests, or a new number. */
export const historySeed = Number(
  process.env.HISTORY_SEED ?? testSeed ?? Math.floor(Math.random() * 2 ** 31),
);

/** Time limit for this many histories on a loaded machine with two cores, in milliseconds. */
export const historyTimeout = (runs: number) => 60_000 + runs * 4000;

/** All 144 ways to read the interface where it leaves something open about usages. */
const emulatorSemantics: readonly SettingChanges[] = (['overwrite', 'append'] as const).flatMap(
  (usages) =>
    (['page', 'page-project', 'all-fields'] as const).flatMap((removalMatches) =>
      (['all', 'first'] as const).flatMap((removalTakes) =>
        ([200, 400, 404, 409, 410, 422] as const).flatMap((removalOfNothing) =>
          (['whole', 'part'] as const).map((batches) => {
            return { usages, removalMatches, removalTakes, removalOfNothing, batches };
          }),
        ),
      ),
    ),
);

const usageAnswer = fc.constantFrom('json' as const, 'empty' as const, 'text' as const);

/** A service for histories, and a folder for their files. */
export interface HistorySetup {
  readonly emulator: EmulatorProcess;
  readonly folder: string;
  open(options: {
    semantics: SettingChanges;
    openStore: OpenHistoryStore;
    signal: AbortSignal;
    counts?: HistoryCounts;
  }): Promise<UsageHistory>;
  close(): Promise<void>;
}

export async function openHistorySetup(): Promise<HistorySetup> {
  const folder = await mkdtemp(join(tmpdir(), 'histories-'));
  const emulator = await startEmulatorProcess({ tokenLifetime: 31_536_000 });
  for (const id of libraryIds) await writeFile(join(emulator.mediaDir, `${id}.txt`), String(id));
  const accessToken = await emulator.signIn();
  return {
    emulator,
    folder,
    open: (options) => openUsageHistory(emulator, { accessToken, ...options }),
    async close() {
      await emulator.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Runs random histories: the same number for each reading of the interface, or one each for some of
 * them if `runs` is smaller. Fails with the shortest failing history. If the test times out, the
 * histories end before the next test starts.
 */
export function runHistories(
  setup: HistorySetup,
  { test, ...options }: HistoryOptions & { test: HistoryTest },
): Promise<HistoryCounts> {
  const counts = countHistories(setup, { ...options, signal: test.signal });
  test.onTestFinished(async () => {
    await Promise.allSettled([counts]);
  }, historyTimeout(1));
  return counts;
}

interface HistoryOptions {
  runs: number;
  openStore: OpenHistoryStore;
  seed?: number;
  onHistory?: (done: number) => void;
}

async function countHistories(
  setup: HistorySetup,
  {
    runs,
    openStore,
    signal,
    seed: start = historySeed,
    onHistory = () => {},
  }: HistoryOptions & { signal: AbortSignal },
): Promise<HistoryCounts> {
  const counts = createHistoryCounts();
  let done = 0;
  for (const [index, semantics] of emulatorSemantics.entries()) {
    // Spreads few histories over all readings: 7 has no factor in common with 144.
    const place = (index * 7 + start) % emulatorSemantics.length;
    const numRuns = Math.ceil((runs - place) / emulatorSemantics.length);
    if (numRuns <= 0) continue;
    const property = fc.asyncProperty(usageAnswer, historySteps, async (usageAnswer, steps) => {
      const reading = { ...semantics, usageAnswer };
      const history = await setup.open({ semantics: reading, openStore, signal, counts });
      try {
        await fc.asyncModelRun(() => ({ model: {}, real: history }), steps);
        history.pages = swapAsset(history.pages, unknownId, undefined);
        await history.complete();
      } finally {
        await history.close();
      }
      done += 1;
      onHistory(done);
    });
    const seed = start + index;
    await fc.assert(property, { numRuns, seed }).catch((error) => {
      signal.throwIfAborted();
      const problem = `In ${JSON.stringify(semantics)}, HISTORY_SEED=${start}`;
      throw new Error(`${problem}: ${error.message}`, { cause: error });
    });
  }
  return counts;
}
