/** @module-tag slow */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'redis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Manifest } from '../../src/scan/manifest.ts';
import type { StateStore } from '../../src/usage/ledger/open-state-store.ts';
import { reconcileUsage } from '../../src/usage/reconcile/reconcile-usage.ts';
import { reportUsage } from '../../src/usage/report/report-usage.ts';
import { openRedisStore } from '../support/ledger/open-redis-store.ts';
import { manifestOf, pairsOf, site, siteFields } from '../support/ledger/usage-fixtures.ts';
import { findRedis, type RedisServer, startRedis } from '../support/process/start-redis.ts';
import { type EmulatorProcess, startEmulatorProcess } from '../support/service/emulator-process.ts';
import { tokenClient } from '../support/service/token-client.ts';

/** A window has one purpose, so this change needs three windows, with a write before each. */
const before = manifestOf({
  '/': ['Harbour', 4711],
  '/ferry/': ['Ferry', 4712],
  '/quay/': ['Quay', 4713],
});
const after = manifestOf({
  '/': ['The harbour', 4711],
  '/quay/': ['Quay', 4713],
  '/tower/': ['Tower', 4714],
});
const next = manifestOf({ '/': ['Harbour', 4714], '/quay/': ['Quay', 4713] });
const page = (path: string, id: number, name: string) => `${site}${path} ${id} ${name}`;
const reported = [...pairsOf(before), page('/tower/', 4714, 'Tower')].sort();

type Moment = 'first-write' | 'second-write' | 'release';
type Return = 'not' | 'with its data' | 'empty';

const done = { outcome: 'done' };
const unreachable = { code: 'store-unreachable' };
const gone = {
  code: 'ledger-lost',
  message: expect.stringContaining('the store lost data'),
};

interface Row {
  readonly moment: Moment;
  /** The state of the server when the run uses it next. */
  readonly returns: Return;
  /** The result of this run. */
  readonly ends: object;
  /** The usages that the service lists afterwards, and the number of requests it got. */
  readonly listed: readonly string[];
  readonly sent: number;
}

const rows: readonly Row[] = [
  { moment: 'first-write', returns: 'not', ends: unreachable, listed: pairsOf(before), sent: 0 },
  { moment: 'first-write', returns: 'with its data', ends: done, listed: pairsOf(after), sent: 4 },
  { moment: 'first-write', returns: 'empty', ends: gone, listed: pairsOf(before), sent: 0 },
  { moment: 'second-write', returns: 'not', ends: unreachable, listed: reported, sent: 1 },
  { moment: 'second-write', returns: 'with its data', ends: done, listed: pairsOf(after), sent: 4 },
  { moment: 'second-write', returns: 'empty', ends: gone, listed: reported, sent: 1 },
  { moment: 'release', returns: 'not', ends: done, listed: pairsOf(after), sent: 4 },
  { moment: 'release', returns: 'with its data', ends: done, listed: pairsOf(after), sent: 4 },
  { moment: 'release', returns: 'empty', ends: done, listed: pairsOf(after), sent: 4 },
];

const moments: Readonly<Record<Moment, string>> = {
  'first-write': 'between the read of the ledger and its first write',
  'second-write': 'between two windows',
  release: 'before the release of the lease',
};

describe.skipIf(!findRedis())('a real Redis that is killed', () => {
  let emulator: EmulatorProcess;
  let token: string;
  let folder: string;
  let data: string;
  let redis: RedisServer;

  beforeAll(async () => {
    emulator = await startEmulatorProcess({ usages: 'append', removalMatches: 'all-fields' });
    for (const name of ['boats', 'ferry', 'quay', 'tower']) {
      await writeFile(join(emulator.mediaDir, `${name}.txt`), name);
    }
    token = await emulator.signIn();
  });

  afterAll(() => emulator.stop());

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lost-redis-'));
    data = join(folder, 'data');
    await mkdir(data);
    redis = await startRedis({ data });
    await emulator.reset();
    expect(await report(before)).toMatchObject(done);
    emulator.clearLog();
  });

  afterEach(async () => {
    await redis.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  const identity = () => ({ service: emulator.url, site, base: '/' });
  const open = () => openRedisStore({ url: redis.url, identity: identity() });
  const runOf = (manifest: Manifest, store = open()) => ({
    manifest,
    store,
    fields: siteFields,
    identity: identity(),
    service: tokenClient(emulator.url, token),
    clock: Date.now,
    allowRemovals: false,
  });
  /** Returns the run's result, or its error. */
  const report = (manifest: Manifest, store?: StateStore) =>
    reportUsage(runOf(manifest, store)).catch((error: unknown) => error as { code: string });

  const listed = () =>
    emulator
      .usages()
      .map(({ page, asset, pageName }) => `${page} ${asset} ${pageName}`)
      .sort();
  const posts = () => emulator.log().filter(({ method }) => method === 'POST').length;

  async function comeBack(how: Exclude<Return, 'not'>): Promise<void> {
    if (how === 'empty') await rm(data, { recursive: true });
    await mkdir(data, { recursive: true });
    redis = await startRedis({ data, port: redis.port });
  }

  /** The store of a run, whose server is killed at a certain moment. */
  function failingAt(moment: Moment, returns: Return): StateStore {
    const store = open();
    const fail = async () => {
      await redis.stop();
      if (returns !== 'not') await comeBack(returns);
    };
    return {
      ...store,
      async lock() {
        const lease = await store.lock();
        let writes = 0;
        return {
          ...lease,
          async write(text, tag) {
            writes += 1;
            if (moment === `${['first', 'second'][writes - 1]}-write`) await fail();
            return lease.write(text, tag);
          },
          async release() {
            if (moment === 'release') await fail();
            await lease.release();
          },
        };
      },
    };
  }

  /** Deletes the lease of a run that couldn't release it, as if a minute had passed. */
  async function passMinute(): Promise<void> {
    const admin = await createClient({ url: redis.url }).connect();
    await admin.del(await admin.keys('*:lease'));
    await admin.close();
  }

  test.each(rows.map((row) => [moments[row.moment], row.returns, row] as const))(
    '%s, and comes back %s, ends the run as expected, without a wrong removal',
    async (_, returns, { moment, ends, ...expected }) => {
      expect(await report(after, failingAt(moment, returns))).toMatchObject(ends);
      expect(posts()).toBe(expected.sent);
      expect(listed()).toEqual(expected.listed);
      if (returns === 'not') {
        // A run that can't read the ledger sends nothing either.
        expect(await report(after)).toMatchObject(unreachable);
        expect(posts()).toBe(expected.sent);
        return;
      }
      if (returns === 'with its data') {
        expect(await report(after)).toMatchObject({ ...done, requests: 0 });
        expect(listed()).toEqual(pairsOf(after));
        return;
      }
      const next = await report(after);
      expect(next).toMatchObject({
        ...done,
        reported: 3,
        removed: 0,
        findings: [{ code: 'ledger-missing', severity: 'notice' }],
      });
      expect(listed()).toEqual(expect.arrayContaining(pairsOf(after)));
      const ids = [4711, 4712, 4713, 4714];
      expect(await reconcileUsage({ ...runOf(after), ids })).toMatchObject(done);
      expect(listed()).toEqual(pairsOf(after));
      expect(await report(after)).toMatchObject({ ...done, requests: 0 });
    },
  );

  test.each(['first-write', 'second-write', 'release'] as const)(
    'at its %s and comes back with its data later makes the next run wait for the lease and complete',
    async (moment) => {
      await report(after, failingAt(moment, 'not'));
      await comeBack('with its data');
      const rowsBefore = listed();
      expect(await report(next)).toMatchObject({
        code: 'ledger-busy',
        message: expect.stringContaining(`process ${process.pid} on `),
      });
      expect(listed()).toEqual(rowsBefore);
      await passMinute();
      expect(await report(next)).toMatchObject(done);
      expect(listed()).toEqual(pairsOf(next));
    },
  );
});
