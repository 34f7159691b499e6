import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { inspectCache } from '../../support/images/inspect-cache.ts';
import {
  displayedPixels,
  drawTestImage,
  pixelDifference,
} from '../../support/images/test-images.ts';
import { childEnvironment } from '../../support/process/compile-cache.ts';
import { cacheFolder, contentsOf, filesBelow, forgetAsset, startService } from '../open-images.ts';

const size = { width: 320, height: 200 };
// The first two have the same bytes.
const pictures = [
  { path: 'a.jpg', ...size },
  { path: 'b.jpg', ...size },
  { path: 'c.png', ...size, seed: 9 },
  { path: 'd.jpg', ...size, seed: 20 },
] as const;
const emulator = await startService(pictures);
const ids = [4711, 4712, 4713, 4714];
const program = fileURLToPath(new URL('../../support/images/cache-process.ts', import.meta.url));

async function start(cacheDir: string, at: { change?: number; dies?: boolean } = {}) {
  const output = await cacheFolder();
  const order = JSON.stringify({ url: emulator.url, cacheDir, output, ids, crops: 'local', ...at });
  const child = spawn(process.execPath, [program, order], {
    env: childEnvironment,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  return { output, child, ended };
}

/** Compares every published file of a build with its asset, pixel by pixel. */
async function ends({ output, child, ended }: Awaited<ReturnType<typeof start>>): Promise<void> {
  await ended;
  expect(child.exitCode).toBe(0);
  const files = [...(await filesBelow(output))];
  expect(files).toHaveLength(12);
  for (const [path, bytes] of files) {
    const picture = pictures[Number(/(471\d)-/.exec(path)?.[1]) - 4711] ?? pictures[0];
    const pixels = await displayedPixels(bytes);
    const expected = await displayedPixels(
      await sharp(await drawTestImage(picture))
        .resize(pixels.width)
        .png()
        .toBuffer(),
    );
    // Other test images differ by 12 or more.
    expect(pixelDifference(pixels, expected).mean).toBeLessThan(10);
  }
}

const isRight = async (cacheDir: string) => ends(await start(cacheDir));

test('builds that fill one cache at the same time all publish the right images', async () => {
  const cacheDir = await cacheFolder();
  await Promise.all([isRight(cacheDir), isRight(cacheDir), isRight(cacheDir)]);
  expect(inspectCache(cacheDir)).toMatchObject({ broken: [] });
  const drawn = await drawTestImage(pictures[0]);
  // Once per asset with these bytes.
  expect((await contentsOf(cacheDir)).filter((bytes) => bytes.equals(drawn))).toHaveLength(2);
});

describe('a build that is killed at a change of the cache leaves it intact:', () => {
  test.each([1, 5, 18, 21, 54, 108, 123])('number %i', { tags: ['slow'] }, survivesKill);
});

async function survivesKill(change: number): Promise<void> {
  const cacheDir = await cacheFolder();
  const { child, ended } = await start(cacheDir, { change, dies: true });
  await ended;
  expect(child.signalCode).toBe('SIGKILL');

  const { broken } = inspectCache(cacheDir);
  expect(broken).toEqual([]);
  await isRight(cacheDir);
}

describe('a build whose cache is cleared at a change publishes the right images:', () => {
  test.each([5, 22, 60, 108])('number %i', { tags: ['slow'] }, survivesClear);
});

async function survivesClear(change: number): Promise<void> {
  const cacheDir = await cacheFolder();
  const build = await start(cacheDir, { change });
  const cleared = once(build.child, 'message').then(() => forgetAsset(cacheDir, 4711));
  await Promise.all([ends(build), cleared]);
}
