import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type LeaseOwner, newOwner, parseOwner } from '../../../src/storage/lease.ts';
import { emptyLedger } from '../../../src/usage/ledger/ledger.ts';
import { ledgerIdentity, ledgerPath } from '../../../src/usage/ledger/ledger-identity.ts';
import type { StateStore } from '../../../src/usage/ledger/open-state-store.ts';
import { fileStateStore } from '../../../src/usage/ledger/open-state-store.ts';
import { formatLedger, loadLedger } from '../../../src/usage/ledger/stored-ledger.ts';
import { identity } from '../../support/ledger/usage-fixtures.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { type StoreSetup, stateStoreSuite } from './state-store-suite.ts';

let folder: string;
let path: string;
let store: StateStore;

beforeEach(async () => {
  folder = await temporaryFolder('state');
  path = join(folder, '.media-asset/ledger.json');
  store = fileStateStore({ path, sleep: turn });
});

const turn = () => new Promise((done) => setImmediate(done));
const ledgerFiles = () => readdir(join(folder, '.media-asset'));
const code = (code: string) => expect.objectContaining({ code });

describe('a state store in a file', () =>
  stateStoreSuite(async () => {
    const root = await mkdtemp(join(tmpdir(), 'state-'));
    const file = join(root, '.media-asset/ledger.json');
    let now = Date.now();
    let set = 0;
    const sleep = async (ms: number) => {
      now += ms / 2;
      await setup.beat();
      now += ms / 2;
    };
    const setup: StoreSetup = {
      open: (identity) =>
        fileStateStore({
          path: identity ? ledgerPath(root, identity) : file,
          clock: () => now + set,
          ticks: () => now,
          sleep,
        }),
      async pass(ms) {
        now += ms;
      },
      jump(ms) {
        set += ms;
      },
      beat: async () => {},
      async put(text) {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, text);
      },
      close: () => rm(root, { recursive: true, force: true }),
    };
    return setup;
  }));

describe('the file store', () => {
  test('keeps the ledger alone in its folder, with access for its owner only', async () => {
    const lease = await store.lock();
    const tag = await lease.write('first', undefined);
    await chmod(path, 0o644);
    await lease.write('second', tag);
    for (const file of [path, `${path}.lock`]) expect((await stat(file)).mode & 0o777).toBe(0o600);
    await lease.release();
    expect(await ledgerFiles()).toEqual(['ledger.json']);
  });

  test('follows a link to its file, for the lock too', async () => {
    const real = join(await temporaryFolder('shared'), 'ledger.json');
    await mkdir(dirname(path));
    await writeFile(real, 'first');
    await symlink(real, path);
    const lease = await store.lock();
    await expect(fileStateStore({ path: real }).lock()).rejects.toEqual(code('ledger-busy'));
    await lease.write('second', (await store.read())?.tag);
    await lease.release();
    expect([await readFile(real, 'utf8'), await readlink(path)]).toEqual(['second', real]);
  });

  test("doesn't replace a deleted file", async () => {
    const lease = await store.lock();
    const tag = await lease.write('first', undefined);
    await rm(path);
    await expect(lease.write('second', tag)).rejects.toThrow(code('ledger-lost'));
    expect(await store.read()).toBeUndefined();
  });

  test('reports a failed write, and leaves no incomplete file', async () => {
    await writeFile(join(folder, '.media-asset'), 'a file where the folder should be');
    await expect(store.lock()).rejects.toThrow(code('ledger-unwritable'));
    await rm(join(folder, '.media-asset'));
    const lease = await store.lock();
    function* onFullDisk() {
      yield 'te';
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' });
    }
    await expect(lease.write(onFullDisk(), undefined)).rejects.toThrow(code('ledger-unwritable'));
    expect(await store.read()).toBeUndefined();
    expect(await readdir(join(folder, '.media-asset'))).toEqual(['ledger.json.lock']);
  });

  test('reports a failed read', async () => {
    await mkdir(path, { recursive: true });
    await expect(store.read()).rejects.toThrow(code('ledger-unreadable'));
  });
});

describe('the lock of the file store', () => {
  const lockPath = () => `${path}.lock`;
  const own = { ...(parseOwner(newOwner(Date.now())) as LeaseOwner), token: 'other' };

  async function leaveLock(owner: unknown): Promise<void> {
    await mkdir(join(folder, '.media-asset'), { recursive: true });
    await writeFile(lockPath(), typeof owner === 'string' ? owner : JSON.stringify(owner));
  }

  /** A process that has ended. */
  async function endedProcess(): Promise<number> {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    return child.pid as number;
  }

  test('names its owner from the moment it exists', async () => {
    const seen = new Set<string>();
    let isWatching = true;
    const watch = (): void => {
      try {
        seen.add(readFileSync(lockPath(), 'utf8'));
      } catch {
        // It doesn't exist at this moment.
      }
      if (isWatching) setImmediate(watch);
    };
    watch();
    for (let count = 0; count < 50; count += 1) await (await store.lock()).release();
    isWatching = false;
    expect(seen.size).toBeGreaterThan(0);
    expect([...seen].filter((text) => parseOwner(text) === undefined)).toEqual([]);
  });

  test('holds when another run takes it for a dead one and puts it back', async () => {
    const away = `${lockPath()}.away`;
    let wasTaken = false;
    const clock = () => {
      if (!wasTaken && existsSync(lockPath())) {
        wasTaken = true;
        renameSync(lockPath(), away);
        setImmediate(() => setImmediate(() => renameSync(away, lockPath())));
      }
      return Date.now();
    };
    const lease = await fileStateStore({ path, clock }).lock();
    const renewal = () => lease.renew().then(() => 'renewed', String);
    await expect.poll(renewal).toBe('renewed');
    expect(wasTaken).toBe(true);
    await lease.release();
  });

  test('lets one of several concurrent runs in, and tells the others', async () => {
    const pid = await endedProcess();
    for (let count = 0; count < 50; count += 1) {
      await leaveLock({ ...own, pid });
      const came = await Promise.allSettled(Array.from({ length: 8 }, () => store.lock()));
      const leases = came.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      const renewed = await Promise.allSettled(leases.map((lease) => lease.renew()));
      expect(renewed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const one of came) {
        if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'ledger-busy' });
      }
      for (const lease of leases) await lease.release();
    }
  });

  test.each<[string, (owner: typeof own) => Promise<unknown>]>([
    ['a process that has ended', async () => ({ ...own, pid: await endedProcess() })],
    [
      'an earlier process with the same number, as in containers',
      async () => ({ ...own, time: '2020-01-01T00:00:00.000Z' }),
    ],
  ])('takes over the lock of %s', async (_, owner) => {
    await leaveLock(await owner(own));
    const lease = await store.lock();
    await lease.renew();
    await lease.release();
    expect(await ledgerFiles()).toEqual([]);
  });

  test.each<[string, (pid: number) => unknown]>([
    ['of another machine', (pid) => ({ ...own, host: 'other.example', pid })],
    ['of another container with the same name', (pid) => ({ ...own, space: 'other', pid })],
    ['of a running process', () => ({ ...own, pid: process.ppid })],
    ['that is being written', () => ''],
    ['that names no owner', () => 'locked'],
  ])("respects a lock %s until it's too old", async (_, ownerOf) => {
    await leaveLock(ownerOf(await endedProcess()));
    await expect(store.lock()).rejects.toThrow(code('ledger-busy'));
    const old = new Date(Date.now() - 16 * 60 * 1000);
    await utimes(lockPath(), old, old);
    await (await store.lock()).release();
  });

  test.runIf(process.platform === 'linux')('that names no container is respected too', async () => {
    await leaveLock({ ...own, space: undefined, pid: await endedProcess() });
    await expect(store.lock()).rejects.toThrow(code('ledger-busy'));
  });

  test("that may be dead isn't watched by an aborted run", async () => {
    await leaveLock({ ...own, host: 'other.example', pid: 1 });
    await utimes(lockPath(), 0, 0);
    const lock = fileStateStore({ path }).lock(AbortSignal.abort());
    await expect(lock).rejects.toThrow(code('ledger-busy'));
    await (await store.lock()).release();
  });

  test('of this process is recognised, even after its clock was set back', async () => {
    const past = () => Date.now() - 3 * 24 * 60 * 60 * 1000;
    const lease = await fileStateStore({ path, clock: past }).lock();
    const soon = new Date();
    await utimes(lockPath(), soon, soon);
    await expect(store.lock()).rejects.toThrow(code('ledger-busy'));
    await lease.release();
  });

  test("that was lost isn't renewed, and not released for the run that has taken it over", async () => {
    const lease = await store.lock();
    await leaveLock({ ...own, pid: process.ppid });
    const message = expect.stringContaining(`process ${process.ppid}`);
    await expect(lease.renew()).rejects.toMatchObject({ code: 'ledger-busy', message });
    await lease.release();
    expect(await ledgerFiles()).toEqual(['ledger.json.lock']);
    await rm(lockPath());
    await expect(lease.renew()).rejects.toThrow(code('ledger-lost'));
  });
});

describe('loading a ledger', () => {
  test.each<[string, string | Uint8Array]>([
    ["that isn't UTF-8", Buffer.from('"\u00e5"', 'latin1')],
    ['that is empty', ''],
  ])("a file %s is broken and isn't changed", async (_, bytes) => {
    await mkdir(join(folder, '.media-asset'));
    await writeFile(path, bytes);
    const message = expect.stringContaining("it isn't valid JSON");
    const broken = { code: 'ledger-broken', message };
    await expect(loadLedger(store, identity)).rejects.toMatchObject(broken);
    expect(await ledgerFiles()).toEqual(['ledger.json']);
    expect(await readFile(path)).toEqual(Buffer.from(bytes));
  });

  test.each([
    { ...identity, site: 'https://other.example' },
    { ...identity, base: '/docs' },
    { ...identity, service: 'https://other-media.example' },
  ])('one of another site is foreign: %o', async (other) => {
    const lease = await store.lock();
    await lease.write([formatLedger(emptyLedger(ledgerIdentity(other)))], undefined);
    await lease.release();
    await expect(loadLedger(store, identity)).rejects.toThrow(code('ledger-foreign'));
  });
});
