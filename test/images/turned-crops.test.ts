import sharp from 'sharp';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { ImagesOptions } from '../../src/images/images.ts';
import { startAnsweringServer } from '../support/answering-server.ts';
import {
  displayedPixels,
  drawTestPicture,
  patternPixels,
  pixelDifference,
  regionPixels,
  type TestPicture,
} from '../support/test-pictures.ts';
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

const size = { width: 480, height: 360 };
const pictures: readonly TestPicture[] = [
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
  { path: 'e.tiff', width: 1200, height: 900 },
];
const emulator = await startService(pictures);
const upright = 4711;
const turned = 4713;
const other = 4719;
const uprightTiff = 4723;

beforeEach(async () => {
  await emulator.clearFaults();
  await emulator.setSettings({ cropPixels: 'stored', ranges: 'answered', downloads: 'bytes' });
  emulator.clearLog();
});

const open = (cacheDir: string, options: Partial<ImagesOptions> = {}) =>
  openImages({ service: clientOf(emulator), cacheDir, ...options });

/** A square, which is one either way. */
const crop = { x: 130, y: 70, width: 160, height: 160 };

const show = (images: TestImages, id: number) =>
  images.getMediaAsset({ id, alt: 'A quay', page: '/quays/', crop, format: 'png' });

/** What the service was asked for of originals: whole ones, and heads. */
const asked = () =>
  takeDownloads(emulator)
    .filter((line) => line.includes('/download/0 '))
    .map((line) => line.replace(/^(\d+) \/1\/file\/(\d+).*$/, '$1 $2'));

test('a turned picture of which only crops in pixels are shown is refused by the first build', async () => {
  const images = open(await cacheFolder());
  await show(images, upright);
  asked();
  expect(await failureOf(show(images, turned))).toMatchObject({
    code: 'custom-format-mismatch',
    message:
      '/quays/: for the crop of asset 4713 the service gave 240 × 120 pixels of something else instead of 240 × 120 pixels of the crop, as EXIF turns the picture.',
  });
  // Before it is refused: whether the original is the present one.
  expect(asked()).toEqual([`206 ${turned}`, `200 ${turned}`, `304 ${turned}`]);
  // That crops of turned pictures are wrong is known by now.
  expect(await failureOf(show(images, 4716))).toMatchObject({ code: 'custom-format-mismatch' });
  await show(images, other);
  expect(asked()).toEqual(['206 4716', `206 ${other}`]);
});

const turns = pictures.filter(({ orientation = 1 }) => orientation > 1);

test.each(turns)('of $path wrong pixels are refused', async ({ path }) => {
  const images = open(await cacheFolder());
  await show(images, upright);
  const id = 4711 + pictures.findIndex((picture) => picture.path === path);
  expect(await failureOf(show(images, id))).toMatchObject({ code: 'custom-format-mismatch' });
});

test('of every turned picture the right pixels are published', async () => {
  await emulator.setSettings({ cropPixels: 'displayed' });
  const images = open(await cacheFolder());
  const assets = await Promise.all(pictures.map((_, index) => show(images, 4711 + index)));
  const files = await images.publish(...assets);
  for (const [index, { src }] of assets.entries()) {
    const region = regionPixels(patternPixels(pictures[index] as TestPicture), crop);
    const published = await displayedPixels(files.get(src) as Uint8Array);
    expect(pixelDifference(published, region).mean).toBeLessThan(3);
  }
  expect(images.findings).toEqual([]);
});

describe('heads are asked for', () => {
  test('once for each asset, and short ones once a turned picture has proven the service', async () => {
    await emulator.setSettings({ cropPixels: 'displayed' });
    const images = open(await cacheFolder());
    await show(images, upright);
    await images.getMediaAsset({
      id: upright,
      alt: '',
      page: '/',
      crop: { ...crop, x: 0 },
    });
    expect(asked()).toEqual([`206 ${upright}`, `200 ${upright}`]);
    await show(images, turned);
    expect(asked()).toEqual([`206 ${turned}`, `200 ${turned}`]);
    await show(images, other);
    await show(images, 4716);
    expect(takeDownloads(emulator).filter((line) => line.includes('/download/0 '))).toEqual([
      `206 /1/file/${other}/download/0 4096`,
      '206 /1/file/4716/download/0 4096',
    ]);
  });

  test('by no build that shows the same crops of the same assets', async () => {
    const cacheDir = await cacheFolder();
    const first = open(cacheDir);
    await first.publish(await show(first, upright), await show(first, other));
    expect(asked()).toEqual([`206 ${upright}`, `200 ${upright}`, `206 ${other}`]);

    const second = open(cacheDir);
    await show(second, other);
    await show(second, upright);
    expect(takeDownloads(emulator).map((line) => line.split(' ')[0])).toEqual(['304', '304']);
  });

  test('anew of an asset that was replaced', async () => {
    const cacheDir = await cacheFolder();
    const first = open(cacheDir);
    await first.publish(await show(first, upright), await show(first, other));
    asked();
    onTestFinished(async () => replaceAsset(emulator, 'a/other.jpg', original));
    const original = await drawTestPicture(pictures[8] as TestPicture);
    const camera = { path: 'a/other.jpg', ...size, orientation: 3 };
    await replaceAsset(emulator, camera.path, await drawTestPicture(camera));
    expect(await failureOf(show(open(cacheDir), other))).toMatchObject({
      code: 'custom-format-mismatch',
    });
    expect(asked()).toEqual([`206 ${other}`, `200 ${other}`, `304 ${other}`]);
  });

  test('with the crops that a first build fetches before pages ask', async () => {
    const images = open(await cacheFolder());
    await show(images, upright);
    asked();
    images.prefetch([{ id: turned, shows: crop }]);
    const answered = () =>
      emulator.log().filter(({ path, status }) => path.endsWith('/download/0') && status !== null);
    await expect.poll(answered).toHaveLength(3);
    expect(asked()).toEqual([`206 ${turned}`, `200 ${turned}`, `304 ${turned}`]);
    expect(await failureOf(show(images, turned))).toMatchObject({ code: 'custom-format-mismatch' });
    expect(asked()).toEqual([]);
  });

  test('of no original that is at hand', async () => {
    const images = open(await cacheFolder());
    await show(images, upright);
    await images.getMediaAsset({ id: turned, alt: '', page: '/' });
    asked();
    expect(await failureOf(show(images, turned))).toMatchObject({ code: 'custom-format-mismatch' });
    expect(asked()).toEqual([`304 ${turned}`]);
  });
});

test.each([
  ['ignores ranges', { ranges: 'ignored' }, {}],
  ['redirects to another host', { downloads: 'redirect' }, {}],
  ['answers with an address', { downloads: 'json' }, { downloads: 'url' }],
] as const)('a turned picture is found at a service that %s', async (_, settings, options) => {
  await emulator.setSettings(settings);
  const images = open(await cacheFolder(), { service: clientOf(emulator, options) });
  await show(images, upright);
  expect(await failureOf(show(images, turned))).toMatchObject({ code: 'custom-format-mismatch' });
});

test('of a kind whose head does not tell, the whole original is fetched, by the first build', async () => {
  await emulator.setSettings({ cropPixels: 'displayed' });
  const cacheDir = await cacheFolder();
  const first = open(cacheDir);
  await show(first, upright);
  asked();
  await first.publish(await show(first, uprightTiff));
  expect(asked()).toEqual([`206 ${uprightTiff}`, `200 ${uprightTiff}`]);
  await show(open(cacheDir), uprightTiff);
  expect(asked()).toEqual([]);
});

describe('a crop is shown without a proof', () => {
  test.each([403, 404, 400] as const)(
    'where the original is refused by %i, and the build does not ask again',
    async (status) => {
      const cacheDir = await cacheFolder();
      await emulator.setFaults([{ kind: 'status', call: 'original', status }]);
      const first = open(cacheDir);
      expect((await first.publish(await show(first, turned))).size).toBe(1);
      asked();
      const unproven = [
        {
          code: 'crops-unproven',
          severity: 'warning',
          place: emulator.url,
          message: `Crops of 1 asset are shown without a proof that the service cuts them as asked: ${turned}.`,
        },
      ];
      expect(first.findings).toMatchObject(unproven);

      const second = open(cacheDir);
      const asset = await show(second, turned);
      expect(asset).toMatchObject({ width: 160 });
      await second.publish(asset);
      expect(second.findings).toMatchObject(unproven);
      expect(asked()).toEqual([]);
    },
  );

  test('where the original is nothing that this machine decodes', async () => {
    const cacheDir = await cacheFolder();
    const answer = { type: 'application/pdf', body: '%PDF-1.7 of many pages' };
    const paths = new RegExp(`/${turned}/download/0$`);
    const server = await startAnsweringServer(emulator.url, paths, answer);
    onTestFinished(server.close);
    const images = open(cacheDir, { service: clientOf(server) });
    await expect(show(images, turned)).resolves.toMatchObject({ width: 160 });
  });

  test('where the service fails for originals, which few of them wait for', async () => {
    await emulator.setFaults([{ kind: 'status', call: 'original', status: 503 }]);
    const cacheDir = await cacheFolder();
    const first = open(cacheDir);
    for (const id of [turned, other, 4716]) await show(first, id);
    await first.publish(await show(first, upright));
    // Each of two is tried four times.
    expect(asked()).toHaveLength(8);
    expect(first.findings.map(({ message }) => message)).toEqual([
      'Crops of 4 assets are shown without a proof that the service cuts them as asked: 4711, 4713, 4716, 4719.',
    ]);

    await emulator.clearFaults();
    const second = open(cacheDir);
    await show(second, upright);
    expect(await failureOf(show(second, turned))).toMatchObject({ code: 'custom-format-mismatch' });
  });

  test('where the service is out of reach', async () => {
    const cacheDir = await cacheFolder();
    const first = open(cacheDir);
    await first.publish(await show(first, upright));
    const fetch = async () => {
      throw new TypeError('fetch failed');
    };
    const images = open(cacheDir, { service: clientOf(emulator, { fetch }) });
    await expect(show(images, upright)).resolves.toMatchObject({ width: 160 });
    await images.save();
    expect(images.findings.map(({ code }) => code)).toEqual(['asset-stale']);
  });
});

test('a plain turned picture settles nothing', async () => {
  const single = sharp({ create: { ...size, channels: 3, background: '#369' } });
  const plain = await single.withMetadata({ orientation: 3 }).jpeg().toBuffer();
  onTestFinished(async () => replaceAsset(emulator, '3.jpg', original));
  const original = await drawTestPicture(pictures[2] as TestPicture);
  await replaceAsset(emulator, '3.jpg', plain);
  const images = open(await cacheFolder());
  await show(images, upright);
  await images.publish(await show(images, 4713));
  expect(images.findings.map(({ code }) => code)).toEqual(['crops-unproven']);
  expect(await failureOf(show(images, 4714))).toMatchObject({ code: 'custom-format-mismatch' });
});
