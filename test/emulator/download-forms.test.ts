import { rm } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SettingChanges } from '../support/bends/bent-emulator.ts';
import {
  displayedPixels,
  drawTestImages,
  patternPixels,
  pixelDifference,
  type Rectangle,
  regionPixels,
} from '../support/images/test-images.ts';
import { type EmulatorProcess, startEmulatorProcess } from '../support/service/emulator-process.ts';

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

  test('without x2 and y2, a crop ends where the image ends', async () => {
    const shown = await custom(4711, 'x1=10&y1=50&w=600&h=400');
    await expectRegion(shown, { x: 10, y: 50, width: 600, height: 400 });
  });

  test('a corner in a much larger or smaller image is at least one pixel', async () => {
    const last = 'x1=999999998&y1=999999998&x2=999999999&y2=999999999&sw=999999999&sh=999999999';
    await expectRegion(await custom(4711, `${last}&w=1&h=1`), {
      x: 609,
      y: 449,
      width: 1,
      height: 1,
    });
    await expectRegion(await custom(4711, 'x1=0&y1=0&x2=1&y2=1&sw=1&sh=1&w=610&h=450'), {
      ...{ x: 0, y: 0 },
      ...size,
    });
  });

  test.each([
    ['x2=40&y2=140', '400 crop-invalid'],
    ['x2=240', '400 crop-invalid'],
    ['x2=240&sh=450', '400 crop-invalid'],
    ['x2=240&y2=140&sw=610', '400 crop-invalid'],
    ['x2=240&x2=240&y2=140', '400 crop-invalid'],
    ['x2=240&y2=140&sw=0&sh=450', '400 crop-invalid'],
    ['x2=611&y2=140', '400 crop-outside'],
    ['x2=240&y2=140&sw=200&sh=100', '400 crop-outside'],
  ])('%s is refused', async (corners, expected) => {
    expect(await codeOf(await custom(4711, `x1=40&y1=40&w=20&h=10&${corners}`))).toBe(expected);
  });

  test('the output size has a limit', async () => {
    for (const wh of ['w=16385&h=1', 'w=16384&h=16384', 'w=9999999999&h=9999999999'])
      expect(await codeOf(await custom(4711, `x1=0&y1=0&${wh}`))).toBe('400 crop-invalid');
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

  test('a crop must lie in the stored image', async () => {
    expect((await custom(4716, 'x1=0&y1=0&w=450&h=610')).status).toBe(200);
    expect(await codeOf(await custom(4716, 'x1=0&y1=0&w=610&h=450'))).toBe('400 crop-outside');
  });

  test('rotates the output size too', async () => {
    await emulator.setSettings({ customFormat: 'corners' });
    const shown = await pixelsOf(await custom(4716, 'x1=0&y1=0&x2=100&y2=200&w=30&h=60'));
    expect([shown.width, shown.height]).toEqual([60, 30]);
  });
});

describe('with cropOutside clamped', () => {
  beforeEach(() => emulator.setSettings({ cropOutside: 'clamped' }));

  test('a crop ends where the image ends', async () => {
    const shown = await custom(4716, 'x1=400&y1=300&w=400&h=10000');
    await expectRegion(shown, { x: 400, y: 300, width: 210, height: 150 });
  });

  test('a crop completely outside the image is refused', async () => {
    expect(await codeOf(await custom(4711, 'x1=610&y1=0&w=9&h=9'))).toBe('400 crop-outside');
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

  test('an unknown file is refused immediately', async () => {
    await emulator.setSettings({ downloads: 'redirect' });
    expect(await codeOf(await emulator.fetch('/1/file/99/download/0'))).toBe('404 file-unknown');
  });
});

describe('with another errorBody', () => {
  test.each([
    ['text', 'text/plain', /^The request failed\.$/],
    ['html', 'text/html; charset=utf-8', /^<!doctype html>/],
    ['empty', null, /^$/],
  ] as const)('errors of all calls are %s and keep their status', async (errorBody, type, body) => {
    await emulator.setSettings({ errorBody });
    for (const [path, status] of [
      ['/1/file/99/download/0', 404],
      ['/1/file/4711/download/-1', 400],
      ['/1/nothing', 404],
      ['/1/file', 405],
    ] as const) {
      const response = await emulator.fetch(path);
      expect(response.status).toBe(status);
      expect(response.headers.get('Content-Type')).toBe(type);
      expect(await response.text()).toMatch(body);
    }
    const refused = await fetch(`${emulator.url}/1/foldertree`);
    expect([refused.status, refused.headers.get('Content-Type')]).toEqual([401, type]);
    expect(refused.headers.get('WWW-Authenticate')).toContain('Bearer');
    const token = await fetch(`${emulator.url}/1/oauth2/token`, { method: 'POST' });
    expect([token.status, token.headers.get('Content-Type')]).toEqual([401, type]);
    expect((await emulator.fetch('/1/foldertree')).status).toBe(200);
  });
});
