import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { drawTiff } from '../../support/images/handmade-tiff.ts';
import {
  displayedPixels,
  patternPixels,
  pixelDifference,
  regionPixels,
  type TestImage,
} from '../../support/images/test-images.ts';
import { startService } from '../../support/service/start-service.ts';

const size = { width: 610, height: 450 };
const turned = [1, 2, 3, 4, 5, 6, 7, 8].map((orientation) => ({
  path: `orientation-${orientation}.jpg`,
  ...size,
  orientation,
}));
const ignored = { path: 'orientation-ignored.webp', ...size, orientation: 6 };
const kinds = ['png', 'webp', 'tiff', 'avif'].map((kind) => ({ path: `quay.${kind}`, ...size }));
const pictures: readonly TestImage[] = [...turned, ignored, ...kinds];
const crop = { x: 33, y: 57, width: 401, height: 222 };

const emulator = await startService(pictures);
const media = emulator.mediaDir;
const deep = { create: { width: 64, height: 64, channels: 3, background: '#135' } } as const;
await writeFile(join(media, 'grey.png'), await sharp(deep).toColourspace('b-w').png().toBuffer());
await writeFile(
  join(media, 'deep.png'),
  await sharp(deep).toColourspace('rgb16').withIccProfile('p3').png().toBuffer(),
);
const inks = sharp(deep).toColourspace('cmyk').withIccProfile('cmyk');
await writeFile(join(media, 'inks.jpg'), await inks.jpeg({ quality: 95 }).toBuffer());
const still = await sharp(deep).avif().toBuffer();
still.write('avis', still.indexOf('avif'));
await writeFile(join(media, 'animated.avif'), still);
await writeFile(join(media, 'untidy.tiff'), drawTiff({ further: [[305, 2, [65, 66]]] }));
await writeFile(join(media, 'minutes.pdf'), '%PDF-1.4');
await writeFile(join(media, 'torn.jpg'), Buffer.from('ffd8ffe000', 'hex'));
const others = [
  ...['animated.avif', 'deep.png', 'grey.png', 'inks.jpg'],
  ...['minutes.pdf', 'torn.jpg', 'untidy.tiff'],
];
/** The other files arrive later, so their IDs follow. */
const ids = new Map(
  [...pictures.map(({ path }) => path).sort(), ...others].map((path, index) => [
    path,
    4711 + index,
  ]),
);

function custom(path: string, query: string, init?: RequestInit): Promise<Response> {
  return emulator.fetch(`/1/file/${ids.get(path)}/download/-1?${query}`, init);
}

const query = `x1=${crop.x}&y1=${crop.y}&w=${crop.width}&h=${crop.height}`;

describe('a crop', () => {
  test.each(turned)('shows the region as displayed, for $path', async (picture) => {
    const response = await custom(picture.path, query);
    expect(response.headers.get('Content-Type')).toBe('image/jpeg');
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(response.headers.get('Content-Length')).toBe(String(bytes.length));

    const expected = regionPixels(patternPixels(picture), crop);
    const difference = pixelDifference(await displayedPixels(bytes), expected);
    expect(difference.mean).toBeLessThan(1.5);
    expect(difference.largest).toBeLessThan(40);
    const metadata = await sharp(bytes).metadata();
    expect(metadata).toMatchObject({ format: 'jpeg', width: crop.width, height: crop.height });
    expect(metadata.orientation ?? 1).toBe(1);
  });

  test('of a WebP is as browsers show it, without its orientation', async () => {
    const response = await custom(ignored.path, query);
    const expected = regionPixels(patternPixels(ignored), crop);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(pixelDifference(await displayedPixels(bytes), expected).mean).toBe(0);
  });

  test.each([
    ['quay.png', 'image/png', 'png', 0],
    ['quay.webp', 'image/webp', 'webp', 0],
    ['quay.tiff', 'image/tiff', 'tiff', 0],
    ['quay.avif', 'image/avif', 'heif', 60],
  ])('of %s is also %s', async (path, type, format, tolerance) => {
    const response = await custom(path, query);
    expect(response.headers.get('Content-Type')).toBe(type);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect((await sharp(bytes).metadata()).format).toBe(format);
    const original = await emulator.fetch(`/1/file/${ids.get(path)}/download/0`);
    const expected = regionPixels(
      await displayedPixels(new Uint8Array(await original.arrayBuffer())),
      crop,
    );
    expect(pixelDifference(await displayedPixels(bytes), expected).largest).toBeLessThanOrEqual(
      tolerance,
    );
  });

  test('can be the whole image or its last pixel', async () => {
    for (const [whole, width, height] of [
      ['x1=0&y1=0&w=610&h=450', 610, 450],
      ['x1=609&y1=449&w=1&h=1', 1, 1],
    ] as const) {
      const response = await custom('orientation-6.jpg', whole);
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect(await sharp(bytes).metadata()).toMatchObject({ width, height });
    }
  });

  test.each(['animated.avif', 'untidy.tiff'])(
    'is cut from %s, which builds accept',
    async (path) => {
      const response = await custom(path, 'x1=1&y1=1&w=9&h=9');
      expect(response.status).toBe(200);
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect(await sharp(bytes).metadata()).toMatchObject({ width: 9, height: 9 });
    },
  );

  test('keeps colour space, depth and profile', async () => {
    for (const [path, expected] of [
      ['grey.png', { space: 'b-w', depth: 'uchar' }],
      ['deep.png', { space: 'rgb16', depth: 'ushort', hasProfile: true }],
    ] as const) {
      const response = await custom(path, 'x1=1&y1=1&w=9&h=9');
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect(await sharp(bytes).metadata()).toMatchObject(expected);
    }
  });

  test('keeps the inks and the profile of CMYK', async () => {
    const inksOf = (bytes: Uint8Array) =>
      sharp(bytes, { ignoreIcc: true })
        .pipelineColourspace('cmyk')
        .toColourspace('cmyk')
        .extract({ left: 0, top: 0, width: 1, height: 1 })
        .raw()
        .toBuffer();
    const original = await readFile(join(media, 'inks.jpg'));
    const response = await custom('inks.jpg', 'x1=8&y1=8&w=16&h=16');
    const bytes = new Uint8Array(await response.arrayBuffer());
    const { icc, space } = await sharp(bytes).metadata();
    expect(space).toBe('cmyk');
    expect(icc).toEqual((await sharp(original).metadata()).icc);
    const expected = await inksOf(original);
    for (const [index, ink] of (await inksOf(bytes)).entries()) {
      expect(Math.abs(ink - (expected[index] ?? 0))).toBeLessThan(3);
    }
  });

  test.each([
    ['', 'crop-invalid'],
    ['x1=0&y1=0&w=10', 'crop-invalid'],
    ['x1=0&x1=1&y1=0&w=10&h=10', 'crop-invalid'],
    ['x1=-1&y1=0&w=10&h=10', 'crop-invalid'],
    ['x1=0.5&y1=0&w=10&h=10', 'crop-invalid'],
    ['x1=0&y1=0&w=0&h=10', 'crop-invalid'],
    ['x1=0&y1=0&w=1e2&h=10', 'crop-invalid'],
    ['x1=0&y1=0&w=10&h=99999999999999999999', 'crop-invalid'],
    ['x1=a&y1=0&w=10&h=10', 'crop-invalid'],
    ['x1=0&y1=0&w=611&h=450', 'crop-outside'],
    ['x1=0&y1=1&w=610&h=450', 'crop-outside'],
    ['x1=610&y1=0&w=1&h=1', 'crop-outside'],
  ])('is refused with 400 for ?%s', async (wrong, code) => {
    const response = await custom('orientation-6.jpg', wrong);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: { code, message: expect.any(String) } });
  });

  test.each(['minutes.pdf', 'torn.jpg'])('of %s is refused with 415', async (path) => {
    const response = await custom(path, query);
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({ error: { code: 'not-a-picture' } });
  });
});
