import type { ServerResponse } from 'node:http';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { customFormats } from '../../../src/assets/geometry/custom-format-parameters.ts';
import type { Rectangle, Size } from '../../../src/assets/geometry/rectangle.ts';
import {
  compareLook,
  lookAt,
  openCropCheck,
  shrinkOriginal,
  smallSize,
} from '../../../src/assets/renditions/compare-crops.ts';
import { startScriptedService, status } from '../../service/scripted-service.ts';
import { drawTestImage } from '../../support/images/test-images.ts';
import { serveCrop } from '../../support/service/serve-crop.ts';
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

/** As the check of a service compares them. */
async function compareCrops(given: { original: Buffer; crop: Buffer; rectangle: Rectangle }) {
  const { original, crop, rectangle } = given;
  const whole = await sharp(original).metadata();
  const small = await shrinkOriginal(original, { whole, rectangle });
  return compareLook(
    { size: await sharp(crop).metadata(), look: await lookAt(crop) },
    { small, rectangle },
  );
}

describe('two crops', () => {
  const draw = (background: string, width = 200, height = 140) =>
    sharp({ create: { width, height, channels: 3, background } });
  const rectangle = { x: 40, y: 20, width: 100, height: 46 };
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

  const meanings = {
    'the part': ({ x, y, width, height }: Rectangle) => ({ left: x, top: y, width, height }),
    'all that is below and to the right of its corner': ({ x, y }: Rectangle) => ({
      ...{ left: x, top: y, width: 200 - x, height: 140 - y },
    }),
    'the whole image': () => ({ left: 0, top: 0, width: 200, height: 140 }),
  };

  test.each<[string, number, keyof typeof meanings, agrees: boolean, conclusive: boolean]>([
    ['a clear picture', 255, 'the part', true, true],
    ['a clear picture', 255, 'all that is below and to the right of its corner', false, true],
    ['a clear picture', 255, 'the whole image', false, true],
    ['a faint one', 20, 'the part', true, true],
    ['a faint one', 20, 'all that is below and to the right of its corner', false, true],
    ['a faint one', 20, 'the whole image', false, true],
    ['a pale one, whose places look alike', 4, 'the part', true, false],
    ['a pale one, whose places look alike', 4, 'the whole image', true, false],
  ])(
    'of %s (%i of 255), if the service takes a part for %s: agree %s, and prove it %s',
    async (_, strength, meaning, agrees, conclusive) => {
      const size = { width: 200, height: 140 };
      const original = await fields(size, strength).png().toBuffer();
      const { width, height } = rectangle;
      const cut = await sharp(original).extract(meanings[meaning](rectangle)).toBuffer();
      const crop = await sharp(cut).resize(width, height, { fit: 'fill' }).png().toBuffer();
      expect(await compareCrops({ original, crop, rectangle })).toMatchObject({
        ...{ agrees, conclusive },
      });
    },
  );

  test.each<[other: string, differs: number, agrees: boolean, conclusive: boolean]>([
    ['far from it', 20, true, true],
    ['far from it', 21, false, true],
    ['what arrived', 3, true, false],
    ['what arrived', 4, false, true],
  ])(
    'agree if the rest of the original is %s, and they differ by %i of 255: %s',
    async (other, differs, agrees, conclusive) => {
      const size = { width: 10, height: 10 };
      const whole = { width: 960, height: 960 };
      const part = { x: 480, y: 480, ...size };
      const arrived = 100 + differs;
      const pixels = Buffer.alloc(3 * 960 * 960, other === 'what arrived' ? arrived : 255);
      for (let y = 480; y < 490; y += 1) {
        const start = 3 * (y * 960 + 480);
        pixels.fill(100, start, start + 30);
      }
      const look = await lookAt(
        await draw(`rgb(${arrived},${arrived},${arrived})`, 10, 10).png().toBuffer(),
      );
      const small = { pixels, whole, ...whole };
      expect(await compareLook({ size, look }, { small, rectangle: part })).toMatchObject({
        ...{ agrees, conclusive },
      });
    },
  );

  const striped = (side: number, bright: (at: number) => boolean) => {
    const row = Array.from({ length: side }, (_, at) => (bright(at) ? 255 : 0));
    const pixels = Buffer.from(row.flatMap((value) => Array(side).fill(value)));
    return sharp(pixels, { raw: { width: side, height: side, channels: 1 } }).toColourspace('srgb');
  };

  test.each([
    ['differ if dark stripes are bright', 20, false],
    ['agree if a grain is gone that encoders remove', 2, true],
  ])('%s (%i pixels of 240)', async (_, period, agrees) => {
    const isBright = (at: number) => at % period < period / 2;
    const part = { x: 0, y: 0, width: 240, height: 240 };
    const original = await striped(240, isBright).png().toBuffer();
    const crop = await striped(240, (at) => !isBright(at))
      .png()
      .toBuffer();
    expect((await compareCrops({ original, crop, rectangle: part })).agrees).toBe(agrees);
  });
});

test('a crop that arrives without transparency agrees on white, and not on black', async () => {
  const whole = { width: 400, height: 300 };
  const rectangle = { x: 100, y: 60, width: 200, height: 100 };
  const ball = '<svg width="400" height="300"><circle cx="160" cy="100" r="40" fill="#888"/></svg>';
  const original = await sharp(Buffer.from(ball)).png().toBuffer();
  const small = await shrinkOriginal(original, { whole, rectangle });
  const agreesOn = async (background: string) => {
    const { x: left, y: top, ...size } = rectangle;
    const opaque = await sharp(original).flatten({ background }).toBuffer();
    const crop = await sharp(opaque)
      .extract({ left, top, ...size })
      .jpeg()
      .toBuffer();
    return (await compareLook({ size, look: await lookAt(crop) }, { small, rectangle })).agrees;
  };
  expect([await agreesOn('white'), await agreesOn('black')]).toEqual([true, false]);
});

describe('a check of the crops', () => {
  const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);
  const sent: Record<string, (bytes: Buffer) => Buffer> = {
    'half an image': half,
    'an image of no known kind': () => Buffer.from([1, 2, 3, 4]),
    'a text': () => Buffer.from('Not now.'),
  };

  test.each<[what: string, where: 'original' | 'crop', received: string]>([
    ['half an image', 'original', 'a damaged or incomplete image'],
    ['half an image', 'crop', 'a damaged or incomplete image'],
    ['an image of no known kind', 'original', 'a file of unknown type'],
    ['a text', 'crop', 'plain text'],
  ])('fails with %s as the %s', async (what, where, received) => {
    const picture = await drawTestImage({ path: 'a.jpg', width: 320, height: 240 });
    const change = sent[what] ?? expect.fail();
    const service = await startScriptedService({
      async respond(response, { url }) {
        const bytes = await serveCrop(url, picture);
        const isCrop = url.includes('/download/-1');
        response.end(isCrop === (where === 'crop') ? change(bytes) : bytes);
      },
    });
    const run = async () =>
      (await openCropCheck(emulatorClient(service), 1)).compare(customFormats.size);
    await expect(run()).rejects.toMatchObject({
      code: 'download-not-a-picture',
      message: `asset 1 can't be shown as an image: the service sent ${received}.`,
    });
  });

  test('fails with what the service says', async () => {
    const service = await startScriptedService({ respond: status(400) });
    await expect(openCropCheck(emulatorClient(service), 1)).rejects.toMatchObject({
      code: 'request-refused',
    });
  });
});

test.each<[whole: string, rectangle: string, small: string]>([
  ['4000×3000', '960×768', '500×375'],
  ['4000×3000', '960×767', '1000×750'],
  ['4000×3000', '100×3000', '4000×3000'],
  ['4000×3000', '90×60', '4000×3000'],
  ['20000×3', '1000×200', '10000×2'],
  ['20000×1', '20000×800', '2500×1'],
])('crops of an original of %s are compared at a size of their own: %s → %s', (...given) => {
  const [whole, rectangle, small] = given.map((text) => {
    const [width = 0, height = 0] = text.split('×').map(Number);
    return { width, height };
  }) as [Size, Size, Size];
  expect(smallSize(whole, rectangle)).toEqual(small);
});

test.each([
  [
    { width: 1000, height: 420 },
    { x: 200, y: 60, width: 500, height: 140 },
  ],
  [
    { width: 3, height: 2 },
    { x: 0, y: 0, width: 1, height: 1 },
  ],
  [
    { width: 1, height: 1 },
    { x: 0, y: 0, width: 1, height: 1 },
  ],
])('the part of an image of %o that tells meanings apart is %o', async (image, part) => {
  const bytes = await sharp({ create: { ...image, channels: 3, background: 'white' } })
    .png()
    .toBuffer();
  const respond = (response: ServerResponse) => void response.end(bytes);
  const service = await startScriptedService({ respond });
  const asked: Rectangle[] = [];
  const { compare } = await openCropCheck(emulatorClient(service), 1);
  await compare((rectangle) => {
    asked.push(rectangle);
    return {};
  });
  expect(asked).toEqual([part]);
});
