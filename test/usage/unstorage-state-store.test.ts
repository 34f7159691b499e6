import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStorage } from 'unstorage';
import fsDriver from 'unstorage/drivers/fs-lite';
import { describe, expect, test } from 'vitest';
import type { KeyValueStorage } from '../../src/options.ts';
import { loadLedger } from '../../src/usage/load-ledger.ts';
import { unstorageStateStore } from '../../src/usage/unstorage-state-store.ts';
import { identity } from '../support/usage-fixtures.ts';
import { type StoreBench, stateStoreSuite } from './state-store-suite.ts';

const code = (code: string) => expect.objectContaining({ code });
const turn = () => new Promise((done) => setImmediate(done));

stateStoreSuite('unstorage', async () => {
  const storage = createStorage();
  let now = Date.now();
  let set = 0;
  const sleep = async (ms: number) => {
    now += ms / 2;
    await bench.beat();
    now += ms / 2;
  };
  const open = () =>
    unstorageStateStore({
      storage,
      identity,
      clock: () => now + set,
      ticks: () => now,
      sleep,
    });
  const bench: StoreBench = {
    open,
    async pass(ms) {
      now += ms;
    },
    jump(ms) {
      set += ms;
    },
    beat: async () => {},
    put: (text) => storage.setItem(open().name.replace('unstorage ', ''), text),
    async copies() {
      const keys = (await storage.getKeys()).filter((key) => key.includes('broken-'));
      return Promise.all(keys.map(async (key) => String(await storage.getItemRaw(key))));
    },
    close: async () => {},
  };
  return bench;
});

describe('the unstorage store', () => {
  const open = (storage: KeyValueStorage) =>
    unstorageStateStore({ storage, identity, sleep: turn });

  async function written(storage: KeyValueStorage, text: string): Promise<void> {
    const lease = await open(storage).lock();
    await lease.write(text, undefined);
    await lease.release();
  }

  test('says that it cannot keep runs apart for certain', async () => {
    const { findings } = await loadLedger(open(createStorage()), identity);
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual([
      ['store-best-effort', 'notice'],
      ['ledger-missing', 'notice'],
    ]);
  });

  test('keeps a ledger in files as well', async () => {
    const base = await mkdtemp(join(tmpdir(), 'unstorage-'));
    const files = () => createStorage({ driver: fsDriver({ base }) });
    await written(files(), '{"4711":1,"a":"å"}');
    expect(await open(files()).read()).toMatchObject({ text: '{"4711":1,"a":"å"}' });
    await rm(base, { recursive: true });
  });

  test('refuses a ledger that is not as it was written, and keeps it aside', async () => {
    const storage = createStorage();
    await written(storage, '{"version":1}');
    const [ledger = ''] = (await storage.getKeys()).filter((one) => one.endsWith(':ledger'));
    const whole = String(await storage.getItem(ledger));
    await storage.setItem(ledger, whole.slice(0, -1));
    await expect(loadLedger(open(storage), identity, { keepsBroken: true })).rejects.toThrow(
      expect.objectContaining({
        code: 'ledger-broken',
        message: expect.stringContaining('not as it was written'),
      }),
    );
    expect(await storage.getItem(ledger)).toBe(whole.slice(0, -1));
    expect(await storage.getKeys()).toHaveLength(2);
  });

  test('refuses a store that gives back an old value after a write', async () => {
    const storage = createStorage();
    const late: KeyValueStorage = {
      getItem: (name) => storage.getItem(name),
      removeItem: (name) => storage.removeItem(name),
      setItem: async (name, value) => {
        if (!name.endsWith(':ledger')) await storage.setItem(name, value);
      },
    };
    const lease = await open(late).lock();
    await expect(lease.write('text', undefined)).rejects.toThrow(code('ledger-changed'));
  });

  test('keeps a lease that is renewed by two at once, in a driver that shows half a value', async () => {
    const storage = createStorage();
    const gate = Promise.withResolvers<void>();
    let now = 0;
    let writes = 0;
    const half: KeyValueStorage = {
      getItem: (name) => storage.getItem(name),
      removeItem: (name) => storage.removeItem(name),
      setItem: async (name, value) => {
        writes += 1;
        await storage.setItem(name, value.slice(0, 9));
        if (writes > 1) await gate.promise;
        await storage.setItem(name, value);
      },
    };
    const ticks = () => now;
    const lease = await unstorageStateStore({ storage: half, identity, ticks, sleep: turn }).lock();
    now += 30_000;
    const heartbeat = lease.renew();
    while (writes < 2) await turn();
    const renewal = lease.renew();
    await turn();
    gate.resolve();
    await Promise.all([heartbeat, renewal]);
    expect(writes).toBe(2);
  });

  test('is busy, and not lost, for a run whose lease goes while it comes in', async () => {
    const storage = createStorage();
    const clear = () => storage.clear();
    const lock = unstorageStateStore({ storage, identity, sleep: clear }).lock();
    await expect(lock).rejects.toThrow(code('ledger-busy'));
  });

  test('does not watch a lease that may be dead for a run that has been ended', async () => {
    const storage = createStorage();
    await unstorageStateStore({ storage, identity, sleep: turn, clock: () => 0 }).lock();
    const lock = unstorageStateStore({ storage, identity }).lock(AbortSignal.abort());
    await expect(lock).rejects.toThrow(code('ledger-busy'));
    await (await open(storage).lock()).release();
  });

  test.each<[keyof KeyValueStorage, string, (store: ReturnType<typeof open>) => Promise<unknown>]>([
    ['getItem', 'ledger-unreadable', (store) => store.read()],
    ['setItem', 'ledger-unwritable', (store) => store.lock()],
  ])('says that %s of the driver failed: %s', async (name, expected, act) => {
    const storage = createStorage();
    const cause = new Error('no bucket');
    const broken: KeyValueStorage = {
      getItem: (one) => storage.getItem(one),
      setItem: (one, value) => storage.setItem(one, value),
      removeItem: (one) => storage.removeItem(one),
      [name]: () => Promise.reject(cause),
    };
    await expect(act(open(broken))).rejects.toThrow(
      expect.objectContaining({ code: expected, cause }),
    );
  });
});
