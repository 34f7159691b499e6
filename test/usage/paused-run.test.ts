import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, type TestContext, test } from 'vitest';
import type { Manifest } from '../../src/scan/manifest.ts';
import type { StateStore } from '../../src/usage/ledger/open-state-store.ts';
import { fileStateStore } from '../../src/usage/ledger/open-state-store.ts';
import { reportUsage } from '../../src/usage/report/report-usage.ts';
import { openRedisStore } from '../support/ledger/open-redis-store.ts';
import { appending } from '../support/ledger/service-model.ts';
import { type ReportJob, startReport } from '../support/ledger/start-report.ts';
import { manifestOf, pairsOf, site, siteFields } from '../support/ledger/usage-fixtures.ts';
import { startUsageServer, type Treatment } from '../support/ledger/usage-server.ts';
import { findRedis, startRedis } from '../support/process/start-redis.ts';

/** Of a lease, in ms. A run that pauses for less than three seconds keeps it. */
const expiry = 4000;
/** Time limit for expected events, in ms. */
const patience = 40_000;
const busy = expect.objectContaining({ code: 'ledger-busy' });
const before = manifestOf({ '/': ['Harbour', 1], '/ferry/': ['Ferry', 2], '/quay/': ['Quay', 3] });
const shown = manifestOf({
  '/': ['The harbour', 1],
  '/tower/': ['Tower', 4],
  '/quay/': ['Quay', 5],
});
const next = manifestOf({ '/': ['Harbour', 1, 6], '/tower/': ['The tower', 4] });

const kinds = findRedis() ? (['file', 'redis'] as const) : (['file'] as const);

type Finished = TestContext['onTestFinished'];

/** A service with an earlier run's reports, and that run's ledger. Closed after the test. */
async function openWorld(kind: (typeof kinds)[number], onTestFinished: Finished) {
  const folder = await mkdtemp(join(tmpdir(), 'paused-'));
  const children: ChildProcess[] = [];
  const redis = kind === 'redis' ? await startRedis() : undefined;
  const server = await startUsageServer({ semantics: appending });
  const ledger = redis?.url ?? join(folder, 'ledger.json');
  const identity = { service: server.url, site, base: '/' };
  onTestFinished(async () => {
    for (const child of children) child.kill('SIGKILL');
    await server.close();
    await redis?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  function open(): StateStore {
    if (kind === 'file') return fileStateStore({ path: ledger, expiry });
    return openRedisStore({ url: ledger, identity, expiry });
  }

  const report = (manifest: Manifest) =>
    reportUsage({
      manifest,
      fields: siteFields,
      service: server.client(),
      store: open(),
      identity,
      clock: Date.now,
      allowRemovals: true,
    });

  /** Starts a run in its own process and waits for its first request, which isn't answered yet. */
  async function startHeld(manifest: Manifest, more: Partial<ReportJob> = {}) {
    const arrived = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    server.treat = async (_, index): Promise<Treatment> => {
      if (index > 0) return 'done';
      arrived.resolve();
      await answer.promise;
      return 'done';
    };
    const run = start(manifest, more);
    const ended = run.end.then(({ errors }) => Promise.reject(new Error(errors)));
    await Promise.race([arrived.promise, ended]);
    return { ...run, answer: answer.resolve };
  }

  function start(manifest: Manifest, more: Partial<ReportJob> = {}) {
    const job: ReportJob = {
      manifest,
      fields: siteFields,
      identity,
      windowSize: 2,
      concurrency: 1,
      token: 'token',
      ledger,
      kind,
      expiry,
      ...more,
    };
    const run = startReport(job);
    children.push(run.child);
    return run;
  }

  await report(before);
  server.log.length = 0;
  return { server, report, start, startHeld };
}

// In parallel, because they mostly wait for leases.
describe.concurrent.each(kinds)(
  'real processes with their ledger in %s',
  {
    tags: ['slow'],
  },
  (kind) => {
    test('a second one sends nothing while the first waits for an answer for any time', async ({
      expect,
      onTestFinished,
    }) => {
      const { server, report, start, startHeld } = await openWorld(kind, onTestFinished);
      const first = await startHeld(shown);
      const from = performance.now();
      while (performance.now() - from < 1.5 * expiry) {
        await expect(report(next)).rejects.toThrow(busy);
      }
      const second = await start(next).end;
      expect(second).toMatchObject({ ended: 1, errors: expect.stringContaining('ledger-busy') });
      expect(second.errors).toContain(`process ${first.child.pid} on `);
      expect(server.log).toHaveLength(1);
      first.answer();
      expect(await first.end).toMatchObject({ ended: 0, errors: '' });
      expect(server.model.list()).toEqual(pairsOf(shown));
    });

    test('a paused one that resumes after its lease expired stops before its next request', async ({
      expect,
      onTestFinished,
    }) => {
      const { server, report, startHeld } = await openWorld(kind, onTestFinished);
      const paused = await startHeld(shown);
      paused.child.kill('SIGSTOP');
      paused.answer();
      await expect
        .poll(() => report(next).catch(({ code }) => code), { timeout: patience })
        .toMatchObject({ outcome: 'done' });
      const sent = server.log.length;
      paused.child.kill('SIGCONT');
      expect(await paused.end).toMatchObject({
        ended: 1,
        errors: expect.stringContaining('ledger-lost'),
      });
      expect(server.log).toHaveLength(sent);
      expect(server.model.list()).toEqual(pairsOf(next));
      expect(await report(next)).toMatchObject({ requests: 0, outcome: 'done' });
    });

    test('a killed one only delays the next one for a while', async ({
      expect,
      onTestFinished,
    }) => {
      const { server, report, startHeld } = await openWorld(kind, onTestFinished);
      const killed = await startHeld(shown);
      killed.child.kill('SIGKILL');
      expect(await killed.end).toMatchObject({ ended: 'SIGKILL' });
      killed.answer();
      await expect
        .poll(() => report(next).catch(({ code }) => code), { timeout: patience })
        .toMatchObject({ outcome: 'done' });
      expect(server.model.list()).toEqual(pairsOf(next));
    });
  },
);
