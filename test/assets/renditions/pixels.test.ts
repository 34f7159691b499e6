import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { MediaAssetRequest } from '../../../src/assets/request/media-asset.ts';
import {
  displayedPixels,
  meanDifference,
  patternPixels,
  pixelDifference,
  type Rectangle,
  regionPixels,
  type TestImage,
} from '../../support/images/test-images.ts';
import { newBuild, startService } from '../open-images.ts';

const orientations = [1, 2, 3, 4, 5, 6, 7, 8];
const turned: TestImage[] = orientations.map((orientation) => ({
  path: `${orientation}.jpg`,
  width: 600,
  height: 400,
  seed: orientation,
  orientation,
}));
const emulator = await startService([
  ...turned,
  { path: 'kinds/a.png', width: 500, height: 300, seed: 21 },
  { path: 'kinds/b.webp', width: 500, height: 300, seed: 22 },
  { path: 'kinds/c.avif', width: 500, height: 300, seed: 23 },
  { path: 'kinds/d.gif', width: 500, height: 300, seed: 24 },
  { path: 'kinds/e.tiff', width: 500, height: 300, seed: 25 },
  { path: 'turned/a.png', width: 500, height: 300, seed: 26, orientation: 6 },
  { path: 'turned/b.webp', width: 500, height: 300, seed: 27, orientation: 7 },
  { path: 'turned/c.tiff', width: 500, height: 300, seed: 28, orientation: 8 },
]);

type Request = Partial<MediaAssetRequest> & { id: number };

const publishOne = async (crops: 'service' | 'local', { id, ...request }: Request) =>
  (await newBuild(emulator, { crops })).publishOne(id, request);

const crop = { x: 130, y: 70, width: 240, height: 160 };

describe.each(orientations)('of an image with EXIF orientation %i', (orientation) => {
  const picture = turned[orientation - 1] as TestImage;
  const id = 4710 + orientation;

  describe.each(['service', 'local'] as const)('cut by the %s,', (crops) => {
    test.each<[string, Partial<MediaAssetRequest>, Rectangle]>([
      ['a crop', { crop }, crop],
      [
        'a shape around a point',
        { aspect: '1:2', focus: { x: 0.8, y: 0.3 } },
        { x: 380, y: 0, width: 200, height: 400 },
      ],
    ])('%s shows its region', async (_, request, rectangle) => {
      const { asset, bytes } = await publishOne(crops, { ...request, id, format: 'png' });
      const region = regionPixels(patternPixels(picture), rectangle);
      expect(asset).toMatchObject({ width: rectangle.width, height: rectangle.height });
      expect(await meanDifference(bytes, region)).toBeLessThan(3);
    });
  });

  test('the whole is published upright', async () => {
    const { asset, bytes } = await publishOne('service', { id, format: 'png' });
    expect(asset).toMatchObject({ width: 600, height: 400, customFormatUrl: undefined });
    const pixels = await displayedPixels(bytes);
    expect(pixelDifference(pixels, patternPixels(picture)).mean).toBeLessThan(3);
    expect((await sharp(bytes).metadata()).orientation ?? 1).toBe(1);
  });
});

test.each([
  ['png', 4719, 21],
  ['webp', 4720, 22],
  ['avif', 4721, 23],
  ['tiff', 4723, 25],
  ['rotated png', 4724, 26],
  ['rotated webp', 4725, 27],
  ['rotated tiff', 4726, 28],
])('a crop is cut from a %s', async (_, id, seed) => {
  const { bytes } = await publishOne('local', { id, crop, format: 'png' });
  const region = regionPixels(patternPixels({ width: 500, height: 300, seed }), crop);
  expect(await meanDifference(bytes, region)).toBeLessThan(3);
});

test('a GIF is shown', async () => {
  const { bytes } = await publishOne('local', { id: 4722, width: 100, format: 'jpeg' });
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
  const region = regionPixels(patternPixels(turned[0] as TestImage), crop);
  expect(await meanDifference(bytes, region)).toBeLessThan(12);
  expect(asset.src).toMatch(format === 'jpeg' ? /\.jpg$/ : new RegExp(`\\.${format}$`));
});

test('width and height cut the image evenly on both sides', async () => {
  const { asset, bytes } = await publishOne('service', {
    id: 4711,
    width: 400,
    height: 400,
    format: 'png',
  });
  const middle = { x: 100, y: 0, width: 400, height: 400 };
  const region = regionPixels(patternPixels(turned[0] as TestImage), middle);
  expect(asset).toMatchObject({ width: 400, height: 400 });
  expect(await meanDifference(bytes, region)).toBeLessThan(3);
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
