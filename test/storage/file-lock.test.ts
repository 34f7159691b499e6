import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type FileLock, lockFile } from '../../src/storage/file-lock.ts';
import { newOwner, parseOwner, waitWhileBusy } from '../../src/storage/lease.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';

const waitForLock = (lock: FileLock) =>
  waitWhileBusy(() => lockFile(lock), {
    ...lock,
    isBusy: (error) => String(error).includes('busy: '),
    patience: 30_000,
    interval: 40,
  });

/** A folder with a lock file. The test controls time. */
async function locked(owner: Record<string, unknown>) {
  const folder = await temporaryFolder('lock');
  const path = join(folder, 'file.lock');
  const time = new Date().toISOString();
  const text = `${JSON.stringify({ time, token: 'abc', ...owner })}\n`;
  await writeFile(path, text);
  let now = Date.now();
  const start = now;
  const hooks = { beat: async () => {} };
  const lock = {
    path,
    clock: () => now,
    ticks: () => now,
    async sleep(ms: number) {
      now += ms;
      await hooks.beat();
    },
    expiry: 10_000,
    busy: (found: string) => new Error(`busy: ${found}`),
    lost: (found: string | undefined) => new Error(`lost: ${found}`),
    unwritable: (cause: Error) => cause,
  };
  const touch = () => utimes(path, new Date(now), new Date(now));
  return { folder, path, text, hooks, lock, touch, waited: () => now - start };
}

test('the lock of a killed process blocks no one', async () => {
  // No system uses such a process ID.
  const { lock, waited, folder } = await locked({
    ...parseOwner(newOwner(Date.now())),
    pid: 2 ** 31 - 2,
  });
  const held = await waitForLock(lock);
  expect(waited()).toBe(0);
  await held.release();
  expect(await readdir(folder)).toEqual([]);
});

test('the stale lock of another machine is replaced in time', async () => {
  const { lock, waited } = await locked({ pid: 1, host: 'elsewhere' });
  const held = await waitForLock(lock);
  expect(waited()).toBeGreaterThan(10_000);
  expect(waited()).toBeLessThan(20_000);
  await held.release();
});

test('a lock that becomes free is taken', async () => {
  const { lock, hooks, path, waited } = await locked({ pid: 1, host: 'elsewhere' });
  hooks.beat = async () => {
    if (waited() > 500) await rm(path, { force: true });
  };
  const held = await waitForLock(lock);
  expect(waited()).toBeLessThan(1000);
  await held.release();
});

test('a lock that stays held is an error after the wait', async () => {
  const { lock, path, text, hooks, touch, waited } = await locked({ pid: 71, host: 'elsewhere' });
  hooks.beat = touch;
  await expect(waitForLock(lock)).rejects.toThrow(`busy: ${text}`);
  expect(waited()).toBeGreaterThanOrEqual(30_000);
  expect(waited()).toBeLessThan(31_000);
  expect(await readFile(path, 'utf8')).toBe(text);
});
