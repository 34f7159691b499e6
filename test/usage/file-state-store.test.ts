import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fileStateStore } from '../../src/usage/file-state-store.ts';
import { emptyLedger } from '../../src/usage/ledger.ts';
import { ledgerIdentity } from '../../src/usage/ledger-identity.ts';
import { formatLedger } from '../../src/usage/ledger-json.ts';
import { loadLedger } from '../../src/usage/load-ledger.ts';
import type { StateStore } from '../../src/usage/state-store.ts';
import { identity } from '../support/usage-fixtures.ts';

let folder: string;
let path: string;
let store: StateStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'state-'));
  path = join(folder, '.media-asset/ledger.json');
  store = fileStateStore({ path });
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const ledgerFiles = () => readdir(join(folder, '.media-asset'));
const code = (code: string) => expect.objectContaining({ code });

describe('the file store', () => {
  test('gives back what was written last', async () => {
    expect(await store.read()).toBeUndefined();
    const first = await store.write('first å', undefined);
    expect(await store.read()).toEqual({ text: 'first å', tag: first });
    const second = await store.write('second', first);
    expect(await store.read()).toEqual({ text: 'second', tag: second });
    expect(await ledgerFiles()).toEqual(['ledger.json']);
  });

  test('writes for the owner only', async () => {
    const tag = await store.write('first', undefined);
    await chmod(path, 0o644);
    await store.write('second', tag);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('replaces nothing that it has not shown', async () => {
    const tag = await store.write('first', undefined);
    await expect(store.write('other', undefined)).rejects.toThrow(code('ledger-busy'));
    await store.write('second', tag);
    await expect(store.write('third', tag)).rejects.toThrow(code('ledger-busy'));
    await rm(path);
    await expect(store.write('fourth', tag)).rejects.toThrow(code('ledger-busy'));
    expect(await store.read()).toBeUndefined();
  });

  test('says that it could not write, and leaves nothing half-written', async () => {
    await writeFile(join(folder, '.media-asset'), 'a file where the folder should be');
    await expect(store.write('text', undefined)).rejects.toThrow(code('ledger-unreadable'));
    await expect(store.lock()).rejects.toThrow(code('ledger-unwritable'));
    await rm(join(folder, '.media-asset'));
    // The name of the temporary file is taken by a folder.
    await mkdir(`${path}.tmp/a`, { recursive: true });
    await expect(store.write('text', undefined)).rejects.toThrow(code('ledger-unwritable'));
    expect(await store.read()).toBeUndefined();
  });

  test('says that it could not read', async () => {
    await mkdir(path, { recursive: true });
    await expect(store.read()).rejects.toThrow(code('ledger-unreadable'));
  });
});

describe('the lock of the file store', () => {
  const lockPath = () => `${path}.lock`;
  const own = {
    pid: process.pid,
    host: hostname(),
    time: new Date().toISOString(),
    token: 'other',
  };

  async function leaveLock(owner: unknown): Promise<void> {
    await mkdir(join(folder, '.media-asset'), { recursive: true });
    await writeFile(lockPath(), typeof owner === 'string' ? owner : JSON.stringify(owner));
  }

  /** A process that has certainly ended. */
  async function endedProcess(): Promise<number> {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    return child.pid as number;
  }

  test('lets one run in at a time', async () => {
    const lease = await store.lock();
    await expect(fileStateStore({ path }).lock()).rejects.toThrow(
      expect.objectContaining({
        code: 'ledger-busy',
        message: expect.stringContaining(`process ${process.pid} on ${hostname()}`),
      }),
    );
    await lease.renew();
    await lease.release();
    expect(await ledgerFiles()).toEqual([]);
    await (await store.lock()).release();
  });

  test('of many that come at once lets one in', async () => {
    await leaveLock({ ...own, pid: await endedProcess() });
    const came = await Promise.allSettled(Array.from({ length: 20 }, () => store.lock()));
    const leases = came.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const renewed = await Promise.allSettled(leases.map((lease) => lease.renew()));
    expect(renewed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test.each<[string, (owner: typeof own) => Promise<unknown>]>([
    ['a process that has ended', async () => ({ ...own, pid: await endedProcess() })],
    [
      'an earlier process with this number, as in containers',
      async () => ({ ...own, time: '2020-01-01T00:00:00.000Z' }),
    ],
  ])('takes over the lock of %s', async (_, owner) => {
    await leaveLock(await owner(own));
    const lease = await store.lock();
    await lease.renew();
    await lease.release();
    expect(await ledgerFiles()).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['of another machine', { ...own, host: 'other.example', pid: 1 }],
    ['of a process that runs', { ...own, pid: process.ppid }],
    ['that is just being written', ''],
    ['that names nobody', 'locked'],
  ])('respects a lock %s, until it has not been renewed for long', async (_, owner) => {
    await leaveLock(owner);
    await expect(store.lock()).rejects.toThrow(code('ledger-busy'));
    const old = new Date(Date.now() - 16 * 60 * 1000);
    await utimes(lockPath(), old, old);
    await (await store.lock()).release();
  });

  test('is renewed, so that a long run keeps it', async () => {
    let now = Date.now();
    const clock = () => now;
    const lease = await fileStateStore({ path, clock }).lock();
    for (let minutes = 0; minutes < 60; minutes += 10) {
      now += 10 * 60 * 1000;
      await lease.renew();
    }
    await expect(fileStateStore({ path, clock }).lock()).rejects.toThrow(code('ledger-busy'));
  });

  test('once lost is not renewed, and not released for the run that has taken it over', async () => {
    const lease = await store.lock();
    await leaveLock({ ...own, pid: process.ppid });
    await expect(lease.renew()).rejects.toThrow(
      expect.objectContaining({
        code: 'ledger-busy',
        message: expect.stringContaining(`process ${process.ppid}`),
      }),
    );
    await lease.release();
    expect(await ledgerFiles()).toEqual(['ledger.json.lock']);
    await rm(lockPath());
    await expect(lease.renew()).rejects.toThrow(code('ledger-busy'));
  });
});

describe('loading a ledger', () => {
  test('a missing one is an empty one, and a notice', async () => {
    expect(await loadLedger(store, identity)).toEqual({
      ledger: emptyLedger(ledgerIdentity(identity)),
      tag: undefined,
      findings: [expect.objectContaining({ code: 'ledger-missing', severity: 'notice' })],
    });
  });

  test.each<[string, string | Uint8Array, string]>([
    ['cut short', '{"version":1,"pages":{"https://harbour.exa', 'it is not JSON'],
    ['of another shape', '{"version":1}', 'service'],
    ['that is no text', Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d), 'UTF-8'],
    ['that is empty', '', 'it is not JSON'],
  ])(
    'a file %s is broken: a copy is kept aside once, the original stays',
    async (_, bytes, said) => {
      await mkdir(join(folder, '.media-asset'));
      await writeFile(path, bytes);
      for (let run = 0; run < 2; run++) {
        await expect(loadLedger(store, identity)).rejects.toThrow(
          expect.objectContaining({
            code: 'ledger-broken',
            message: expect.stringContaining(said),
          }),
        );
      }
      const files = await ledgerFiles();
      expect(files).toEqual([
        'ledger.json',
        expect.stringMatching(/^ledger\.json\.broken-[0-9a-f]{8}$/),
      ]);
      for (const file of files) {
        expect(await readFile(join(folder, '.media-asset', file))).toEqual(Buffer.from(bytes));
      }
    },
  );

  test('another broken content has a copy of its own', async () => {
    for (const content of ['{', '[']) {
      await mkdir(join(folder, '.media-asset'), { recursive: true });
      await writeFile(path, content);
      await expect(loadLedger(store, identity)).rejects.toThrow(code('ledger-broken'));
    }
    expect(await ledgerFiles()).toHaveLength(3);
  });

  test('one of a newer version is left alone', async () => {
    await store.write('{"version":7}', undefined);
    await expect(loadLedger(store, identity)).rejects.toThrow(
      expect.objectContaining({ code: 'ledger-newer', message: expect.stringContaining('7') }),
    );
    expect(await ledgerFiles()).toEqual(['ledger.json']);
  });

  test.each([
    { ...identity, site: 'https://other.example' },
    { ...identity, base: '/docs' },
    { ...identity, service: 'https://other-media.example' },
  ])('one that belongs elsewhere is foreign: %o', async (other) => {
    await store.write(formatLedger(emptyLedger(ledgerIdentity(other))), undefined);
    await expect(loadLedger(store, identity)).rejects.toThrow(code('ledger-foreign'));
  });
});
