import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { MediaAssetRequest } from '../../../src/assets/request/media-asset.ts';
import { type Respond, startScriptedService } from '../../service/scripted-service.ts';
import { cicp, withChunks } from '../../support/images/color-facts.ts';
import { drawApng, drawFrames, type GifFrame } from '../../support/images/handmade-animations.ts';
import { openSite } from '../open-images.ts';

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

test('colors without a profile that are not sRGB fail the page, which names the asset once', async () => {
  const { images } = await openWith(withChunks(png, cicp(9, 16)));
  await expect(images.show(4711)).rejects.toMatchObject({
    ...{ code: 'image-colors', asset: 4711 },
    message: expect.stringMatching(/^\/page\/: asset 4711 isn't in sRGB/),
    hint: expect.stringContaining('with an ICC profile'),
  });
});

const turned = await red.clone().withMetadata({ orientation: 6 }).webp().toBuffer();

test('a crop of an image that a service may see otherwise is cut from the original', async () => {
  const crop = { x: 2, y: 3, width: 4, height: 3 };
  const frames = ['lime', 'blue'].map((color) => ({ ...all, color }));
  const { asked, asset } = await publish(await drawApng(frames), { crop });
  expect(asked.filter((path) => path.includes('/download/'))).toEqual(['/1/file/4711/download/0']);
  expect(asset).toMatchObject({ width: 4, height: 3 });
});

test('a WebP is shown as browsers do, without its EXIF orientation', async () => {
  expect((await publish(turned)).asset).toMatchObject({ width: 40, height: 30 });
});

test.each<[string, GifFrame[], string]>([
  ['a canvas that no frame covers', [{ ...part, color: 0 }], 'no image'],
  [
    'a canvas that a frame clears',
    [
      { ...all, color: 0, disposal: 2 },
      { ...part, color: 0 },
    ],
    'no image',
  ],
  [
    'a canvas that a frame covers',
    [
      { ...all, color: 0 },
      { ...part, color: 1 },
    ],
    'an image',
  ],
])('a GIF that shows %s is %s', async (_, frames, is) => {
  const published = publish(drawFrames({ side: 8, palette, frames }), { format: 'gif' });
  if (is === 'an image') await published;
  else
    await expect(published).rejects.toMatchObject({
      code: 'download-not-a-picture',
      message: expect.stringContaining('a GIF that clears parts of opaque frames'),
    });
});

describe('an animation of which only one frame is read', async () => {
  const frames = ['lime', 'blue'].map((color) => ({ ...all, color }));
  const animated = Buffer.from(avif);
  animated.write('avis', animated.indexOf('avif'));

  test.each<[string, Buffer]>([
    ['png', await drawApng(frames)],
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

  test('is no image if the animation shows another one', async () => {
    await expect(publish(await drawApng(frames, { ...all, color: 'red' }))).rejects.toThrow(
      'an animated PNG that never shows its still image',
    );
  });

  test('has no warning if it has one frame', async () => {
    expect((await publish(await drawApng(frames.slice(1)))).findings).toEqual([]);
  });
});
