import sharp from 'sharp';
import { beforeEach, expect, test } from 'vitest';
import { customFormats } from '../../src/images/custom-format-parameters.ts';
import type { ImagesOptions } from '../../src/images/images.ts';
import {
  cacheFolder,
  clientOf,
  failureOf,
  openImages,
  replaceAsset,
  startService,
  type TestImages,
  takeDownloads,
} from './open-images.ts';

const emulator = await startService([
  { path: 'a.jpg', width: 800, height: 600 },
  { path: 'b.jpg', width: 600, height: 800, orientation: 6 },
  { path: 'c.jpg', width: 640, height: 480, seed: 1 },
  { path: 'd.png', width: 300, height: 200 },
]);
const upright = 4711;
const turned = 4712;
const other = 4713;
const plain = 4714;

const single = { width: 300, height: 200, channels: 3, background: '#369' } as const;
await replaceAsset(emulator, 'd.png', await sharp({ create: single }).png().toBuffer());

beforeEach(async () => {
  await emulator.setSettings({ customFormat: 'size', cropPixels: 'displayed' });
  emulator.clearLog();
});

const open = (cacheDir: string, options: Partial<ImagesOptions> = {}) =>
  openImages({ service: clientOf(emulator), cacheDir, ...options });

const show = (images: TestImages, id: number) =>
  images.getMediaAsset({
    id,
    alt: 'A quay',
    page: '/page/',
    crop: { x: 20, y: 10, width: 100, height: 80 },
  });

/** Whole ones. */
const originals = () =>
  takeDownloads(emulator).filter((line) => /^200 .*\/download\/0 /.test(line)).length;

test('the first crop by a service is compared with one of its original, the next ones are not', async () => {
  const images = open(await cacheFolder());
  await show(images, upright);
  expect(originals()).toBe(1);
  await show(images, other);
  expect(originals()).toBe(0);
});

test('what is proven is remembered for the service and the setting', async () => {
  const cacheDir = await cacheFolder();
  const first = open(cacheDir);
  await first.publish(await show(first, upright));
  takeDownloads(emulator);

  await show(open(cacheDir), other);
  expect(originals()).toBe(0);
  await emulator.setSettings({ customFormat: 'corners' });
  await show(open(cacheDir, { customFormat: customFormats.corners }), other);
  expect(originals()).toBe(1);
});

test.each([
  ['size', 'size', undefined],
  ['size', 'corners', undefined],
  ['corners', 'size', 'custom-format-mismatch'],
  ['corners', 'corners', undefined],
] as const)(
  'a service that means w and h as %s, asked by %s: %s',
  async (meaning, dialect, code) => {
    await emulator.setSettings({ customFormat: meaning });
    const images = open(await cacheFolder(), { customFormat: customFormats[dialect] });
    for (const id of [upright, other]) {
      const ended = await show(images, id).then(
        () => undefined,
        (thrown) => thrown.code,
      );
      expect(ended).toBe(code);
    }
  },
);

test('a mismatch names the page, the asset, what came and the ways out', async () => {
  await emulator.setSettings({ customFormat: 'corners' });
  const failure = await failureOf(show(open(await cacheFolder()), upright));
  expect(failure).toMatchObject({
    message:
      '/page/: for the crop of asset 4711 the service gave 400 × 200 pixels of all that is right of and below the corner, scaled instead of 400 × 200 pixels of the crop.',
    hint: expect.stringMatching(/customFormat: 'corners'.*crops: 'local'/),
  });
});

test('what was wrong is tried again by the next build', async () => {
  const cacheDir = await cacheFolder();
  await emulator.setSettings({ customFormat: 'corners' });
  const images = open(cacheDir);
  await failureOf(show(images, upright));
  await images.save();
  await emulator.setSettings({ customFormat: 'size' });
  await expect(show(open(cacheDir), upright)).resolves.toMatchObject({ width: 100 });
});

test('a picture of one colour proves nothing, so that the next one is compared too', async () => {
  const images = open(await cacheFolder());
  await show(images, plain);
  await show(images, upright);
  await show(images, other);
  expect(originals()).toBe(2);
});

test('crops of a turned picture prove nothing of upright ones, and are refused by themselves', async () => {
  await emulator.setSettings({ cropPixels: 'stored' });
  const images = open(await cacheFolder());
  expect(await failureOf(show(images, turned))).toMatchObject({ code: 'custom-format-mismatch' });
  await expect(show(images, upright)).resolves.toMatchObject({ width: 100 });
  await expect(show(images, other)).resolves.toMatchObject({ width: 100 });
});

test('with a service that is out of reach, cached crops are shown without a proof', async () => {
  const cacheDir = await cacheFolder();
  const online = open(cacheDir);
  await online.publish(await show(online, plain));
  const unreachable = clientOf(emulator, {
    fetch: async () => {
      throw new TypeError('fetch failed');
    },
  });
  const images = openImages({ service: unreachable, cacheDir });
  await expect(show(images, plain)).resolves.toMatchObject({ width: 100 });
});

test('crops that are cut on this machine need no proof', async () => {
  await emulator.setSettings({ customFormat: 'corners' });
  const images = open(await cacheFolder(), { crops: 'local' });
  await expect(show(images, upright)).resolves.toMatchObject({ width: 100 });
});
