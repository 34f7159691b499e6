import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { MediaAssetRequest } from '../../../src/assets/request/media-asset.ts';
import {
  displayedPixels,
  meanDifference,
  patternPixels,
  pixelDifference,
  regionPixels,
  type TestImage,
} from '../../support/images/test-images.ts';
import { newBuild, startService } from '../open-images.ts';

const jpeg = { path: 'a.jpg', width: 600, height: 400, seed: 1 };
const turned = { path: 'b.jpg', width: 600, height: 400, seed: 6, orientation: 6 };
const size = { width: 500, height: 300 };
const kinds: readonly TestImage[] = [
  ...['a.png', 'b.webp', 'c.avif', 'd.tiff'].map((path, seed) => ({ path, ...size, seed })),
  { path: 'turned.png', ...size, seed: 26, orientation: 6 },
  { path: 'turned.tiff', ...size, seed: 28, orientation: 8 },
  { path: 'turned.webp', ...size, seed: 27, orientation: 7 },
].map((picture) => ({ ...picture, path: `kinds/${picture.path}` }));
const emulator = await startService([jpeg, turned, { path: 'c.gif', ...size, seed: 24 }, ...kinds]);

type Request = Partial<MediaAssetRequest> & { id: number };

const publishOne = async (crops: 'service' | 'local', { id, ...request }: Request) =>
  (await newBuild(emulator, { crops })).publishOne(id, request);

const crop = { x: 130, y: 70, width: 240, height: 160 };

test('the whole of a rotated image is published upright', async () => {
  const { asset, bytes } = await publishOne('service', { id: 4712, format: 'png' });
  expect(asset).toMatchObject({ width: 600, height: 400, customFormatUrl: undefined });
  const pixels = await displayedPixels(bytes);
  expect(pixelDifference(pixels, patternPixels(turned)).mean).toBeLessThan(3);
  expect((await sharp(bytes).metadata()).orientation ?? 1).toBe(1);
});

test.each(kinds)('a crop is cut from $path', async (picture) => {
  const id = 4714 + kinds.indexOf(picture);
  const { bytes } = await publishOne('local', { id, crop, format: 'png' });
  expect(await meanDifference(bytes, regionPixels(patternPixels(picture), crop))).toBeLessThan(3);
});

test('a GIF is shown', async () => {
  const { bytes } = await publishOne('local', { id: 4713, width: 100, format: 'jpeg' });
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 100, height: 60 });
});

test.each([
  ['webp', 'webp', undefined],
  ['avif', 'heif', 'av1'],
  ['jpeg', 'jpeg', undefined],
  ['png', 'png', undefined],
] as const)('a rendition is published as %s', async (format, decoded, compression) => {
  const { asset, bytes } = await publishOne('service', { id: 4711, crop, format });
  const metadata = await sharp(bytes).metadata();
  expect(metadata.format).toBe(decoded);
  expect(metadata.compression).toBe(compression);
  const region = regionPixels(patternPixels(jpeg), crop);
  expect(await meanDifference(bytes, region)).toBeLessThan(12);
  expect(asset.src).toMatch(format === 'jpeg' ? /\.jpg$/ : new RegExp(`\\.${format}$`));
});

test('1x and 2x are published if the image has enough pixels', async () => {
  const images = await newBuild(emulator);
  const asset = await images.show(4711, { width: '300', densities: [1, 2] });
  const files = await images.publish(asset);
  const sizes = await Promise.all(
    asset.renditions.map(async ({ url, descriptor }) => {
      const { width, height } = await sharp(files.get(url)).metadata();
      return { descriptor, width, height };
    }),
  );
  expect(sizes).toEqual([
    { descriptor: '1x', width: 300, height: 200 },
    { descriptor: '2x', width: 600, height: 400 },
  ]);
  expect(asset.srcset).toBe(
    asset.renditions.map(({ url, descriptor }) => `${url} ${descriptor}`).join(', '),
  );
});
