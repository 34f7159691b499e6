import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Manifest } from '../../../src/scan/manifest.ts';
import { emptyLedger, toRecord } from '../../../src/usage/ledger/ledger.ts';
import { type LedgerIdentity, ledgerIdentity } from '../../../src/usage/ledger/ledger-identity.ts';
import type { StateStore } from '../../../src/usage/ledger/state-store.ts';
import { formatLedger, loadLedger } from '../../../src/usage/ledger/stored-ledger.ts';
import { type ReportRun, reportUsage } from '../../../src/usage/report/report-usage.ts';
import { identity, manifestOf, pairsOf, siteFields } from '../../support/ledger/usage-fixtures.ts';
import { startUsageServer, type UsageServer } from '../../support/ledger/usage-server.ts';

/** One place for ledgers, shared by several runs. */
export interface StoreSetup {
  /** A store for the place, as another run on another machine opens it. */
  open(identity?: LedgerIdentity): StateStore;
  /** Advances the time of every lease by this many milliseconds. */
  pass(ms: number): Promise<void>;
  /** Sets the clock of every run by this many milliseconds, without advancing time. */
  jump(ms: number): void;
  /** The renewal by the run that has the lease, while another run watches it. */
  beat: () => Promise<void>;
  /** Replaces the content without any check. */
  put(text: string): Promise<void>;
  close(): Promise<void>;
}

const code = (code: string) => expect.objectContaining({ code });
/** Longer than a lease is valid. */
const tooLong = 70 * 1000;
const shown = manifestOf({ '/': ['Harbour', 1, 2], '/quay/': ['The quay', 2, 3] });
const next = manifestOf({ '/': ['Harbour', 1], '/tower/': ['Tower', 4] });

/** The tests of every state store. */
export function stateStoreSuite(name: string, openBench: () => Promise<StoreSetup>): void {
  describe(`a state store in ${name}`, () => storeTests(openBench));
}

function storeTests(openBench: () => Promise<StoreSetup>): void {
  let setup: StoreSetup;
  let store: StateStore;

  beforeEach(async () => {
    setup = await openBench();
    store = setup.open();
  });

  afterEach(() => setup.close());

  async function putOther(identity: LedgerIdentity, text: string): Promise<void> {
    const lease = await setup.open(identity).lock();
    await lease.write([text], undefined).finally(lease.release);
  }

  /** Writes like a run, with a lease. */
  async function write(text: string, tag: string | undefined): Promise<string> {
    const lease = await store.lock();
    return lease.write(text, tag).finally(lease.release);
  }

  describe('the state', () => {
    test('is the last written text', async () => {
      expect(await store.read()).toBeUndefined();
      const first = await write('first å', undefined);
      expect(await store.read()).toEqual({ text: 'first å', tag: first });
      const second = await write('{"4711":1,"a":"line\\n"}', first);
      expect(await setup.open().read()).toEqual({ text: '{"4711":1,"a":"line\\n"}', tag: second });
      expect(second).not.toBe(first);
    });

    test("isn't replaced by a run that hasn't read it", async () => {
      const lease = await store.lock();
      const first = await lease.write('first', undefined);
      await expect(lease.write('other', undefined)).rejects.toThrow(code('ledger-lost'));
      const second = await lease.write('second', first);
      await expect(lease.write('third', first)).rejects.toThrow(code('ledger-lost'));
      expect(await store.read()).toEqual({ text: 'second', tag: second });
      await setup.put('by hand');
      await expect(lease.write('fourth', second)).rejects.toThrow(code('ledger-lost'));
      expect(await store.read()).toMatchObject({ text: 'by hand' });
      await lease.release();
    });
  });

  describe('the lease', () => {
    test('lets one run in at a time, and names it to the other', async () => {
      const lease = await store.lock();
      await expect(setup.open().lock()).rejects.toThrow(
        expect.objectContaining({
          code: 'ledger-busy',
          message: expect.stringContaining(`process ${process.pid} on `),
        }),
      );
      await lease.renew();
      await lease.release();
      await (await setup.open().lock()).release();
    });

    test('lets at most one of several concurrent runs in', async () => {
      const came = await Promise.allSettled(Array.from({ length: 20 }, () => setup.open().lock()));
      const leases = came.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      expect(leases.length).toBeLessThanOrEqual(1);
      for (const one of came) {
        if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'ledger-busy' });
      }
      for (const lease of leases) await lease.release();
    });

    test('is renewed, so that a long run keeps it', async () => {
      const lease = await store.lock();
      for (let times = 0; times < 6; times += 1) {
        await setup.pass(40 * 1000);
        await lease.renew();
      }
      await expect(setup.open().lock()).rejects.toThrow(code('ledger-busy'));
      await lease.release();
    });

    test("that isn't renewed is taken over, and its owner can neither send nor write", async () => {
      const paused = await store.lock();
      const tag = await paused.write('first', undefined);
      await setup.pass(tooLong);
      const lease = await setup.open().lock();
      await expect(paused.renew()).rejects.toThrow(code('ledger-busy'));
      await expect(paused.write('late', tag)).rejects.toThrow(code('ledger-busy'));
      // The owner can't end the lease of the run that has taken over either.
      await paused.release();
      await lease.renew();
      await expect(store.lock()).rejects.toThrow(code('ledger-busy'));
      await lease.write('second', tag);
      expect(await store.read()).toMatchObject({ text: 'second' });
      await lease.release();
    });

    test.each([-3, 3])("isn't lost or extended by a clock that is set by %s days", async (days) => {
      const lease = await store.lock();
      const tag = await lease.write('first', undefined);
      setup.beat = lease.renew;
      setup.jump(days * 24 * 60 * 60 * 1000);
      await expect(setup.open().lock()).rejects.toThrow(code('ledger-busy'));
      await lease.renew();
      await lease.write('second', tag);
      setup.beat = async () => {};
      setup.jump(days * 24 * 60 * 60 * 1000);
      await setup.pass(tooLong);
      const other = await setup.open().lock();
      await expect(lease.renew()).rejects.toThrow(code('ledger-busy'));
      await other.release();
    });

    test("that was released doesn't allow writes", async () => {
      const lease = await store.lock();
      await lease.release();
      await expect(lease.write('late', undefined)).rejects.toThrow(code('ledger-lost'));
      expect(await store.read()).toBeUndefined();
    });
  });

  describe('runs that report', () => {
    let server: UsageServer;
    beforeEach(async () => {
      server = await startUsageServer();
    });

    afterEach(() => server.close());

    const own = () => ({ ...identity, service: server.url });
    const report = (
      manifest = shown,
      store = setup.open(),
      build: Pick<ReportRun, 'startedAt' | 'rollback'> = {},
    ) =>
      reportUsage({
        ...build,
        manifest,
        fields: siteFields,
        service: server.client(),
        store,
        identity: own(),
        clock: () => Date.parse('2026-03-02T08:00:00Z'),
        allowRemovals: true,
        concurrency: 1,
      });

    test('find the records of the last one', async () => {
      expect(await report()).toMatchObject({ reported: 4, outcome: 'done' });
      server.log.length = 0;
      expect(await report()).toMatchObject({ requests: 0, outcome: 'done' });
      expect(await report(next)).toMatchObject({ outcome: 'done' });
      expect(server.model.list()).toEqual(pairsOf(next));
    });

    test('of a site with a new base or address are told of the old ledger', async () => {
      const moved = { ...own(), base: '/new' };
      const retired = { ...own(), site: 'https://retired.example' };
      const elsewhere = { ...own(), service: 'https://other.example', site: 'https://c.example' };
      const ledgers = [own(), retired, elsewhere].map(ledgerIdentity);
      for (const [index, ledger] of ledgers.entries()) {
        const page = `${ledger.site}/`;
        const usage = { page, ...siteFields, pageName: 'A', date: '2026-03-02', ids: [1] };
        const pages = new Map([[page, [toRecord(usage, 'confirmed')]]]);
        const text = formatLedger({ ...emptyLedger(ledger), ...(index !== 1 && { pages }) });
        await putOther(ledger, text);
      }
      const { findings } = await loadLedger(setup.open(moved), moved);
      expect(findings).toMatchObject([
        {
          code: 'ledger-missing',
          message: `No ledger yet: all usages are reported. The same store has the ledger of ${identity.site}.`,
          hint: expect.stringContaining(`\`media-asset retire --site ${identity.site} --base /\``),
        },
      ]);
    });

    describe('of builds that started at different times', () => {
      const [first, second, third] = ['11:00:00', '12:00:00', '12:30:00'].map(
        (time) => `2026-03-02T${time}.000Z`,
      );
      const reportOf = (startedAt: string | undefined, manifest: Manifest, rollback = false) =>
        report(manifest, setup.open(), { startedAt, rollback });
      const refused = code('report-older-build');

      test('refuse an older one, and send nothing of it', async () => {
        await reportOf(second, shown);
        server.log.length = 0;
        await expect(reportOf(first, next)).rejects.toThrow(refused);
        expect(server.log).toEqual([]);
        expect(await reportOf(second, next)).toMatchObject({ outcome: 'done' });
        expect(server.model.list()).toEqual(pairsOf(next));
      });

      test('refuse one that is older than an unchanged build', async () => {
        await reportOf(first, shown);
        const { lastRun } = (await loadLedger(setup.open(), own())).ledger;
        expect(await reportOf(third, shown)).toMatchObject({ requests: 0 });
        await expect(reportOf(second, next)).rejects.toThrow(refused);
        expect((await loadLedger(setup.open(), own())).ledger).toMatchObject({
          startedAt: third,
          lastRun,
        });
        expect(server.model.list()).toEqual(pairsOf(shown));
      });

      test('refuse one that another run has overtaken while it waited', async () => {
        await reportOf(first, shown);
        const store = setup.open();
        const overtaken: StateStore = {
          ...store,
          async lock() {
            await reportOf(third, next);
            return store.lock();
          },
        };
        await expect(report(shown, overtaken, { startedAt: second })).rejects.toThrow(refused);
        expect(server.model.list()).toEqual(pairsOf(next));
      });

      test('refuse an older one after a run that was interrupted', async () => {
        await reportOf(first, shown);
        server.treat = () => ({ status: 503 });
        expect(await reportOf(third, next)).toMatchObject({ outcome: 'unsent' });
        server.treat = () => 'done';
        await expect(reportOf(second, shown)).rejects.toThrow(refused);
      });

      test('let a rollback pass, and a build after it', async () => {
        await reportOf(third, next);
        expect(await reportOf(first, shown, true)).toMatchObject({ outcome: 'done' });
        expect(await reportOf(first, shown)).toMatchObject({ requests: 0 });
        expect(server.model.list()).toEqual(pairsOf(shown));
        expect(await reportOf(second, next)).toMatchObject({ outcome: 'done' });
        expect(server.model.list()).toEqual(pairsOf(next));
      });

      test('let pages pass whose build is unknown, and still refuse an older build', async () => {
        await reportOf(second, shown);
        expect(await report(next)).toMatchObject({ outcome: 'done' });
        await expect(reportOf(first, shown)).rejects.toThrow(refused);
      });
    });

    test('that start together send one after the other, or not at all', async () => {
      let under = 0;
      let most = 0;
      server.treat = async () => {
        under += 1;
        most = Math.max(most, under);
        await new Promise(setImmediate);
        under -= 1;
        return 'done' as const;
      };
      await Promise.allSettled([report(), report(next), report(), report(next)]);
      expect(most).toBeLessThanOrEqual(1);
      expect(await report(next)).toMatchObject({ unsent: 0, outcome: 'done' });
      expect(server.model.list()).toEqual(pairsOf(next));
    });
  });
}
