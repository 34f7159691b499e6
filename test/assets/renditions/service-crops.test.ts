import sharp from 'sharp';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { AssetsOptions } from '../../../src/assets/assets-options.ts';
import { failureOf } from '../../service/scripted-service.ts';
import {
  cacheFolder,
  emulatorClient,
  openImages,
  replaceAsset,
  startService,
  type TestImages,
} from '../open-images.ts';

const emulator = await startService([
  { path: 'a.jpg', width: 800, height: 600 },
  { path: 'b.jpg', width: 600, height: 800, orientation: 6 },
  { path: 'c.jpg', width: 640, height: 480, seed: 1 },
  { path: 'd.png', width: 300, height: 200 },
]);
const upright = 4711;
const other = 4713;
const plain = 4714;

const single = { width: 300, height: 200, channels: 3, background: '#369' } as const;
await replaceAsset(emulator, 'd.png', await sharp({ create: single }).png().toBuffer());

beforeEach(async () => {
  await emulator.setSettings({ customFormat: 'size', cropPixels: 'displayed' });
  emulator.clearLog();
});

const open = (cacheDir: string, options: Partial<AssetsOptions> = {}) =>
  openImages({ service: emulatorClient(emulator), cacheDir, ...options });

const show = (images: TestImages, id: number) =>
  images.getMediaAsset({
    id,
    alt: 'A quay',
    page: '/page/',
    crop: { x: 20, y: 10, width: 100, height: 80 },
  });

test('a mismatch names the page, the asset, the received crop and the options', async () => {
  await emulator.setSettings({ customFormat: 'corners' });
  const failure = await failureOf(show(open(await cacheFolder()), upright));
  expect(failure).toMatchObject({
    message:
      '/page/: for a crop of asset 4711, the service sent 100 × 80 pixels of everything below and to the right of its corner, scaled instead of 100 × 80 pixels of the crop.',
    hint: expect.stringMatching(/customFormat: 'corners'.*crops: 'local'/),
  });
});

const wide = { x: 10, y: 10, width: 400, height: 200 };
const narrow = { x: 300, y: 200, width: 120, height: 90 };

test.each([
  ['a large one first', [wide, narrow]],
  ['a small one first', [narrow, wide]],
])('each crop of an asset is compared, %s', async (_, crops) => {
  const images = open(await cacheFolder());
  const codesOf = async (shift: number) => {
    const shown = crops.map(({ x, ...crop }) =>
      images.getMediaAsset({ id: other, alt: '', page: '/', crop: { ...crop, x: x + shift } }),
    );
    const ended = await Promise.allSettled(shown);
    return ended.map((one) => (one.status === 'rejected' ? one.reason.code : 'shown'));
  };
  expect(await codesOf(0)).toEqual(['shown', 'shown']);
  await emulator.setSettings({ customFormat: 'corners' });
  expect(await codesOf(5)).toEqual(['custom-format-mismatch', 'custom-format-mismatch']);
});

test('the next build retries a crop after a mismatch', async () => {
  const cacheDir = await cacheFolder();
  await emulator.setSettings({ customFormat: 'corners' });
  const images = open(cacheDir);
  await failureOf(show(images, upright));
  await images.save();
  await emulator.setSettings({ customFormat: 'size' });
  await expect(show(open(cacheDir), upright)).resolves.toMatchObject({ width: 100 });
});

test('an image of one color agrees with any crop', async () => {
  const images = open(await cacheFolder());
  await images.publish(await show(images, plain));
  expect(images.findings).toEqual([]);
});

describe('a crop that the service fails to deliver is cut from the original', () => {
  test.each([
    ['an error', { kind: 'status', call: 'custom-format', status: 503 }],
    ['a broken connection', { kind: 'reset-before', call: 'custom-format' }],
  ] as const)('after %s, with a warning', async (_, fault) => {
    await emulator.setFaults([fault]);
    onTestFinished(() => emulator.clearFaults());
    const images = open(await cacheFolder(), {
      service: emulatorClient(emulator, { attempts: 1 }),
    });
    const [src, file] = [...(await images.publish(await show(images, upright)))][0] ?? [];
    const local = open(await cacheFolder(), { crops: 'local' });
    expect((await local.publish(await show(local, upright))).get(src ?? '')).toEqual(file);
    expect(images.findings).toMatchObject([
      { code: 'crops-cut-here', severity: 'warning', message: expect.stringContaining(': 4711.') },
    ]);
  });
});
