import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { MediaAssetRequest } from '../../../src/assets/request/media-asset.ts';
import { type Respond, startScriptedService } from '../../service/scripted-service.ts';
import { cicp, withChunks } from '../../support/images/color-facts.ts';
import { drawApng, drawFrames, type GifFrame } from '../../support/images/handmade-animations.ts';
import { drawUltraHdr } from '../../support/images/ultra-hdr.ts';
import { filesBelow, give, openSite } from '../open-images.ts';

// Chromium is the judge of many more files: test/browser/pixels.test.ts.

const flat = (background: string) =>
  sharp({ create: { width: 40, height: 30, channels: 3, background } });
const red = flat('#c82828');
const png = await red.clone().png().toBuffer();
const avif = await red.clone().avif({ lossless: true, effort: 0 }).toBuffer();
const all = { width: 8, height: 8 };
const part = { left: 2, top: 3, width: 4, height: 3 };
const palette = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
];

/** A site whose service sends an image for every download. `asked` are the paths of its requests. */
async function openWith(bytes: Buffer) {
  const asked: string[] = [];
  const respond: Respond = (response, { url }) => {
    asked.push(url);
    response.end(bytes);
  };
  const site = await openSite(await startScriptedService({ respond }));
  return { asked, images: site.open() };
}

async function publish(original: Buffer, request: Partial<MediaAssetRequest> = {}) {
  const { asked, images } = await openWith(original);
  const { bytes, asset } = await images.publishOne(4711, { format: 'png', ...request });
  return { asked, bytes, asset, findings: images.findings };
}

async function pixelAt(bytes: Uint8Array, [x, y]: readonly [number, number]) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const start = (y * info.width + x) * info.channels;
  return [...data.subarray(start, start + info.channels)];
}

/** Of a GIF: a canvas that one frame covers in part. */
const canvas = drawFrames({ side: 8, palette, frames: [{ ...part, color: 0 }] });

test('colors without a profile that are not sRGB fail the page, which names the asset once', async () => {
  const { images } = await openWith(withChunks(png, cicp(9, 16)));
  await expect(images.show(4711)).rejects.toMatchObject({
    ...{ code: 'image-colors', asset: 4711 },
    message: expect.stringMatching(/^\/page\/: asset 4711 isn't in sRGB/),
    hint: expect.stringContaining('with an ICC profile'),
  });
});

test('a placeholder is made again if another version of the package reads the original otherwise', async () => {
  const frame = { ...all, color: 'lime' };
  const original = await drawApng([frame, frame], { ...all, color: 'red' });
  const site = await openSite(await startScriptedService({ respond: give(original) }));
  const placeholder = async () => {
    const images = await site.next();
    return (await images.publishOne(4711, { placeholder: 'color', background: 'white' })).asset
      .placeholder;
  };
  const changeReading = async (reading: unknown) => {
    for (const [path, content] of await filesBelow(site.cacheDir)) {
      if (!path.endsWith('facts.json')) continue;
      const facts = JSON.parse(String(content));
      facts.sources.original.reading = reading;
      await writeFile(path, JSON.stringify(facts));
    }
  };
  const before = await placeholder();
  await changeReading(null);
  expect(await placeholder()).not.toBe(before);
  // Of a version that converted colors without a profile.
  await changeReading({ color: { primaries: [], curve: 'pq' } });
  expect(await placeholder()).toBe(before);
});

test('a crop of an image that a service may see otherwise is cut from the original', async () => {
  const crop = { x: 2, y: 3, width: 4, height: 3 };
  const { asked, bytes } = await publish(canvas, { crop });
  expect(asked.filter((path) => path.includes('/download/'))).toEqual(['/1/file/4711/download/0']);
  expect(await pixelAt(bytes, [1, 1])).toEqual([255, 0, 0, 255]);
});

test('a WebP is shown as browsers do, without its EXIF orientation', async () => {
  const original = await red.clone().withMetadata({ orientation: 6 }).webp().toBuffer();
  expect((await publish(original)).asset).toMatchObject({ width: 40, height: 30 });
});

test.each<[string, GifFrame[], number[]]>([
  ['that no frame covers', [{ ...part, color: 0 }], [0]],
  [
    'that a frame has cleared',
    [
      { ...all, color: 0, disposal: 2, delay: 515 },
      { ...part, color: 0, delay: 7 },
    ],
    [5150, 70],
  ],
])('a canvas of a GIF %s is transparent', async (_, frames, delay) => {
  const original = drawFrames({ side: 8, palette, frames });
  const { bytes } = await publish(original, { format: 'gif' });
  expect((await sharp(bytes, { animated: true }).metadata()).delay).toEqual(delay);
  const last = await sharp(bytes, { page: frames.length - 1 }).toBuffer();
  expect(await pixelAt(last, [0, 0])).toEqual([0, 0, 0, 0]);
  expect(await pixelAt(last, [3, 4])).toEqual([255, 0, 0, 255]);
});

describe('an animation of which only one frame is read', async () => {
  const frames = ['lime', 'blue'].map((color) => ({ ...all, color }));
  const animated = Buffer.from(avif);
  animated.write('avis', animated.indexOf('avif'));

  test.each<[string, Buffer]>([
    ['png', await drawApng(frames)],
    ['png', await drawApng(frames, { ...all, color: 'red' })],
    ['avif', animated],
  ])('is a still (%s), with one warning', async (kind, original) => {
    const { images } = await openWith(original);
    await images.publishOne(4711, { crop: { x: 1, y: 1, width: 4, height: 4 } });
    const { asset } = await images.publishOne(4711, { format: 'webp' });
    expect(asset.src).toMatch(/\.webp$/);
    expect(images.findings).toMatchObject([
      {
        ...{ code: 'frames-lost', severity: 'warning' },
        message: `/page/: asset 4711 is animated, but of an animated ${kind}, only one frame is published.`,
        hint: expect.stringMatching(/GIF or an animated WebP/),
      },
    ]);
  });

  test('is a frame that the animation shows', async () => {
    const { bytes } = await publish(await drawApng(frames, { ...all, color: 'red' }));
    expect((await pixelAt(bytes, [3, 3])).slice(0, 3)).toEqual([0, 255, 0]);
  });

  test('has no warning if it has one frame', async () => {
    expect((await publish(await drawApng(frames.slice(1)))).findings).toEqual([]);
  });
});

test('one notice names all images whose originals have a gain map for HDR', async () => {
  const { images } = await openWith(await drawUltraHdr());
  await images.publish(await images.show(4711), await images.show(4712, { width: 20 }));
  expect(images.findings).toMatchObject([
    {
      ...{ code: 'details-lost', severity: 'notice' },
      message: expect.stringContaining('gain maps (HDR) of the originals of 2 assets (4711, 4712)'),
    },
  ]);
});
