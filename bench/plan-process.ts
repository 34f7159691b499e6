/**
 * One build's plans and its ledger, in its own process, so that nothing is warm, like in a real
 * build. Prints the figures of `plan.ts` as JSON.
 */
import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import {
  emptyLedger,
  type Ledger,
  type LedgerRecord,
  toRecord,
} from '../src/usage/ledger/ledger.ts';
import { ledgerIdentity } from '../src/usage/ledger/ledger-identity.ts';
import { fileStateStore } from '../src/usage/ledger/open-state-store.ts';
import { ledgerChunks, loadLedger } from '../src/usage/ledger/stored-ledger.ts';
import { type Plan, planUsage, requestsOf } from '../src/usage/plan/plan-usage.ts';
import { makeManifest, renamed, site, siteFields } from './make-manifest.ts';
import type { PlanOrder } from './plan.ts';
import { memoryNow, memoryPeak } from './process-memory.ts';

const { folder, pages, assetsPerPage, seed } = JSON.parse(process.argv[2] ?? '') as PlanOrder;
const identity = ledgerIdentity({ service: 'https://media.example', site, base: '/' });
const pairs = pages * assetsPerPage;
const figures: Record<string, number> = {};

globalThis.gc?.();
const idle = memoryNow();
const assets = Array.from({ length: 20_000 }, (_, index) => 4711 + index);
const manifest = makeManifest({ pages, assetsPerPage, assets, seed });
globalThis.gc?.();
const holding = memoryNow();
figures['the manifest alone'] = holding - idle;

const plan = async (shown: typeof manifest, ledger: Ledger): Promise<Plan> =>
  planUsage({
    manifest: shown,
    ledger,
    fields: siteFields,
    today: '2026-03-02',
    maxIdsPerRequest: 100,
    allowRemovals: true,
  });

let known = emptyLedger(identity);
known = await firstRun();
const store = fileStateStore({ path: join(folder, 'ledger.json') });
await timed('ledger write', async () => {
  const lease = await store.lock();
  await lease.write(ledgerChunks(known), undefined);
  await lease.release();
});
figures['peak memory of plan and write'] = memoryPeak() - idle;
known = emptyLedger(identity);
const read = await timed('ledger read', () => loadLedger(store, identity));
known = read.ledger;
assert.equal(known.pages.size, pages);
figures['peak memory of plan, write and read'] = memoryPeak() - idle;
figures['plan, write and read, above the manifest'] = memoryPeak() - holding;

const unchanged = await timed('plan, unchanged', () => plan(manifest, known));
assert.deepEqual([unchanged.steps.length, unchanged.unchanged], [0, pairs]);
const names = renamed(manifest);
const replaced = await timed('plan, every page renamed', () => plan(names, known));
assert.equal(requestsOf(replaced.steps).length, 2 * pages);
await timed('ledger written over', async () => {
  const lease = await store.lock();
  const tag = await lease.write(ledgerChunks(known), read.tag);
  assert.equal(tag, read.tag, 'A ledger that was read is written as it was.');
  await lease.release();
});
process.stdout.write(JSON.stringify(figures));

/** The ledger after a first plan has been sent. */
async function firstRun(): Promise<Ledger> {
  const { steps } = await timed('plan, first', () => plan(manifest, known));
  assert.equal(steps.length, pages);
  const told = new Map<string, LedgerRecord[]>();
  let reported = 0;
  for (const { page, requests } of steps) {
    const records = requests.map((request) =>
      toRecord({ ...request, ids: [...request.ids] }, 'confirmed' as const),
    );
    told.set(page, records);
    reported += records.reduce((sum, { ids }) => sum + ids.length, 0);
  }
  assert.equal(reported, pairs);
  return { ...emptyLedger(identity), pages: told };
}

async function timed<T>(figure: string, act: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await act();
  figures[figure] = performance.now() - start;
  return result;
}
