import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import type { Rectangle } from '../../../src/assets/formats/rendition.ts';
import { customFormats } from '../../../src/assets/geometry/custom-format-parameters.ts';
import {
  compareCrops,
  openCropCheck,
  telltaleCrop,
} from '../../../src/assets/renditions/compare-crops.ts';
import { emulatorClient, startService } from '../open-images.ts';

const emulator = await startService([
  { path: 'a.jpg', width: 800, height: 600 },
  { path: 'b.jpg', width: 600, height: 800, orientation: 6 },
  { path: 'c.png', width: 640, height: 480, seed: 1 },
]);

const check = async (dialect: keyof typeof customFormats, id: number) =>
  (await openCropCheck(emulatorClient(emulator), id)).compare(customFormats[dialect]);

describe("the service's crop", () => {
  test.each([
    ['size', 'size', true],
    ['size', 'corners', true],
    ['corners', 'size', false],
    ['corners', 'corners', true],
  ] as const)(
    'with w and h as %s, requested by %s: agrees is %s',
    async (meaning, dialect, agrees) => {
      await emulator.setSettings({ customFormat: meaning });
      for (const id of [4711, 4712, 4713]) {
        expect(await check(dialect, id)).toMatchObject({ agrees, conclusive: true });
      }
    },
  );

  test.each([
    [4711, true],
    [4712, false],
  ])('in stored pixels is detected with a rotated image: %s, %s', async (id, agrees) => {
    await emulator.setSettings({ customFormat: 'size', cropPixels: 'stored' });
    const { agrees: found } = await check('size', id);
    await emulator.setSettings({ cropPixels: 'displayed' });
    expect(found).toBe(agrees);
  });
});

describe('two crops', () => {
  const draw = (background: string, width = 200, height = 140) =>
    sharp({ create: { width, height, channels: 3, background } });
  const rectangle = telltaleCrop({ width: 200, height: 140 });
  const compareTo = async (crop: Sharp, original = draw('#369')) =>
    compareCrops({
      original: await original.png().toBuffer(),
      crop: await crop.png().toBuffer(),
      rectangle,
    });

  test('of a single color agree, but prove nothing', async () => {
    const found = await compareTo(draw('#369', 100, 46));
    expect(found).toMatchObject({ agrees: true, conclusive: false });
  });

  test('agree if only one of them has a profile and 16 bits', async () => {
    const original = draw('#00c000').toColourspace('rgb16').withIccProfile('srgb');
    const found = await compareTo(draw('#00c000', 100, 46), original);
    expect(found).toMatchObject({ agrees: true });
  });

  test('of another size differ', async () => {
    const received = '99 × 46 pixels';
    expect(await compareTo(draw('#369', 99, 46))).toEqual({
      ...{ agrees: false, conclusive: true, received },
    });
  });

  test('of different images differ', async () => {
    expect(await compareTo(draw('#fff', 100, 46))).toMatchObject({ agrees: false });
  });

  /** A picture of fields, in which every place looks different. */
  const fields = (size: { width: number; height: number }, strength = 255) => {
    const { width, height } = size;
    const pixels = Buffer.alloc(width * height * 3);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const at = (y * width + x) * 3;
        pixels[at] = 255 - strength + Math.round((strength * x) / width);
        pixels[at + 1] = 255 - strength + Math.round((strength * y) / height);
        const fieldOf = Math.floor((8 * x) / width) + Math.floor((8 * y) / height);
        pixels[at + 2] = 255 - strength * (fieldOf % 2);
      }
    }
    return sharp(pixels, { raw: { width, height, channels: 3 } });
  };
  const shapes = {
    'a landscape': { width: 1600, height: 900 },
    'a tall portrait': { width: 300, height: 2400 },
    'a wide panorama': { width: 2400, height: 300 },
  };
  const places = {
    'at its place': (part: Rectangle) => part,
    'a quarter higher': (part: Rectangle) => ({ ...part, y: part.y - part.height / 4 }),
    'a quarter further left': (part: Rectangle) => ({ ...part, x: part.x - part.width / 4 }),
  };

  test.each(
    Object.entries(shapes).flatMap(([shape, size]) =>
      Object.entries(places).map(([place, move]) => [shape, place, size, move] as const),
    ),
  )('of %s agree only %s', async (_, place, size, move) => {
    const part = {
      x: Math.round(size.width / 4),
      y: Math.round(size.height / 2),
      width: Math.round(size.width / 2),
      height: Math.round(size.height / 4),
    };
    const { x, y, width, height } = move(part);
    const [left, top] = [Math.round(x), Math.round(y)];
    const original = await fields(size).png().toBuffer();
    const cut = sharp(original).extract({ left, top, width, height });
    const crop = await cut.png().toBuffer();
    const found = await compareCrops({ original, crop, rectangle: part });
    expect(found.agrees).toBe(place === 'at its place');
  });

  test.each([
    ['a clear picture', 255, true],
    ['a pale one, whose places look alike', 4, false],
  ])('of %s prove which part the service meant: %s', async (_, strength, conclusive) => {
    const size = { width: 200, height: 140 };
    const original = await fields(size, strength).png().toBuffer();
    const { x: left, y: top, width, height } = telltaleCrop(size);
    const crop = await sharp(original).extract({ left, top, width, height }).png().toBuffer();
    const found = await compareCrops({ original, crop, rectangle: telltaleCrop(size) });
    expect(found).toMatchObject({ agrees: true, conclusive });
  });
});
