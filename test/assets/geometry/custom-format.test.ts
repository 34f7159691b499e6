import { beforeEach, expect, test } from 'vitest';
import {
  customFormats,
  type ToCustomFormat,
} from '../../../src/assets/geometry/custom-format-parameters.ts';
import {
  newBuild,
  openSite,
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

beforeEach(async () => {
  await emulator.setSettings({ customFormat: 'corners' });
  emulator.clearLog();
});

const { corners } = customFormats;

const show = (images: TestImages, id = 4711) => images.show(id, { crop, widths: [50] });

/** The requested custom formats and originals: `status query`. */
const downloads = () =>
  takeDownloads(emulator).map((line) => line.replace(/ \/1\/file\/\d+\/download\//, ' '));

test('sends corners with the size of the original', async () => {
  const asset = await show(await newBuild(emulator, { customFormat: corners }));
  const query = 'x1=20&y1=10&x2=120&y2=90&sw=800&sh=600&w=100&h=80';
  expect(asset.customFormatUrl).toBe(`${emulator.url}/1/file/4711/download/-1?${query}`);
  expect(downloads()).toContain(`200 -1?${query}`);
});

test("sends the new size if the original's size has changed", async () => {
  const { open } = await openSite(emulator, {}, { customFormat: corners });
  const first = open();
  await first.publish(await show(first, 4713));
  const larger = { path: 'c.jpg', width: 1000, height: 700, seed: 5 };
  await redraw(emulator, larger);
  const second = open();
  await second.checkUsed();
  expect((await show(second, 4713)).customFormatUrl).toContain('&sw=1000&sh=700&');
});

test("a site's own function gets the original's size", async () => {
  const customFormat: ToCustomFormat = (crop, { width, height }) => ({
    ...{ x1: crop.x, y1: crop.y, x2: crop.x + crop.width, y2: crop.y + crop.height },
    ...{ w: crop.width, h: crop.height, format: 'png', sw: width, sh: height },
  });
  const named = await show(await newBuild(emulator, { customFormat }), 4712);
  expect(named.customFormatUrl).toMatch(/&format=png&sw=640&sh=400$/);
  expect(downloads().join(' ')).toMatch(/&format=png&sw=640&sh=400$/);
});
