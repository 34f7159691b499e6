import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openCatalogue } from '../../src/assets/store/catalogue.ts';
import { readCatalogue, readCatalogueData } from '../../src/assets/store/read-catalogue.ts';
import { compileCache } from '../support/process/compile-cache.ts';
import { cacheFolder } from './open-images.ts';

const program = fileURLToPath(new URL('../support/images/catalogue-process.ts', import.meta.url));

/** Starts a process that has opened the catalogue and is about to save these assets. */
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

test('processes that save at the same time keep the entries of all', async () => {
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

test("a lock that can't be created is an error that names the catalogue", async () => {
  const cacheDir = await cacheFolder();
  const path = join(cacheDir, 'catalogue.json');
  await mkdir(`${path}.lock`);
  const catalogue = openCatalogue({ cacheDir, clock: Date.now, onFinding: () => {} });
  await expect(catalogue.save()).rejects.toMatchObject({
    code: 'cache-unusable',
    message: expect.stringContaining(path),
  });
});

test('a lock that another process holds is an error that names the process', async () => {
  const cacheDir = await cacheFolder();
  const path = join(cacheDir, 'catalogue.json');
  const time = new Date().toISOString();
  const owner = { pid: 71, host: 'elsewhere', time, token: 'abc' };
  await writeFile(`${path}.lock`, JSON.stringify(owner));
  let ticks = 0;
  // The wait ends after two attempts.
  const now = vi.spyOn(performance, 'now').mockImplementation(() => {
    ticks += 20_000;
    return ticks;
  });
  onTestFinished(() => now.mockRestore());
  const catalogue = openCatalogue({ cacheDir, clock: Date.now, onFinding: () => {} });
  await expect(catalogue.save()).rejects.toMatchObject({
    code: 'catalogue-locked',
    message: `The catalogue ${path} is locked by process 71 on elsewhere since ${time}.`,
  });
  expect(readCatalogue(cacheDir)).toEqual([]);
});
