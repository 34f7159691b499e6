import { describe, expect, test } from 'vitest';
import { mediaAssetError } from '../../../src/errors/errors.ts';
import type { Lease, StateStore } from '../../../src/usage/ledger/open-state-store.ts';
import { waitForLedger } from '../../../src/usage/ledger/open-state-store.ts';

const owner = 'process 4711 on harbour has used it since 2026-03-02T08:00:00.000Z';
const busy = () => mediaAssetError('ledger-busy', { path: 'ledger.json', owner });
const lease: Lease = {
  renew: async () => {},
  write: async () => 'tag',
  release: async () => {},
};

/**
 * A store that is free after this many attempts, a clock that only waiting advances, and messages.
 */
function bench({ busyTimes, failure = busy }: { busyTimes: number; failure?: () => Error }) {
  const said: string[] = [];
  const slept: number[] = [];
  const bench = { attempts: 0, said, slept, onSleep: () => {} };
  const store: StateStore = {
    others: async () => [],
    name: 'ledger.json',
    read: async () => undefined,
    async lock() {
      bench.attempts += 1;
      if (bench.attempts <= busyTimes) throw failure();
      return lease;
    },
  };
  const patient = waitForLedger(store, {
    onWait: (text) => said.push(text),
    ticks: () => slept.reduce((sum, ms) => sum + ms, 0),
    async sleep(ms) {
      slept.push(ms);
      bench.onSleep();
    },
  });
  return Object.assign(bench, { patient });
}

describe('a ledger in use by another run', () => {
  test("is locked once it's free, with one message that names the other run", async () => {
    const { patient, said, slept } = bench({ busyTimes: 5 });
    expect(await patient.lock()).toBe(lease);
    expect(said).toEqual([expect.stringMatching(/process 4711 on harbour.* 120 seconds\.$/)]);
    expect(slept).toHaveLength(5);
  });

  test('is waited for at most two minutes, longer than a lease is valid', async () => {
    const found = bench({ busyTimes: Number.POSITIVE_INFINITY });
    await expect(found.patient.lock()).rejects.toMatchObject({ code: 'ledger-busy' });
    expect(found.slept.reduce((sum, ms) => sum + ms, 0)).toBe(120_000);
  });

  test.each([1, 7])('is waited for until the signal aborts, here in wait %i', async (wait) => {
    const ended = new AbortController();
    const found = bench({ busyTimes: 7 });
    found.onSleep = () => {
      if (found.slept.length === wait) ended.abort();
    };
    await expect(found.patient.lock(ended.signal)).rejects.toMatchObject({ code: 'ledger-busy' });
    expect(found.attempts).toBe(wait);
  });

  test("isn't waited for by an aborted run", async () => {
    const found = bench({ busyTimes: 1 });
    const lock = found.patient.lock(AbortSignal.abort());
    await expect(lock).rejects.toMatchObject({ code: 'ledger-busy' });
    expect(found).toMatchObject({ said: [], slept: [] });
  });
});

test("an error that waiting can't fix is thrown at once", async () => {
  const failure = () => mediaAssetError('store-unreachable', { path: 'ledger.json' });
  const found = bench({ busyTimes: 1, failure });
  await expect(found.patient.lock()).rejects.toMatchObject({ code: 'store-unreachable' });
  expect(found).toMatchObject({ said: [], slept: [], attempts: 1 });
});
