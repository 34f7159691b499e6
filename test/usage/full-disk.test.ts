/** @module-tag slow */
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileStateStore } from '../../src/usage/ledger/open-state-store.ts';
import { loadLedger } from '../../src/usage/ledger/stored-ledger.ts';
import { reportUsage } from '../../src/usage/report/report-usage.ts';
import { appending } from '../support/ledger/service-model.ts';
import {
  type ReportJob,
  reportInProcess,
  reportInProcesses,
} from '../support/ledger/start-report.ts';
import { manifestOf, onSite, pairsOf, siteFields } from '../support/ledger/usage-fixtures.ts';
import { startUsageServer, type UsageServer } from '../support/ledger/usage-server.ts';

let folder: string;
let server: UsageServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'full-disk-'));
  server = await startUsageServer({ semantics: appending });
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** New, replaced and removed pairs between the two. */
const before = {
  '/': ['Harbour', 1, 2],
  '/ferry/': ['Ferry', 3],
  '/tower/': ['Tower', 1],
} as const;
const after = { '/': ['The harbour', 1, 3], '/quay/': ['Quay', 1, 2] } as const;

/** A separate site, so that failures of several sites can be tested in parallel. */
async function openSite(name: string) {
  const site = `https://${name}.example`;
  const state = join(folder, name);
  await mkdir(state);
  const ledger = join(state, 'ledger.json');
  const manifest = (pages: Parameters<typeof manifestOf>[0]) => onSite(manifestOf(pages), site);
  const job: ReportJob = {
    manifest: manifest(after),
    fields: siteFields,
    identity: { service: server.url, site, base: '/' },
    windowSize: 2,
    token: 'token',
    ledger,
  };
  await reportUsage({
    ...job,
    manifest: manifest(before),
    service: server.client(),
    store: fileStateStore({ path: ledger }),
    clock: Date.now,
    allowRemovals: true,
  });
  const sent = () => server.log.filter(({ page }) => page.startsWith(`${site}/`)).length;
  const reported = sent();
  return {
    order: job,
    text: () => readFile(ledger, 'utf8'),
    files: () => readdir(state),
    /** The requests of the runs since then. */
    sent: () => sent() - reported,
    listed: () => server.model.list().filter((usage) => usage.startsWith(`${site}/`)),
  };
}

test('a disk that is full at any one write ends a run with a clear error, and the next run completes it', {
  timeout: 180_000,
}, async () => {
  const whole = await openSite('whole');
  const { ended, points } = await reportInProcess({ ...whole.order, failAt: 0 });
  expect(ended).toBe(0);
  expect(points).toBeGreaterThan(30);

  const sites = await Promise.all(
    Array.from({ length: points }, (_, index) => openSite(`full-${index + 1}`)),
  );
  const listed = sites.map((site) => site.listed());
  const ends = await reportInProcesses(
    sites.map(({ order }, index) => ({ ...order, failAt: index + 1 })),
  );
  for (const [index, site] of sites.entries()) {
    const at = `full at change ${index + 1} of ${points}`;
    const { ended, errors } = ends[index] ?? {};
    if (ended !== 0) {
      expect(errors, at).toContain("code: 'ledger-unwritable'");
      expect(errors, at).toContain('ENOSPC');
    }
    // One of the two, complete.
    const text = await site.text();
    const read = async () => ({ text, tag: '' });
    await loadLedger({ name: at, read }, site.order.identity);
    if (site.sent() === 0) expect(site.listed(), at).toEqual(listed[index]);
    if (ended === 0) expect(site.listed(), at).toEqual(pairsOf(site.order.manifest));
  }
  expect(new Set(ends.map(({ ended }) => ended))).toEqual(new Set([0, 1]));
  const completed = await reportInProcesses(sites.map(({ order }) => order));
  for (const [index, site] of sites.entries()) {
    const at = `full at change ${index + 1} of ${points}`;
    expect(completed[index], at).toMatchObject({ ended: 0, errors: '' });
    expect(site.listed(), at).toEqual(pairsOf(site.order.manifest));
    // The next run that sends deletes the files that couldn't be deleted.
    if (ends[index]?.ended !== 0) expect(await site.files(), at).toEqual(['ledger.json']);
  }
});
