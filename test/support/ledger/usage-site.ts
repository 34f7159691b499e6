import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Manifest } from '../../../src/scan/manifest.ts';
import { ledgerPath } from '../../../src/usage/ledger/ledger-identity.ts';
import type { StateStore } from '../../../src/usage/ledger/open-state-store.ts';
import { fileStateStore } from '../../../src/usage/ledger/open-state-store.ts';
import type { ReportResult } from '../../../src/usage/report/report-result.ts';
import { type ReportRun, reportUsage } from '../../../src/usage/report/report-usage.ts';
import { overwriting, type Semantics } from './service-model.ts';
import { site, siteFields } from './usage-fixtures.ts';
import { startUsageServer, type UsageServer } from './usage-server.ts';

/** A site in its own folder, and the service that it reports to. */
export interface UsageSite {
  readonly server: UsageServer;
  readonly store: StateStore;
  readonly identity: ReportRun['identity'];
  readonly ledgerFile: string;
  /** Milliseconds since the epoch: the reporter's clock. */
  now: number;
  report(manifest: Manifest, options?: Partial<ReportRun>): Promise<ReportResult>;
  /** The ledger's text; `undefined` if there is no ledger. */
  ledger(): Promise<string | undefined>;
  /** The files next to the ledger. */
  files(): Promise<string[]>;
}

/** Closes after the test. */
export async function openUsageSite({
  semantics = overwriting,
  absent = 200,
}: {
  semantics?: Semantics;
  absent?: number;
} = {}): Promise<UsageSite> {
  const folder = await mkdtemp(join(tmpdir(), 'usage-site-'));
  const server = await startUsageServer({ semantics, absent });
  const identity = { service: server.url, site, base: '/' };
  const ledgerFile = ledgerPath(folder, identity);
  const store = fileStateStore({ path: ledgerFile });
  const usageSite: UsageSite = {
    server,
    store,
    identity,
    ledgerFile,
    now: Date.parse('2026-03-02T08:00:00Z'),
    report: (manifest, options = {}) =>
      reportUsage({
        manifest,
        fields: siteFields,
        service: server.client(),
        store,
        identity,
        clock: () => usageSite.now,
        allowRemovals: false,
        ...options,
      }),
    ledger: () => readFile(ledgerFile, 'utf8').catch(() => undefined),
    files: () => readdir(join(folder, '.media-asset')).catch(() => []),
  };
  onTestFinished(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  return usageSite;
}
