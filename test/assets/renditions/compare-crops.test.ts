import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
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
    expect(await compareTo(draw('#369', 99, 46))).toEqual({
      ...{ agrees: false, conclusive: true },
      ...{ expected: '100 × 46 pixels', received: '99 × 46 pixels' },
    });
  });

  test('of different images differ', async () => {
    const received = '100 × 46 pixels of something else';
    expect(await compareTo(draw('#fff', 100, 46))).toMatchObject({ agrees: false, received });
  });
});
