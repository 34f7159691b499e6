import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { failureOf } from '../../service/scripted-service.ts';
import { inspectCache } from '../../support/images/inspect-cache.ts';
import { mountSmallDisk } from '../../support/process/small-disk.ts';
import { emulatorClient, openImages, startService, takeDownloads } from '../open-images.ts';

const emulator = await startService([
  { path: 'a.jpg', width: 160, height: 120 },
  { path: 'b.jpg', width: 900, height: 600, seed: 1 },
]);
const disk = mountSmallDisk();

afterAll(() => disk?.unmount());

describe.skipIf(!disk)('a disk that fills up during a download', () => {
  const cacheDir = join(disk?.folder ?? '', 'cache');
  const show = (id: number, width: number) => {
    const images = openImages({ service: emulatorClient(emulator), cacheDir });
    return images.show(id, { width, densities: [1] }).then((asset) => images.publish(asset));
  };
  const entries = async () => (await readdir(cacheDir, { recursive: true })).sort();

  test('ends the build and leaves the cache unchanged, and the next build continues', async () => {
    await show(4711, 40);
    const before = await entries();
    disk?.fill(12 * 1024);
    const error = await failureOf(show(4712, 80));
    expect(error).toMatchObject({ code: 'cache-unusable' });
    expect(inspect(error)).toContain('ENOSPC');
    expect(await entries()).toEqual(before);
    disk?.empty();
    expect(inspectCache(cacheDir)).toEqual({ whole: 2, broken: [] });
    emulator.clearLog();
    await show(4711, 40);
    // It was only checked for a newer version.
    expect(takeDownloads(emulator)).toEqual(['304 /1/file/4711/download/0']);
  });
});
