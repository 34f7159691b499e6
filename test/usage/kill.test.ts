import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Manifest } from '../../src/scan/manifest.ts';
import type { Ledger } from '../../src/usage/ledger/ledger.ts';
import { fileStateStore } from '../../src/usage/ledger/open-state-store.ts';
import { loadLedger } from '../../src/usage/ledger/stored-ledger.ts';
import { planUsage, requestsOf } from '../../src/usage/plan/plan-usage.ts';
import { reportUsage } from '../../src/usage/report/report-usage.ts';
import { ledgerMistakes } from '../support/ledger/ledger-mistakes.ts';
import {
  type ReportJob,
  reportInProcess,
  reportInProcesses,
} from '../support/ledger/start-report.ts';
import { manifestOf, onSite, pairsOf, siteFields } from '../support/ledger/usage-fixtures.ts';
import { somePoints } from '../support/process/rounds.ts';
import { type EmulatorProcess, startEmulatorProcess } from '../support/service/emulator-process.ts';
import { tokenClient } from '../support/service/token-client.ts';

const windowSize = 3;

let folder: string;
let emulator: EmulatorProcess;
let token: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kill-'));
  emulator = await startEmulatorProcess();
  for (const name of ['quay', 'tower', 'ferry']) {
    await writeFile(join(emulator.mediaDir, `${name}.txt`), name);
  }
  token = await emulator.signIn();
});

afterAll(async () => {
  await emulator.stop();
  await rm(folder, { recursive: true, force: true });
});

type Pages = Parameters<typeof manifestOf>[0];

/** A separate site, so that kills of several sites can be tested in parallel in one service. */
function openSite(name: string) {
  const site = `https://${name}.example`;
  const ledger = join(folder, `${name}.json`);
  const orderOf = (pages: Pages): ReportJob => ({
    manifest: onSite(manifestOf(pages), site),
    fields: siteFields,
    identity: { service: emulator.url, site, base: '/' },
    windowSize,
    token,
    ledger,
  });
  const records = () => emulator.usages().filter(({ page }) => page.startsWith(`${site}/`));
  return {
    orderOf,
    /** Makes a complete report, in this process. */
    async report(pages: Pages): Promise<void> {
      const { manifest, fields, identity } = orderOf(pages);
      const service = tokenClient(emulator.url, token);
      const store = fileStateStore({ path: ledger });
      const run = { manifest, fields, identity, windowSize, service, store, clock: Date.now };
      const { outcome } = await reportUsage({ ...run, allowRemovals: true, serviceAnswered: true });
      expect(outcome, name).toBe('done');
    },
    records,
    listed: () =>
      records()
        .map(({ page, asset, pageName }) => `${page} ${asset} ${pageName}`)
        .sort(),
    async ledger(): Promise<Ledger | undefined> {
      const store = fileStateStore({ path: ledger });
      const known = await loadLedger(store, orderOf({}).identity);
      return known.tag === undefined ? undefined : known.ledger;
    },
  };
}

function inDoubt(ledger: Ledger | undefined): number {
  const records = [...(ledger?.pages.values() ?? [])].flat();
  return records.filter(({ state }) => state === 'in-doubt').length;
}

/** The number of pairs that still need a request. */
function left(manifest: Manifest, ledger: Ledger | undefined): number {
  if (ledger === undefined) throw new Error('There is no ledger.');
  const { steps } = planUsage({
    manifest,
    ledger,
    fields: siteFields,
    today: '2026-03-02',
    maxIdsPerRequest: 100,
    allowRemovals: true,
  });
  const pairs = requestsOf(steps).flatMap(({ page, ids }) => ids.map((id) => `${page} ${id}`));
  return new Set(pairs).size;
}

const before = {
  '/': ['Harbour', 4711, 4712],
  '/ferry/': ['Ferry', 4713],
  '/tower/': ['Tower', 4711],
} as const;
/** New, replaced and removed pairs. The new ones exceed a window. */
const after = {
  '/': ['The harbour', 4711, 4713],
  '/mole/': ['The mole', 4713],
  '/pier/': ['The pier', 4712],
  '/quay/': ['The quay', 4711, 4712],
  '/slip/': ['The slip', 4711],
  '/tower/': ['The tower', 4711],
} as const;

// Each takes the points that the other leaves out.
describe.each([
  ['overwrite', 0],
  ['append', 1],
] as const)('for a service that can %s', (usages, first) => {
  test('a killed run is completed by the next one, wherever it was killed', {
    tags: ['slow'],
    timeout: 300_000,
  }, async () => {
    await emulator.setSettings({ usages });
    const whole = openSite(`whole-${usages}`);
    await whole.report(before);
    const { ended, points: count, errors } = await reportInProcess(whole.orderOf(after));
    expect({ ended, errors }).toEqual({ ended: 0, errors: '' });
    expect(count).toBeGreaterThan(40);

    const sites = somePoints(count, first).map((point) => ({
      point,
      ...openSite(`${usages}-${point}`),
    }));
    for (const site of sites) await site.report(before);
    const ends = await reportInProcesses(
      sites.map(({ point, orderOf }) => ({ ...orderOf(after), killAt: point })),
    );
    for (const [index, site] of sites.entries()) {
      const at = `killed at point ${site.point} of ${count}`;
      expect(ends[index], at).toMatchObject({ ended: 'SIGKILL' });
      const ledger = await site.ledger();
      expect(inDoubt(ledger), at).toBeLessThanOrEqual(windowSize);
      expect(ledgerMistakes(ledger, site.records()), at).toEqual([]);
      await site.report(after);
      expect(site.listed(), at).toEqual(pairsOf(site.orderOf(after).manifest));
      expect(ledgerMistakes(await site.ledger(), site.records()), at).toEqual([]);
    }
  });
});

test('each of many killed runs reduces the remaining work', {
  tags: ['slow'],
  timeout: 60_000,
}, async () => {
  await emulator.setSettings({ usages: 'append' });
  const site = openSite('again-and-again');
  const job = site.orderOf(
    Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`/${n}/`, ['Page', 4711]])),
  );
  const lefts = [12];
  let end = await reportInProcess({ ...job, killAtRequest: 5 });
  for (; end.ended !== 0; end = await reportInProcess({ ...job, killAtRequest: 5 })) {
    expect(end.ended).toBe('SIGKILL');
    const ledger = await site.ledger();
    // New reports go first, so pairs that an earlier kill left in doubt can still be there.
    expect(inDoubt(ledger)).toBeLessThanOrEqual(windowSize * lefts.length);
    lefts.push(left(job.manifest, ledger));
    expect(lefts.at(-1), lefts.join(', ')).toBeLessThan(lefts.at(-2) ?? 0);
  }
  expect(end.errors).toBe('');
  expect(lefts.length).toBeGreaterThan(3);
  expect(site.listed()).toEqual(pairsOf(job.manifest));
});
