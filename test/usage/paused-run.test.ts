import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStorage } from 'unstorage';
import fsDriver from 'unstorage/drivers/fs-lite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Manifest } from '../../src/scan/manifest.ts';
import { fileStateStore } from '../../src/usage/file-state-store.ts';
import { redisStateStore } from '../../src/usage/redis-state-store.ts';
import { reportUsage } from '../../src/usage/report-usage.ts';
import type { StateStore } from '../../src/usage/state-store.ts';
import { unstorageStateStore } from '../../src/usage/unstorage-state-store.ts';
import { type ReportOrder, startReport } from '../support/report-order.ts';
import { everySemantics } from '../support/service-model.ts';
import { findRedis, type RedisServer, startRedis } from '../support/start-redis.ts';
import { manifestOf, pairsOf, site, siteFields } from '../support/usage-fixtures.ts';
import { startUsageServer, type Treatment, type UsageServer } from '../support/usage-server.ts';

/** Of a lease, in ms. */
const expiry = 1000;
const appending = everySemantics.filter(({ repeated }) => repeated === 'append');
const busy = expect.objectContaining({ code: 'ledger-busy' });
const before = manifestOf({ '/': ['Harbour', 1], '/ferry/': ['Ferry', 2], '/quay/': ['Quay', 3] });
const shown = manifestOf({
  '/': ['The harbour', 1],
  '/tower/': ['Tower', 4],
  '/quay/': ['Quay', 5],
});
const next = manifestOf({ '/': ['Harbour', 1, 6], '/tower/': ['The tower', 4] });

const kinds = findRedis()
  ? (['file', 'unstorage', 'redis'] as const)
  : (['file', 'unstorage'] as const);

describe.each(kinds)('real processes with their ledger in %s', (kind) => {
  let folder: string;
  let redis: RedisServer | undefined;
  let server: UsageServer;
  let ledger: string;
  let children: ChildProcess[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'paused-'));
    children = [];
    redis = kind === 'redis' ? await startRedis() : undefined;
    server = await startUsageServer({ semantics: appending[0] ?? (undefined as never) });
    ledger = redis?.url ?? join(folder, kind === 'file' ? 'ledger.json' : 'storage');
    await report(before);
    server.log.length = 0;
  });

  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL');
    await server.close();
    await redis?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  const identity = () => ({ service: server.url, site, base: '/' });

  function open(): StateStore {
    if (kind === 'file') return fileStateStore({ path: ledger, expiry });
    if (kind === 'redis') return redisStateStore({ url: ledger, identity: identity(), expiry });
    const storage = createStorage({ driver: fsDriver({ base: ledger }) });
    return unstorageStateStore({ storage, identity: identity(), expiry });
  }

  const report = (manifest: Manifest) =>
    reportUsage({
      manifest,
      fields: siteFields,
      service: server.client(),
      store: open(),
      identity: identity(),
      clock: Date.now,
      allowRemovals: true,
    });

  /** Starts a run in a process of its own and waits for its first request, which is not answered yet. */
  async function startHeld(manifest: Manifest, more: Partial<ReportOrder> = {}) {
    const arrived = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    server.treat = async (_, index): Promise<Treatment> => {
      if (index > 0) return 'done';
      arrived.resolve();
      await answer.promise;
      return 'done';
    };
    const run = start(manifest, more);
    await arrived.promise;
    return { ...run, answer: answer.resolve };
  }

  function start(manifest: Manifest, more: Partial<ReportOrder> = {}) {
    const order: ReportOrder = {
      manifest,
      fields: siteFields,
      identity: identity(),
      windowSize: 2,
      concurrency: 1,
      token: 'token',
      ledger,
      kind,
      expiry,
      ...more,
    };
    const run = startReport(order);
    children.push(run.child);
    return run;
  }

  test('a second one sends nothing while the first waits for an answer, however long', async () => {
    const first = await startHeld(shown);
    const from = performance.now();
    while (performance.now() - from < 2.5 * expiry) {
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

  test('a paused one that wakes after its lease stops before its next request', async () => {
    const paused = await startHeld(shown);
    paused.child.kill('SIGSTOP');
    paused.answer();
    await expect
      .poll(() => report(next).catch(({ code }) => code), { timeout: 15_000 })
      .toMatchObject({ outcome: 'done' });
    const sent = server.log.length;
    paused.child.kill('SIGCONT');
    expect(await paused.end).toMatchObject({
      ended: 1,
      errors: expect.stringContaining('lease-lost'),
    });
    expect(server.log).toHaveLength(sent);
    expect(server.model.list()).toEqual(pairsOf(next));
    expect(await report(next)).toMatchObject({ requests: 0, outcome: 'done' });
  });

  test('a killed one holds the next one up for a short while only', async () => {
    const killed = await startHeld(shown);
    killed.child.kill('SIGKILL');
    expect(await killed.end).toMatchObject({ ended: 'SIGKILL' });
    killed.answer();
    const from = performance.now();
    await expect
      .poll(() => report(next).catch(({ code }) => code), { timeout: 15_000 })
      .toMatchObject({ outcome: 'done' });
    expect(performance.now() - from).toBeLessThan(5 * expiry);
    expect(server.model.list()).toEqual(pairsOf(next));
  });
});
