import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';
import type { SettingChanges } from '../../support/bends/bent-emulator.ts';
import {
  displayedPixels,
  patternPixels,
  pixelDifference,
  type Rectangle,
  regionPixels,
} from '../../support/images/test-images.ts';
import { startService } from '../../support/service/start-service.ts';

const size = { width: 610, height: 450 };
const orientations = [1, 2, 3, 4, 5, 6, 7, 8];
const pictures = orientations.map((orientation) => ({
  path: `orientation-${orientation}.jpg`,
  ...size,
  orientation,
}));
const defaults: SettingChanges = {
  customFormat: 'size',
  cropPixels: 'displayed',
  cropOutside: 'refused',
};

const emulator = await startService(pictures);

beforeEach(() => emulator.setSettings(defaults));

/** An asset's ID is 4710 + its orientation. */
const custom = (id: number, query: string): Promise<Response> =>
  emulator.fetch(`/1/file/${id}/download/-1?${query}`);

async function pixelsOf(response: Response) {
  expect(response.status).toBe(200);
  return displayedPixels(new Uint8Array(await response.arrayBuffer()));
}

async function expectRegion(response: Response, region: Rectangle): Promise<void> {
  const shown = await pixelsOf(response);
  const difference = pixelDifference(shown, regionPixels(patternPixels(size), region));
  expect(difference.mean).toBeLessThan(1.5);
  expect(difference.largest).toBeLessThan(40);
}

async function _codeOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error: { code: string } };
  return `${response.status} ${error.code}`;
}

describe('with customFormat corners', () => {
  beforeEach(() => emulator.setSettings({ customFormat: 'corners' }));

  test.each([
    ['the image', 'x1=40&y1=40&x2=240&y2=140'],
    ['one of its size', 'x1=40&y1=40&x2=240&y2=140&sw=610&sh=450'],
    ['a smaller copy', 'x1=4&y1=4&x2=24&y2=14&sw=61&sh=45'],
    ['a larger one of another shape', 'x1=80&y1=120&x2=480&y2=420&sw=1220&sh=1350'],
  ])('w and h are the output size, and corners count pixels of %s', async (_, corners) => {
    const crop = { x: 40, y: 40, width: 200, height: 100 };
    await expectRegion(await custom(4711, `${corners}&w=200&h=100`), crop);
    const half = await pixelsOf(await custom(4711, `${corners}&w=100&h=50`));
    const region = regionPixels(patternPixels(size), crop);
    const expected = await sharp(region.data, { raw: { width: 200, height: 100, channels: 3 } })
      .resize(100, 50)
      .raw()
      .toBuffer();
    const difference = pixelDifference(half, { width: 100, height: 50, data: expected });
    expect(difference.mean).toBeLessThan(3);
  });
});

describe('with cropPixels stored', () => {
  beforeEach(() => emulator.setSettings({ cropPixels: 'stored' }));

  test.each(orientations)('crops before it applies orientation %i', async (orientation) => {
    const id = 4710 + orientation;
    const bytes = await (await emulator.fetch(`/1/file/${id}/download/0`)).arrayBuffer();
    const stored = await sharp(Buffer.from(bytes), { autoOrient: false })
      .extract({ left: 33, top: 57, width: 301, height: 222 })
      .withMetadata({ orientation })
      .png()
      .toBuffer();
    const response = await custom(id, 'x1=33&y1=57&w=301&h=222');
    const difference = pixelDifference(await pixelsOf(response), await displayedPixels(stored));
    expect(difference.mean).toBeLessThan(1.5);
  });
});

describe('with cropOutside clamped', () => {
  beforeEach(() => emulator.setSettings({ cropOutside: 'clamped' }));

  test('a crop ends where the image ends', async () => {
    const shown = await custom(4716, 'x1=400&y1=300&w=400&h=10000');
    await expectRegion(shown, { x: 400, y: 300, width: 210, height: 150 });
  });
});
