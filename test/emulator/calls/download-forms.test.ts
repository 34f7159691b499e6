import { rm } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SettingChanges } from '../../support/bends/bent-emulator.ts';
import {
  displayedPixels,
  drawTestImages,
  patternPixels,
  pixelDifference,
  type Rectangle,
  regionPixels,
} from '../../support/images/test-images.ts';
import {
  type EmulatorProcess,
  startEmulatorProcess,
} from '../../support/service/emulator-process.ts';

const size = { width: 610, height: 450 };
const orientations = [1, 2, 3, 4, 5, 6, 7, 8];
const pictures = orientations.map((orientation) => ({
  path: `orientation-${orientation}.jpg`,
  ...size,
  orientation,
}));
const defaults: SettingChanges = {
  downloads: 'bytes',
  customFormat: 'size',
  cropPixels: 'displayed',
  cropOutside: 'refused',
  openDownloads: false,
  errorBody: 'json',
  validators: 'both',
};

let media: string;
let emulator: EmulatorProcess;

beforeAll(async () => {
  media = await drawTestImages(pictures);
  emulator = await startEmulatorProcess({ media });
});

beforeEach(() => emulator.setSettings(defaults));

afterAll(async () => {
  await emulator.stop();
  await rm(media, { recursive: true });
});

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

async function codeOf(response: Response): Promise<string> {
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

describe('with downloads elsewhere', () => {
  const paths = ['/1/file/4711/download/0', '/1/file/4711/download/-1?x1=3&y1=5&w=90&h=70'];

  test.each(paths)('%s redirects to the file on another origin', async (path) => {
    const bytes = Buffer.from(await (await emulator.fetch(path)).arrayBuffer());
    await emulator.setSettings({ downloads: 'redirect' });
    const response = await emulator.fetch(path, { redirect: 'manual' });
    expect(response.status).toBe(302);
    const target = response.headers.get('Location') ?? '';
    expect(new URL(target).origin).not.toBe(emulator.url);
    const followed = await fetch(target);
    expect(followed.headers.get('Content-Type')).toBe('image/jpeg');
    expect(Buffer.from(await followed.arrayBuffer())).toEqual(bytes);

    const headers = { 'If-None-Match': followed.headers.get('ETag') ?? '' };
    expect((await fetch(target, { headers })).status).toBe(304);
  });

  test.each(paths)('%s is JSON with the URL of the file', async (path) => {
    const bytes = Buffer.from(await (await emulator.fetch(path)).arrayBuffer());
    await emulator.setSettings({ downloads: 'json' });
    const { url, ...rest } = (await (await emulator.fetch(path)).json()) as { url: string };
    expect(rest).toEqual({});
    expect(Buffer.from(await (await fetch(url)).arrayBuffer())).toEqual(bytes);
  });

  test('the signed URL refuses tokens, changes and other files', async () => {
    await emulator.setSettings({ downloads: 'json' });
    const answer = await emulator.fetch(paths[1] as string);
    const { url } = (await answer.json()) as { url: string };
    const headers = { Authorization: `Bearer ${await emulator.signIn()}` };
    expect(await codeOf(await fetch(url, { headers }))).toBe('400 authorization-unexpected');
    expect(emulator.log().at(-1)).toMatchObject({
      path: '/signed/file/4711/-1',
      status: 400,
      headers: { authorization: 'Bearer <token>' },
    });
    for (const wrong of [
      url.replace('4711', '4712'),
      url.replace('w=90', 'w=91'),
      url.replace(/expires=\d/, 'expires=9'),
      url.replace(/signature=.*/, 'signature=x'),
      url.replace(/&signature=.*/, ''),
    ])
      expect(await codeOf(await fetch(wrong))).toBe('403 signature-invalid');
    const signature = new URL(url).searchParams.get('signature') as string;
    expect(JSON.stringify(emulator.log())).not.toContain(signature);
  });
});
