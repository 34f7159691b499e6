import { beforeEach, expect, test } from 'vitest';
import type { AssetsOptions } from '../../../src/assets/assets-options.ts';
import { failureOf } from '../../service/scripted-service.ts';
import {
  displayedPixels,
  patternPixels,
  pixelDifference,
  regionPixels,
  type TestImage,
} from '../../support/images/test-images.ts';
import {
  cacheFolder,
  codeOf,
  emulatorClient,
  openImages,
  startService,
  type TestImages,
} from '../open-images.ts';

const size = { width: 480, height: 360 };
const pictures: readonly TestImage[] = [
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((orientation) => ({
    path: `${orientation}.jpg`,
    ...size,
    orientation,
    seed: orientation,
  })),
  { path: 'a/other.jpg', ...size, seed: 9 },
  { path: 'b.png', ...size, orientation: 3 },
  { path: 'c.tiff', ...size, orientation: 3 },
  { path: 'd.webp', ...size, orientation: 3 },
];
const emulator = await startService(pictures);
const upright = 4711;
const turned = 4713;
const other = 4719;

beforeEach(async () => {
  await emulator.clearFaults();
  await emulator.setSettings({ cropPixels: 'stored', downloads: 'bytes' });
  emulator.clearLog();
});

const open = (cacheDir: string, options: Partial<AssetsOptions> = {}) =>
  openImages({ service: emulatorClient(emulator), cacheDir, ...options });

/** A square, whose size is the same with and without rotation. */
const crop = { x: 130, y: 70, width: 160, height: 160 };

const show = (images: TestImages, id: number) =>
  images.getMediaAsset({ id, alt: 'A quay', page: '/quays/', crop, format: 'png' });

test('a crop of a rotated image with the wrong pixels is an error that names the page', async () => {
  const images = open(await cacheFolder());
  await show(images, upright);
  expect(await failureOf(show(images, turned))).toMatchObject({
    code: 'custom-format-mismatch',
    message:
      '/quays/: for a crop of asset 4713, the service sent 160 × 160 pixels of something else instead of 160 × 160 pixels of the crop, with the EXIF orientation applied.',
  });
  await show(images, other);
});

const turns = pictures.filter(({ orientation = 1 }) => orientation > 1);

test.each(turns)('a crop of $path with the wrong pixels is refused', async ({ path }) => {
  const images = open(await cacheFolder());
  await show(images, upright);
  const id = 4711 + pictures.findIndex((picture) => picture.path === path);
  expect(await codeOf(show(images, id))).toBe('custom-format-mismatch');
});

test('crops of all rotated images are published with the right pixels', async () => {
  await emulator.setSettings({ cropPixels: 'displayed' });
  const images = open(await cacheFolder());
  const assets = await Promise.all(pictures.map((_, index) => show(images, 4711 + index)));
  const files = await images.publish(...assets);
  for (const [index, { src }] of assets.entries()) {
    const region = regionPixels(patternPixels(pictures[index] as TestImage), crop);
    const published = await displayedPixels(files.get(src) as Uint8Array);
    expect(pixelDifference(published, region).mean).toBeLessThan(3);
  }
  expect(images.findings).toEqual([]);
});
