import { beforeEach, expect, test } from 'vitest';
import type { AssetsOptions } from '../../../src/assets/assets-options.ts';
import {
  customFormats,
  type ToCustomFormat,
} from '../../../src/assets/geometry/custom-format-parameters.ts';
import {
  cacheFolder,
  emulatorClient,
  openImages,
  redraw,
  startService,
  type TestImages,
  takeDownloads,
} from '../open-images.ts';

const emulator = await startService([
  { path: 'a.jpg', width: 800, height: 600 },
  { path: 'b.jpg', width: 640, height: 400, seed: 1 },
  { path: 'c.jpg', width: 640, height: 400, seed: 2 },
]);
const crop = { x: 20, y: 10, width: 100, height: 80 };
const corners = 'x1=20&y1=10&x2=120&y2=90';

beforeEach(async () => {
  await emulator.setSettings({ customFormat: 'corners' });
  emulator.clearLog();
});

const open = (cacheDir: string, options: Partial<AssetsOptions> = {}) =>
  openImages({
    service: emulatorClient(emulator),
    cacheDir,
    customFormat: customFormats.corners,
    ...options,
  });

const show = (images: TestImages, id = 4711) => images.show(id, { crop, widths: [50] });

/** The requested custom formats and originals: `status query`. */
const downloads = () =>
  takeDownloads(emulator).map((line) => line.replace(/ \/1\/file\/\d+\/download\//, ' '));

test('sends corners with the size of the original', async () => {
  const images = open(await cacheFolder());
  const asset = await show(images);
  const query = `${corners}&sw=800&sh=600&w=100&h=80`;
  expect(asset.customFormatUrl).toBe(`${emulator.url}/1/file/4711/download/-1?${query}`);
  expect(downloads()).toContain(`200 -1?${query}`);
});

test("sends the new size if the original's size has changed", async () => {
  const cacheDir = await cacheFolder();
  const first = open(cacheDir);
  await first.publish(await show(first, 4713));
  const larger = { path: 'c.jpg', width: 1000, height: 700, seed: 5 };
  await redraw(emulator, larger);
  const second = open(cacheDir);
  await second.checkUsed();
  expect((await show(second, 4713)).customFormatUrl).toContain('&sw=1000&sh=700&');
});

const own: ToCustomFormat = ({ x, y, width, height }) => ({
  ...{ x1: x, y1: y, x2: x + width, y2: y + height },
  ...{ w: width, h: height, format: 'png' },
});
const ownOfPicture: ToCustomFormat = (rectangle, picture) => ({
  ...own(rectangle, picture),
  sw: picture.width,
  sh: picture.height,
});

test.each([
  ["that doesn't read the size", own, false],
  ['that reads the size', ownOfPicture, true],
])("a site's own function %s gets the original's", async (_, customFormat, isRead) => {
  const named = await show(open(await cacheFolder(), { customFormat }), 4712);
  expect(named.customFormatUrl?.includes('&sw=640&sh=400')).toBe(isRead);
  expect(downloads().join(' ')).toMatch(isRead ? /&format=png&sw=640&sh=400$/ : /&format=png$/);
});
