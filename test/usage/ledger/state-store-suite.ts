import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LedgerIdentity } from '../../../src/usage/ledger/ledger-identity.ts';
import type { StateStore } from '../../../src/usage/ledger/open-state-store.ts';

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

/** The tests of every state store. */
export function stateStoreSuite(openBench: () => Promise<StoreSetup>): void {
  let setup: StoreSetup;
  let store: StateStore;

  beforeEach(async () => {
    setup = await openBench();
    store = setup.open();
  });

  afterEach(() => setup.close());

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
      const message = expect.stringContaining(`process ${process.pid} on `);
      const busy = { code: 'ledger-busy', message };
      await expect(setup.open().lock()).rejects.toMatchObject(busy);
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
}
