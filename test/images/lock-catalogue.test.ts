import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Finding } from '../../src/errors.ts';
import { openCatalogue } from '../../src/images/catalogue.ts';
import { lockCatalogue } from '../../src/images/lock-catalogue.ts';
import { readCatalogue, readCatalogueData } from '../../src/images/read-catalogue.ts';
import { newOwner, parseOwner } from '../../src/storage/lease-owner.ts';
import { compileCache } from '../support/compile-cache.ts';
import { cacheFolder } from './open-images.ts';

const program = fileURLToPath(new URL('../support/catalogue-child.ts', import.meta.url));

/** A process that has opened the catalogue and is about to save these assets. */
async function startSaver(cacheDir: string, ids: { first: number; last: number }) {
  const child = fork(program, [JSON.stringify({ cacheDir, ids })], {
    env: { PATH: process.env.PATH, ...compileCache },
    execArgv: [],
  });
  await once(child, 'message');
  return async () => {
    child.send('save');
    expect(await once(child, 'exit')).toEqual([0, null]);
  };
}

test('processes that save at the same time keep what all of them know', async () => {
  const cacheDir = await cacheFolder();
  const savers = await Promise.all([
    startSaver(cacheDir, { first: 1, last: 3000 }),
    startSaver(cacheDir, { first: 2001, last: 5000 }),
    startSaver(cacheDir, { first: 5001, last: 8000 }),
  ]);
  await Promise.all(savers.map((save) => save()));
  expect(readCatalogue(cacheDir).map(({ id }) => id)).toEqual(
    Array.from({ length: 8000 }, (_, index) => index + 1),
  );
  expect(Object.keys(readCatalogueData(cacheDir)?.checks ?? {})).toHaveLength(8000);
  expect(await readdir(cacheDir)).toEqual(['catalogue.json']);
});

/** Where the lock is and time is what the test lets pass. */
async function locked({ owner }: { owner: Record<string, unknown> }) {
  const path = join(await cacheFolder(), 'catalogue.json');
  const time = new Date().toISOString();
  const text = `${JSON.stringify({ time, token: 'abc', ...owner })}\n`;
  await writeFile(`${path}.lock`, text);
  let now = Date.now();
  const start = now;
  const hooks = { beat: async () => {} };
  return {
    path,
    text,
    hooks,
    lock: {
      path,
      clock: () => now,
      ticks: () => now,
      async sleep(ms: number) {
        now += ms;
        await hooks.beat();
      },
    },
    touch: () => utimes(`${path}.lock`, new Date(now), new Date(now)),
    waited: () => now - start,
  };
}

test('the lock of a process that was killed keeps nobody waiting', async () => {
  // No system gives out such a number.
  const owner = { ...parseOwner(newOwner(Date.now())), pid: 2 ** 31 - 2 };
  const { lock, path, waited } = await locked({ owner });
  const problem = await lockCatalogue(lock, async (isOurs) => {
    await writeFile(path, 'saved');
    return isOurs();
  });
  expect({ problem, waited: waited() }).toEqual({ problem: undefined, waited: 0 });
  expect(await readdir(join(path, '..'))).toEqual(['catalogue.json']);
});

test('the lock of another machine that is not renewed is taken over within the patience', async () => {
  const { lock, waited } = await locked({ owner: { pid: 1, host: 'elsewhere' } });
  expect(await lockCatalogue(lock, async (isOurs) => isOurs())).toBeUndefined();
  expect(waited()).toBeGreaterThan(10_000);
  expect(waited()).toBeLessThan(20_000);
});

test('nobody waits for longer than 30 s: then it is saved without the lock, and the owner named', async () => {
  const owner = { pid: 71, host: 'elsewhere' };
  const { lock, path, text, hooks, touch, waited } = await locked({ owner });
  hooks.beat = touch;
  let saved = 0;
  const problem = await lockCatalogue(lock, async (isOurs) => {
    saved += 1;
    return isOurs();
  });
  expect(saved).toBe(1);
  expect(problem).toMatch(/^process 71 on elsewhere has it since /);
  expect(waited()).toBeGreaterThanOrEqual(30_000);
  expect(waited()).toBeLessThan(31_000);
  expect(await readFile(`${path}.lock`, 'utf8')).toBe(text);
});

test('a process whose lock was taken over merges again before it writes', async () => {
  const path = join(await cacheFolder(), 'catalogue.json');
  const other = newOwner(0);
  const seen: boolean[] = [];
  const problem = await lockCatalogue({ path, clock: Date.now }, async (isOurs) => {
    if (seen.length === 0) await writeFile(`${path}.lock`, other);
    seen.push(await isOurs());
    return seen.at(-1) ?? false;
  });
  expect({ seen, problem }).toEqual({ seen: [false, true], problem: undefined });
});

test('a lock that cannot be made costs no build its catalogue, and is said', async () => {
  const cacheDir = await cacheFolder();
  const path = join(cacheDir, 'catalogue.json');
  await mkdir(`${path}.lock`);
  const findings: Finding[] = [];
  const catalogue = openCatalogue({
    cacheDir,
    clock: Date.now,
    onFinding: (found) => findings.push(found),
  });
  catalogue.setChecked('https://dam.example', 4711);
  await catalogue.save();
  expect(Object.keys(readCatalogueData(cacheDir)?.checks ?? {})).toEqual([
    'https://dam.example|4711',
  ]);
  expect(findings).toMatchObject([
    {
      code: 'catalogue-unlocked',
      severity: 'warning',
      place: path,
      message: `The catalogue ${path} was saved without its lock: the file system answers EISDIR.`,
    },
  ]);
});
