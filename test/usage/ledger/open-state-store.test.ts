import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { resolveOptions } from '../../../src/config/options.ts';
import { mediaAssetError } from '../../../src/errors/errors.ts';
import { historyName, ledgerName, ledgerPath } from '../../../src/usage/ledger/ledger-identity.ts';
import {
  type Lease,
  openStateStore,
  type StateStore,
  waitForLedger,
} from '../../../src/usage/ledger/open-state-store.ts';
import { identity } from '../../support/ledger/usage-fixtures.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

let root: string;

beforeEach(async () => {
  root = await temporaryFolder('open-store');
});

const name = ledgerName(identity);

test.each<[string, object, Record<string, string>, () => string]>([
  ['no option is a file in .media-asset', {}, {}, () => ledgerPath(root, identity)],
  ['a file is relative to the project', { file: 'a/b.json' }, {}, () => join(root, 'a/b.json')],
  [
    'a URL is Redis, named by its host alone',
    { redis: 'rediss://ada:hunter2@redis.example:6380/3?a=hunter2#hunter2' },
    {},
    () => `rediss://redis.example media-asset:{${name}}:ledger`,
  ],
  [
    'an option takes precedence over MEDIA_ASSET_STATE_URL',
    { file: 'a.json' },
    { MEDIA_ASSET_STATE_URL: 'redis://redis.example' },
    () => join(root, 'a.json'),
  ],
])('%s', async (_, option, environment, expected) => {
  const given = Object.keys(option).length > 0 ? { store: option } : {};
  const { store } = resolveOptions({ report: given }, environment).report;
  expect(openStateStore({ store, root, identity, kind: 'ledger' }).name).toBe(expected());
  expect(await readdir(root)).toEqual([]);
});

test("the history of all of a service's sites is in one store, next to the ledger", () => {
  const own = historyName(identity);
  for (const site of [identity.site, 'https://other.example']) {
    const open = (store?: { redis: string }) =>
      openStateStore({ store, root, identity: { ...identity, site }, kind: 'history' }).name;
    expect(open()).toBe(join(root, '.media-asset', `history-${own}.json`));
    const redis = `redis://redis.example media-asset:{${own}}:history`;
    expect(open({ redis: 'redis://redis.example' })).toBe(redis);
  }
});

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
