// Imported first, because the cache keeps references to the file system's functions.
import '../../support/process/lock-files-by-process.ts';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inspectCache } from '../../support/images/inspect-cache.ts';
import { lockFilesByProcess } from '../../support/process/lock-files-by-process.ts';
import {
  cacheFolder,
  codeOf,
  emulatorClient,
  openImages,
  redraw,
  startService,
} from '../open-images.ts';

const emulator = await startService([
  { path: 'a.jpg', width: 160, height: 120 },
  { path: 'b.jpg', width: 90, height: 60, seed: 1 },
]);

test('a cache whose files other programs lock briefly can be filled, renewed and purged', async () => {
  const cacheDir = await cacheFolder();
  const open = () => openImages({ service: emulatorClient(emulator), cacheDir });
  const show = async (id: number, images = open()) => {
    const asset = await images.show(id, { width: 40 });
    return images.publish(asset);
  };
  const found = lockFilesByProcess(1);
  const first = await show(4711);
  await show(4712);
  const replaced = { path: 'a.jpg', width: 160, height: 120, seed: 9 };
  await redraw(emulator, replaced);
  const second = await show(4711);
  expect([...second.keys()]).not.toEqual([...first.keys()]);
  expect(inspectCache(cacheDir)).toEqual({ whole: 8, broken: [] });

  rmSync(join(emulator.mediaDir, 'b.jpg'));
  const last = open();
  expect(await codeOf(show(4712, last))).toBe('asset-withdrawn');
  await last.tidy();
  expect(inspectCache(cacheDir)).toEqual({ whole: 5, broken: [] });
  expect(found()).toBeGreaterThan(10);
});
