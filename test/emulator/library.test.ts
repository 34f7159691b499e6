import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { drawTestImage, drawTestImages } from '../support/images/test-images.ts';
import { type EmulatorProcess, startEmulatorProcess } from '../support/service/emulator-process.ts';

const paths = ['quay.png', 'boats/ferry.png', 'boats/tug.png', 'Ångström.png', 'Zoo/a.png'];
const sorted = ['Zoo/a.png', 'boats/ferry.png', 'boats/tug.png', 'quay.png', 'Ångström.png'];

let media: string;
let emulator: EmulatorProcess;

beforeEach(async () => {
  media = await drawTestImages(
    paths.map((path, seed) => ({ path, width: 20 + seed, height: 20, seed })),
  );
  emulator = await startEmulatorProcess({ media });
});

afterEach(async () => {
  await emulator.stop();
  await rm(media, { recursive: true });
});

/** The path of the asset with this ID, found by its bytes; `undefined` for 404. */
async function pathOf(id: number): Promise<string | undefined> {
  const response = await emulator.fetch(`/1/file/${id}/download/0`);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status === 404) return undefined;
  expect(response.status).toBe(200);
  for (const path of [...paths, 'new.png', 'moved.png']) {
    const file = await readFile(join(media, path)).catch(() => undefined);
    if (file?.equals(bytes)) return path;
  }
  return 'unknown bytes';
}

const pathsFrom = (first: number, last: number) =>
  Promise.all(Array.from({ length: last - first + 1 }, (_, index) => pathOf(first + index)));

describe('asset IDs', () => {
  test('start at 4711, in path order, and stay the same between runs', async () => {
    expect(await pathsFrom(4711, 4716)).toEqual([...sorted, undefined]);
    await emulator.restart();
    expect(await pathsFrom(4711, 4716)).toEqual([...sorted, undefined]);
  });

  test('continue with files added while it runs', async () => {
    await writeFile(join(media, 'new.png'), 'new');
    expect(await pathOf(4716)).toBe('new.png');
    await emulator.restart();
    expect(await pathsFrom(4711, 4716)).toEqual([...sorted, 'new.png']);
  });

  test('return with their file, and are never reused after a deletion or a move', async () => {
    const file = await readFile(join(media, 'quay.png'));
    await rm(join(media, 'quay.png'));
    expect(await pathOf(4714)).toBeUndefined();
    await writeFile(join(media, 'quay.png'), file);
    expect(await pathOf(4714)).toBe('quay.png');
    await rm(join(media, 'quay.png'));
    await rename(join(media, 'Ångström.png'), join(media, 'moved.png'));
    expect(await pathOf(4715)).toBeUndefined();
    expect(await pathOf(4716)).toBe('moved.png');
    await emulator.restart();
    expect(await pathsFrom(4714, 4716)).toEqual([undefined, undefined, 'moved.png']);
  });

  test('stay the same after an edit, with a new ETag', async () => {
    const tag = async () =>
      (await emulator.fetch('/1/file/4714/download/0', { method: 'HEAD' })).headers.get('ETag');
    const before = await tag();
    const edited = await drawTestImage({ path: 'quay.png', width: 50, height: 50, seed: 9 });
    await writeFile(join(media, 'quay.png'), edited);
    expect(await pathOf(4714)).toBe('quay.png');
    const after = await tag();
    expect(after).not.toBe(before);
    await emulator.restart();
    expect(await tag()).toBe(after);
  });
});
