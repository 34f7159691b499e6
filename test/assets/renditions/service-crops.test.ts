import sharp from 'sharp';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  customFormats,
  type ToCustomFormat,
} from '../../../src/assets/geometry/custom-format-parameters.ts';
import {
  failureOf,
  type Respond,
  startScriptedService,
  status,
} from '../../service/scripted-service.ts';
import {
  drawTestImage,
  meanDifference,
  patternPixels,
  regionPixels,
  type TestImage,
} from '../../support/images/test-images.ts';
import { serveCrop } from '../../support/service/serve-crop.ts';
import {
  codeOf,
  give,
  newBuild,
  openSite,
  redraw,
  removeContents,
  replaceAsset,
  startService,
  takeDownloads,
} from '../open-images.ts';

const size = { width: 480, height: 360 };
const pictures: readonly TestImage[] = [
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((orientation) => ({
    ...{ path: `${orientation}.jpg`, ...size, orientation, seed: orientation },
  })),
  { path: 'a/other.jpg', ...size, seed: 9 },
  { path: 'b.png', ...size, orientation: 3 },
  { path: 'c.tiff', ...size, orientation: 3 },
  { path: 'd.tiff', ...size, orientation: 3 },
  { path: 'later.jpg', ...size, seed: 10 },
  { path: 'plain.png', ...size },
];
const emulator = await startService(pictures);
const idOf = (path: string) => 4711 + pictures.findIndex((picture) => picture.path === path);
const [upright, turned, other] = ['1.jpg', '3.jpg', 'a/other.jpg'].map(idOf) as [
  number,
  number,
  number,
];

/** A square, whose size is the same with and without rotation. */
const crop = { x: 130, y: 70, width: 160, height: 160 };

beforeEach(() => emulator.setSettings({ customFormat: 'size', cropPixels: 'displayed' }));

test('a mismatch names the page, the asset, the received crop and the options', async () => {
  await emulator.setSettings({ customFormat: 'corners' });
  const images = await newBuild(emulator);
  expect(await failureOf(images.show(upright, { crop }))).toMatchObject({
    message:
      '/page/: for a crop of asset 4711, the service sent something else instead of this part of the original (160 × 160 pixels).',
    hint: expect.stringMatching(/customFormat: 'corners'.*crops: 'local'/),
  });
});

const wide = { x: 10, y: 10, width: 400, height: 200 };
const narrow = { x: 300, y: 200, width: 120, height: 90 };

test.each([
  ['a large one first', [wide, narrow]],
  ['a small one first', [narrow, wide]],
])('each crop of an asset is compared, %s', async (_, crops) => {
  const images = await newBuild(emulator);
  const codesOf = async (shift: number) => {
    const shown = crops.map(({ x, ...part }) =>
      images.show(other, { crop: { ...part, x: x + shift } }),
    );
    const ended = await Promise.allSettled(shown);
    return ended.map((one) => (one.status === 'rejected' ? one.reason.code : 'shown'));
  };
  expect(await codesOf(0)).toEqual(['shown', 'shown']);
  await emulator.setSettings({ customFormat: 'corners' });
  expect(await codesOf(5)).toEqual(['custom-format-mismatch', 'custom-format-mismatch']);
});

test('the next build retries a crop after a mismatch', async () => {
  const { open } = await openSite(emulator);
  await emulator.setSettings({ customFormat: 'corners' });
  const images = open();
  await failureOf(images.show(upright, { crop }));
  await images.save();
  await emulator.setSettings({ customFormat: 'size' });
  await expect(open().show(upright, { crop })).resolves.toMatchObject({ width: 160 });
});

test('an image of one color agrees with any crop', async () => {
  const single = { ...size, channels: 3, background: '#369' } as const;
  await replaceAsset(emulator, 'plain.png', await sharp({ create: single }).png().toBuffer());
  const images = await newBuild(emulator);
  await images.publishOne(idOf('plain.png'), { crop });
  expect(images.findings).toEqual([]);
});

test.each([
  ['an error', { kind: 'status', call: 'custom-format', status: 503 }],
  ['a broken connection', { kind: 'reset-before', call: 'custom-format' }],
] as const)('after %s, a crop is cut from the original, with a warning', async (_, fault) => {
  await emulator.setFaults([fault]);
  onTestFinished(() => emulator.clearFaults());
  const images = (await openSite(emulator, { attempts: 1 })).open();
  const { bytes } = await images.publishOne(upright, { crop });
  const local = await newBuild(emulator, { crops: 'local' });
  expect((await local.publishOne(upright, { crop })).bytes).toEqual(bytes);
  expect(images.findings).toMatchObject([
    { code: 'crops-cut-here', severity: 'warning', message: expect.stringContaining(': 4711.') },
  ]);
});

describe('the custom format of a crop', () => {
  const { corners } = customFormats;
  const query = 'x1=130&y1=70&x2=290&y2=230';
  beforeEach(async () => {
    await emulator.setSettings({ customFormat: 'corners' });
    emulator.clearLog();
  });

  test('has corners with the size of the original', async () => {
    const images = await newBuild(emulator, { customFormat: corners });
    const asset = await images.show(upright, { crop });
    const path = `/1/file/4711/download/-1?${query}&sw=480&sh=360&w=160&h=160`;
    expect(asset.customFormatUrl).toBe(`${emulator.url}${path}`);
    expect(takeDownloads(emulator)).toContain(`200 ${path}`);
  });

  test("has the new size if the original's has changed", async () => {
    const { open, next } = await openSite(emulator, {}, { customFormat: corners });
    await open().publishOne(idOf('later.jpg'), { crop });
    await redraw(emulator, { path: 'later.jpg', width: 1000, height: 700, seed: 5 });
    const second = await next();
    const { customFormatUrl } = await second.show(idOf('later.jpg'), { crop });
    expect(customFormatUrl).toContain('&sw=1000&sh=700&');
  });

  test("from a site's own function gets the original's size", async () => {
    const customFormat: ToCustomFormat = (part, image) => ({
      ...corners(part, image),
      format: 'png',
    });
    const images = await newBuild(emulator, { customFormat });
    const { customFormatUrl } = await images.show(other, { crop });
    expect(customFormatUrl).toMatch(/&sw=480&sh=360&w=160&h=160&format=png$/);
    expect(takeDownloads(emulator).join(' ')).toMatch(/&sw=480&sh=360&w=160&h=160&format=png$/);
  });
});

describe('of rotated images,', () => {
  test('a crop with the wrong pixels is an error that names the page', async () => {
    await emulator.setSettings({ cropPixels: 'stored' });
    const images = await newBuild(emulator);
    await images.show(upright, { crop });
    expect(await failureOf(images.show(turned, { crop }))).toMatchObject({
      code: 'custom-format-mismatch',
      message:
        '/page/: for a crop of asset 4713, the service sent something else instead of this part of the original (160 × 160 pixels).',
    });
    await images.show(other, { crop });
  });

  const turns = pictures.filter(({ orientation = 1 }) => orientation > 1);

  test.each(turns)('a crop of $path with the wrong pixels is refused', async ({ path }) => {
    await emulator.setSettings({ cropPixels: 'stored' });
    const images = await newBuild(emulator);
    expect(await codeOf(images.show(idOf(path), { crop }))).toBe('custom-format-mismatch');
  });

  test('crops are published with the right pixels', async () => {
    const images = await newBuild(emulator);
    for (const picture of turns) {
      const { bytes } = await images.publishOne(idOf(picture.path), { crop, format: 'png' });
      const region = regionPixels(patternPixels(picture), crop);
      expect(await meanDifference(bytes, region)).toBeLessThan(3);
    }
    expect(images.findings).toEqual([]);
  });
});

describe('a crop that the service refuses', async () => {
  const whole = await drawTestImage({ path: 'a.jpg', width: 320, height: 240 });
  const small = await drawTestImage({ path: 'a.jpg', width: 60, height: 40 });

  /** A site of a service with one asset. `crops` is the status code of its crops. */
  async function openWith(crops: number) {
    const answer = { crops, picture: whole };
    const respond: Respond = async (response, request) => {
      if (answer.crops !== 200 && request.url.includes('/download/-1'))
        return status(answer.crops)(response, request);
      return give(await serveCrop(request.url, answer.picture))(response, request);
    };
    return { answer, ...(await openSite(await startScriptedService({ respond }))) };
  }

  test.each([403, 404, 410])(
    "with %i doesn't withdraw the asset if the original is delivered",
    async (code) => {
      const images = (await openWith(code)).open();
      expect(await failureOf(images.show(1, { crop }))).toMatchObject({
        code: 'crop-refused',
        message: `/page/: The service refused a crop of asset 1 (${code}).`,
        cause: { cause: { status: code } },
      });
      expect(await images.show(1, { width: 100 })).toMatchObject({ width: 100 });
    },
  );

  test('is told from an original that is damaged', async () => {
    const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);
    const respond: Respond = async (response, { url }) => {
      const bytes = await serveCrop(url, whole);
      response.end(url.includes('/download/-1') ? half(bytes) : bytes);
    };
    const { open } = await openSite(await startScriptedService({ respond }));
    const { code, message } = await failureOf(open().show(1, { crop }));
    expect(`${code} ${message}`).toContain('download-not-a-picture /page/: a crop of asset 1 ');
  });

  test('because the asset is smaller now is reported as outside', async () => {
    const { answer, open, next } = await openWith(200);
    await open().publishOne(1, { crop });
    Object.assign(answer, { crops: 404, picture: small });
    const second = await next();
    expect(await failureOf(second.show(1, { crop }))).toMatchObject({
      code: 'crop-outside',
      message: expect.stringContaining('60 × 40'),
    });
  });

  test("isn't an error if no page shows it anymore", async () => {
    const { answer, open, next } = await openWith(200);
    const first = open();
    const shown = await first.show(1, { width: 100 });
    await first.publish(await first.show(1, { crop }), shown);
    answer.crops = 404;
    const second = await next();
    const again = await second.show(1, { width: 100 });
    expect(again.src).toBe(shown.src);
    expect((await second.publish(again)).size).toBe(shown.renditions.length);
  });
});

describe('a crop whose bytes are gone', async () => {
  const original = await drawTestImage({ path: 'a.jpg', ...size });
  const square = sharp(original).extract({ left: 0, top: 0, width: 160, height: 160 }).negate();
  const others = [await square.toBuffer(), await square.resize(80).toBuffer()];

  /** A site of a service that sends `instead` for crops, and what its first build has published. */
  async function openBuilt() {
    const answer: { instead?: Buffer | undefined } = {};
    const respond: Respond = async (response, request) => {
      const instead = request.url.includes('/download/-1') ? answer.instead : undefined;
      give(instead ?? (await serveCrop(request.url, original)))(response, request);
    };
    const site = await openSite(await startScriptedService({ respond }));
    const { asset, files } = await site.open().publishOne(1, { crop, width: 90 });
    await removeContents(site.cacheDir);
    const build = async () => (await site.next()).publishOne(1, { crop, width: 90 });
    return { answer, asset, files, build, ...site };
  }

  test('is compared when it arrives again, and another image is never stored', async () => {
    const { answer, build, files } = await openBuilt();
    for (const instead of others) {
      answer.instead = instead;
      expect(await codeOf(build())).toBe('rendition-lost');
    }
    answer.instead = undefined;
    expect((await build()).files).toEqual(files);
  });

  test("isn't downloaded for a page that a build keeps, because nothing says what it shows", async () => {
    const { asset, build, files, next } = await openBuilt();
    expect(await failureOf((await next()).publish(asset))).toMatchObject({
      code: 'rendition-lost',
      hint: expect.stringContaining('astro build --force'),
    });
    expect((await build()).files).toEqual(files);
  });
});
