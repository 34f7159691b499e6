import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { waitForLock } from '../../src/storage/file-lock.ts';
import { newOwner, parseOwner } from '../../src/storage/lease-owner.ts';

const patience = 30_000;

/** A folder with a lock in it; time is what the test lets pass. */
async function locked(owner: Record<string, unknown>) {
  const folder = await mkdtemp(join(tmpdir(), 'lock-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
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

test('the lock of a process that was killed keeps no one waiting', async () => {
  // No system gives out such a number.
  const { lock, waited, folder } = await locked({
    ...parseOwner(newOwner(Date.now())),
    pid: 2 ** 31 - 2,
  });
  const held = await waitForLock(lock, patience);
  expect(waited()).toBe(0);
  await held.release();
  expect(await readdir(folder)).toEqual([]);
});

test('the lock of another machine that is not renewed is taken over within the patience', async () => {
  const { lock, waited } = await locked({ pid: 1, host: 'elsewhere' });
  const held = await waitForLock(lock, patience);
  expect(waited()).toBeGreaterThan(10_000);
  expect(waited()).toBeLessThan(20_000);
  await held.release();
});

test('a lock that is free later is taken then', async () => {
  const { lock, hooks, path, waited } = await locked({ pid: 1, host: 'elsewhere' });
  hooks.beat = async () => {
    if (waited() > 500) await rm(path, { force: true });
  };
  const held = await waitForLock(lock, patience);
  expect(waited()).toBeLessThan(1000);
  await held.release();
});

test('a lock that stays is an error once the patience ends', async () => {
  const { lock, path, text, hooks, touch, waited } = await locked({ pid: 71, host: 'elsewhere' });
  hooks.beat = touch;
  await expect(waitForLock(lock, patience)).rejects.toThrow(`busy: ${text}`);
  expect(waited()).toBeGreaterThanOrEqual(30_000);
  expect(waited()).toBeLessThan(31_000);
  expect(await readFile(path, 'utf8')).toBe(text);
});
