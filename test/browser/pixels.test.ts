/** @module-tag slow */
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { MediaAssetRequest } from '../../src/assets/request/media-asset.ts';
import { openSite } from '../assets/open-images.ts';
import { startScriptedService } from '../service/scripted-service.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import { differenceIn } from '../support/browser/image-judge.ts';
import {
  chrm,
  cicp,
  damaged,
  gama,
  srgb,
  withChunks,
  withCodes,
} from '../support/images/color-facts.ts';
import { drawApng, drawFrames, type GifFrame } from '../support/images/handmade-animations.ts';
import { patternPixels } from '../support/images/test-images.ts';

const size = { width: 240, height: 160 };
const raw = sharp(Buffer.from(patternPixels(size).data), { raw: { ...size, channels: 3 } });
const png = await raw.clone().png().toBuffer();
const avif = await raw.clone().avif({ lossless: true, effort: 0 }).toBuffer();
const deepAvif = await raw.clone().avif({ lossless: true, effort: 0, bitdepth: 10 }).toBuffer();
const profiled = await raw.clone().withIccProfile('p3').png().toBuffer();
const profiledAvif = await raw.clone().withIccProfile('p3').avif({ lossless: true }).toBuffer();

async function publish(original: Buffer, request: Partial<MediaAssetRequest> = {}) {
  const respond = (response: import('node:http').ServerResponse) => void response.end(original);
  const images = (await openSite(await startScriptedService({ respond }))).open();
  const whole = { format: 'png', layout: 'none', densities: [1] } as const;
  const { bytes } = await images.publishOne(4711, { ...whole, ...request });
  return { bytes, findings: images.findings };
}

/** What counts as sRGB without a profile, and what a profile says. The rest: probe-image.test.ts. */
const colors: [string, Buffer][] = [
  ['a PNG with codes of sRGB', withChunks(png, cicp(1, 13))],
  ...[1, 2, 6, 13, 14, 15].map((code): [string, Buffer] => [
    `an AVIF in BT.709 with curve ${code}`,
    withCodes(avif, 1, code),
  ]),
  ['an AVIF with 10 bits and codes of sRGB', withCodes(deepAvif, 1, 13)],
  ['a PNG with a profile and a gamma', withChunks(profiled, gama(1), chrm('rec2020'))],
  ['a PNG with a profile', profiled],
  ['a PNG with a damaged gamma', withChunks(png, damaged(gama(1)))],
  ['a PNG with damaged codes', withChunks(png, damaged(cicp(12, 13)))],
  ['an AVIF with a profile', profiledAvif],
  ['a PNG with the gamma of sRGB', withChunks(png, gama(0.45455))],
  ['a PNG with primaries alone', withChunks(png, chrm('rec2020'))],
  ['a PNG that says sRGB, and a gamma', withChunks(png, srgb(), gama(1), chrm('rec2020'))],
];

describeInBrowser('Chromium shows a lossless rendition like the original:', () => {
  const browser = useBrowser();
  const judge = async (
    ...[pair, options]: [[Uint8Array, Uint8Array], Parameters<typeof differenceIn>[2]?]
  ) => {
    const { url } = await startScriptedService({ respond: (response) => void response.end('<p>') });
    const page = await browser.open({ baseURL: url });
    await page.goto('/');
    return differenceIn(page, pair, options);
  };

  test('the judge tells colors apart', async () => {
    expect(await judge([withChunks(png, cicp(12, 13)), png])).toBeGreaterThan(9);
    expect(await judge([png, withChunks(png, srgb())])).toBe(0);
  });

  test.each(colors)('%s', async (_, original) => {
    expect(await judge([original, (await publish(original)).bytes])).toBeLessThan(1);
  });

  test.each(['jpeg', 'png', 'webp', 'avif'] as const)(
    'a %s with each EXIF orientation',
    async (format) => {
      for (let orientation = 1; orientation <= 8; orientation += 1) {
        const image = raw.clone().withMetadata({ orientation });
        const lossless = { jpeg: { quality: 100 }, png: {}, webp: { lossless: true } };
        const settings = { ...lossless, avif: { lossless: true, effort: 0 } }[format];
        const original = await image.toFormat(format, settings).toBuffer();
        expect(await judge([original, (await publish(original)).bytes])).toBeLessThan(1);
      }
    },
  );

  const side = 8;
  const all = { width: side, height: side };
  const part = { left: 2, top: 3, width: 4, height: 3 };
  const corner = { width: 2, height: 2 };
  const three = [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
  ];
  const gifs: [string, GifFrame[]][] = [
    ['that covers the canvas', [{ ...all, color: 0 }]],
    ['with a transparent color', [{ ...all, color: (x) => x % 3, transparent: 1 }]],
    [
      'that brings a part back',
      [
        { ...all, color: 0, disposal: 1 },
        { ...part, color: 1, disposal: 3 },
        { ...corner, color: 2 },
      ],
    ],
    [
      'that clears, with a transparent color',
      [
        { ...all, color: (x) => x % 3, disposal: 2, transparent: 1 },
        { ...part, color: 2 },
      ],
    ],
  ];

  test.each(gifs)('a GIF %s, in all frames', async (_, frames) => {
    for (const control of frames.length > 1 ? [true] : [false, true]) {
      const original = drawFrames({ side, palette: three, frames, control });
      expect(await judge([original, (await publish(original)).bytes])).toBe(0);
      const { bytes } = await publish(original, { format: 'gif' });
      expect(await judge([original, bytes], { frames: true })).toBeLessThan(1);
    }
  });

  test('an animated WebP with transparent parts, in all frames', async () => {
    const frames = ['red', 'lime', 'blue'].map((background, at) => {
      const input = { create: { width: 60, height: 40, channels: 4, background } } as const;
      const canvas = { create: { ...size, channels: 4, background: '#0000' } } as const;
      return sharp(canvas)
        .composite([{ input, left: 50 * at, top: 9 }])
        .png()
        .toBuffer();
    });
    const joined = sharp(await Promise.all(frames), { join: { animated: true } });
    const original = await joined.webp({ lossless: true }).toBuffer();
    const { bytes } = await publish(original, { format: 'webp', quality: 100 });
    expect(await judge([original, bytes], { frames: true })).toBeLessThan(3);
    expect(await judge([original, (await publish(original)).bytes])).toBe(0);
  });

  test('an animated PNG, by its first frame', async () => {
    const original = await drawApng([
      { ...all, color: 'lime' },
      { ...all, color: 'blue' },
    ]);
    expect(await judge([original, (await publish(original)).bytes])).toBe(0);
  });

  test('an animated AVIF', async () => {
    const original = Buffer.from(avif);
    original.write('avis', original.indexOf('avif'));
    expect(await judge([avif, (await publish(original)).bytes])).toBe(0);
  });
});
