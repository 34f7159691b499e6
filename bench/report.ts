import { strict as assert } from 'node:assert';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { Manifest } from '../src/scan/manifest.ts';
import { toUsageBody } from '../src/service/calls/usage-calls.ts';
import { fileStateStore } from '../src/usage/ledger/open-state-store.ts';
import type { ReportResult } from '../src/usage/report/report-result.ts';
import { reportUsage } from '../src/usage/report/report-usage.ts';
import {
  type EmulatorProcess,
  startEmulatorProcess,
} from '../test/support/service/emulator-process.ts';
import { type Bench, scaled } from './bench.ts';
import { makeManifest, site, siteFields } from './make-manifest.ts';
import { openClient } from './open-client.ts';

/** In milliseconds. */
const latency = 50;
/** Concurrent requests: the default of a report. */
const concurrency = 8;

const ideal = 'requests × latency ÷ concurrency';
const lanes = 'requests at once';
const bare = 'bare fetch, as many at once';

export const reportBench: Bench = {
  name: 'report',
  about:
    'Reports 1,000 pages with 10 assets each for the first time, then again unchanged. The emulator runs in its own process, 50 ms away. The time includes the token, the plan and the ledger.',
  figures: [
    { name: 'first report', unit: 'ms', against: [{ peer: ideal, goal: 1.2 }, { peer: bare }] },
    { name: ideal, unit: 'ms' },
    { name: bare, unit: 'ms' },
    { name: 'requests of the first report', unit: 'requests' },
    {
      name: 'connections of the first report',
      unit: 'connections',
      against: [{ peer: lanes, goal: 1 }],
    },
    { name: lanes, unit: 'connections' },
    { name: 'requests of an unchanged run', unit: 'requests' },
    { name: 'unchanged run', unit: 'ms' },
  ],
  async open(size) {
    const emulator = await startEmulatorProcess({ usages: 'append' });
    const assets = await addAssets(emulator, 200);
    const manifest = makeManifest({
      pages: scaled(1000, size),
      assetsPerPage: 10,
      assets,
      seed: size.seed,
    });
    return {
      round: () => reportRound(emulator, manifest),
      close: async () => void (await emulator.stop()),
    };
  },
};

async function reportRound(
  emulator: EmulatorProcess,
  manifest: Manifest,
): Promise<Record<string, number>> {
  await emulator.reset();
  await emulator.setFaults([{ kind: 'latency', call: 'any', ms: latency }]);
  const folder = await mkdtemp(join(tmpdir(), 'bench-report-'));
  try {
    const ledger = join(folder, 'ledger.json');
    const { result: first, connections } = await countConnections(() =>
      timed(() => report(emulator, { manifest, ledger })),
    );
    assert.ok(connections <= concurrency, `There were ${connections} connections.`);
    const pages = manifest.pages.length;
    assert.deepEqual([first.result.outcome, first.result.requests], ['done', pages]);
    assert.deepEqual(pairsListed(emulator), pairsShown(manifest));

    emulator.clearLog();
    const again = await timed(() => report(emulator, { manifest, ledger }));
    assert.equal(again.result.outcome, 'done');
    assert.deepEqual(emulator.log(), [], 'An unchanged run sends no request.');

    const token = await emulator.signIn();
    const peer = await timed(() => sendBare(emulator, { manifest, token }));
    return {
      'first report': first.milliseconds,
      'requests of the first report': first.result.requests,
      'connections of the first report': connections,
      [lanes]: concurrency,
      'unchanged run': again.milliseconds,
      'requests of an unchanged run': again.result.requests,
      [ideal]: (pages * latency) / concurrency,
      [bare]: peer.milliseconds,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reports like a build, with a client that has no token yet. */
function report(
  { url, env }: EmulatorProcess,
  { manifest, ledger }: { manifest: Manifest; ledger: string },
): Promise<ReportResult> {
  const service = openClient(url, env);
  return reportUsage({
    manifest,
    fields: siteFields,
    service,
    store: fileStateStore({ path: ledger }),
    identity: { service: url, site, base: '/' },
    clock: Date.now,
    allowRemovals: false,
    concurrency,
  });
}

/** The same requests and nothing else: no ledger, no retries, no checks. */
async function sendBare(
  { url }: EmulatorProcess,
  { manifest, token }: { manifest: Manifest; token: string },
): Promise<void> {
  await pLimit(concurrency).map(manifest.pages, async ({ page, pageName, assets }) => {
    const fields = { ...siteFields, date: '2026-03-02', removed: false };
    const response = await fetch(`${url}/1/files/multiple/usages`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(toUsageBody({ ...fields, page, pageName, ids: assets })),
    });
    assert.equal(response.status, 200, await response.text());
  });
}

/** The connections that were opened, from Node's own events. */
async function countConnections<T>(
  act: () => Promise<T>,
): Promise<{ result: T; connections: number }> {
  const sockets = new Set<unknown>();
  const note = (message: unknown) => sockets.add((message as { socket: unknown }).socket);
  subscribe('net.client.socket', note);
  try {
    const result = await act();
    assert.ok(sockets.size > 0, 'Connections are counted.');
    return { result, connections: sockets.size };
  } finally {
    unsubscribe('net.client.socket', note);
  }
}

/** Adds this many files to the media folder and returns their IDs. */
async function addAssets({ mediaDir, fetch }: EmulatorProcess, count: number): Promise<number[]> {
  for (let index = 0; index < count; index += 1) {
    await writeFile(join(mediaDir, `${index}.txt`), `Asset ${index}`);
  }
  const response = await fetch('/1/search/file?query=txt&fields=id');
  const found = (await response.json()) as { id: number }[];
  assert.equal(found.length, count);
  return found.map(({ id }) => id);
}

function pairsListed(emulator: EmulatorProcess): string[] {
  return emulator
    .usages()
    .map(({ page, asset }) => `${page} ${asset}`)
    .sort();
}

function pairsShown({ pages }: Manifest): string[] {
  return pages.flatMap(({ page, assets }) => assets.map((id) => `${page} ${id}`)).sort();
}

async function timed<T>(act: () => Promise<T>): Promise<{ result: T; milliseconds: number }> {
  const start = performance.now();
  const result = await act();
  return { result, milliseconds: performance.now() - start };
}
