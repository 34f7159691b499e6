import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { formatFacts, renditionFormats } from '../../../src/assets/formats/output-formats.ts';
import type { MediaAssetRequest } from '../../../src/assets/request/media-asset.ts';
import { failureOf, type Respond, startScriptedService } from '../../service/scripted-service.ts';
import { drawGif } from '../../support/images/handmade-images.ts';
import {
  displayedPixels,
  drawTestImage,
  meanDifference,
  patternPixels,
  regionPixels,
} from '../../support/images/test-images.ts';
import { addressesOf, contentsOf, filesBelow, openSite } from '../open-images.ts';

const colours = ['#ff0000', '#00c000', '#0000ff'];

function flat(background: string) {
  return sharp({ create: { width: 60, height: 40, channels: 3, background } });
}

/** Three frames of one color each. */
async function animation(): Promise<Sharp> {
  const frames = await Promise.all(colours.map((colour) => flat(colour).png().toBuffer()));
  return sharp(frames, { join: { animated: true } });
}

/** A site whose service sends an image for every download. */
async function openWith(bytes: Buffer, headers: Record<string, string> = {}) {
  const respond: Respond = (response) => void response.writeHead(200, headers).end(bytes);
  return openSite(await startScriptedService({ respond }), {}, { crops: 'local' });
}

const publish = async (bytes: Buffer, request?: Partial<MediaAssetRequest>) =>
  (await openWith(bytes)).open().publishOne(4711, request);

test.each<[string, () => Promise<Buffer>]>([
  ['a CMYK JPEG', () => flat('#00c000').toColourspace('cmyk').jpeg().toBuffer()],
  [
    'a CMYK JPEG with a profile',
    () => flat('#00c000').withIccProfile('cmyk').toColourspace('cmyk').jpeg().toBuffer(),
  ],
  ['a TIFF in CIELAB', () => flat('#00c000').toColourspace('lab').tiff().toBuffer()],
  ['a PNG with a palette', () => flat('#00c000').png({ palette: true }).toBuffer()],
])('%s is published in 8-bit sRGB with its colors', async (_, draw) => {
  for (const format of ['png', 'jpeg'] as const) {
    const { bytes } = await publish(await draw(), { format });
    expect(await sharp(bytes).metadata()).toMatchObject({ space: 'srgb', depth: 'uchar' });
    const [red, green, blue] = (await displayedPixels(bytes)).data;
    expect(red).toBeLessThan(120);
    expect(green).toBeGreaterThan(150);
    expect(blue).toBeLessThan(120);
  }
});

test('a gray image stays gray', async () => {
  const { bytes } = await publish(await flat('#808080').greyscale().jpeg().toBuffer());
  const [red = 0, green = 0, blue = 0] = (await displayedPixels(bytes)).data;
  for (const channel of [red, green, blue]) expect(Math.abs(channel - 128)).toBeLessThan(4);
});

describe('a background', () => {
  const half = { create: { width: 60, height: 40, channels: 4, background: '#0000ff80' } } as const;

  /** Half of the blue on red. */
  async function expectFilled(bytes: Uint8Array): Promise<void> {
    expect((await sharp(bytes).metadata()).hasAlpha).toBe(false);
    const { data } = await displayedPixels(bytes);
    for (const [channel, expected] of [127, 0, 128].entries())
      expect(Math.abs((data[channel] ?? 0) - expected)).toBeLessThan(12);
  }

  test.each(['webp', 'avif', 'jpeg', 'png'] as const)(
    'fills transparent parts in a %s',
    async (format) => {
      const original = await sharp(half).png().toBuffer();
      await expectFilled((await publish(original, { format, background: '#ff0000' })).bytes);
    },
  );

  test('fills the placeholder of a transparent image, which has none otherwise', async () => {
    const original = await sharp(half).png().toBuffer();
    const request = { placeholder: 'color' } as const;
    const { asset } = await publish(original, { ...request, background: '#ff0000' });
    const bytes = Buffer.from(asset.placeholder?.split(',')[1] ?? '', 'base64');
    await expectFilled(bytes);
    expect((await publish(original, request)).asset.placeholder).toBeUndefined();
  });

  test("doesn't change the URL of an opaque image", async () => {
    const urlsOf = async (image: Sharp) => {
      const bytes = await image.png().toBuffer();
      const all = [undefined, 'red', 'blue'].map((background) => publish(bytes, { background }));
      return new Set((await Promise.all(all)).map(({ asset }) => asset.src));
    };
    expect((await urlsOf(flat('#00c000'))).size).toBe(1);
    expect((await urlsOf(sharp(half))).size).toBe(3);
  });
});

test.each(['gif', 'webp'] as const)(
  'an animated %s keeps its frames and delays when scaled',
  async (kind) => {
    const settings = { delay: [100, 200, 300], loop: 2 };
    const original = (await animation())[kind](settings);
    const formats = ['avif', 'webp', 'gif'] as const;
    const { asset, bytes } = await publish(await original.toBuffer(), { width: 30, formats });
    expect(asset.src).toMatch(/\.webp$/);
    expect(asset.sources.map(({ type }) => type)).toEqual(['image/gif']);
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 30, pages: 3, ...settings });
    for (const [page, channel] of [0, 1, 2].entries()) {
      const data = await sharp(bytes, { page }).removeAlpha().raw().toBuffer();
      expect(data[channel]).toBeGreaterThan(150);
    }
  },
);

test.each(['webp', 'jpeg'] as const)(
  'an animation with an EXIF orientation is published as %s without rotation, as browsers show it',
  async (format) => {
    const original = (await animation()).withMetadata({ orientation: 6 }).webp();
    const { asset, files } = await publish(await original.toBuffer(), { format });
    expect(asset).toMatchObject({ width: 60, height: 40 });
    const { width, height, pages, orientation } = await sharp(files.get(asset.src)).metadata();
    expect([width, height, orientation ?? 1]).toEqual([60, 40, 1]);
    expect(pages ?? 1).toBe(format === 'webp' ? 3 : 1);
  },
);

test.each([
  ['with many frames', { side: 200, frames: 680 }, { pages: 680 }],
  ['with slow frames', { side: 4, frames: 3, time: 20_000 }, { delay: Array(3).fill(200_000) }],
])('an animation %s keeps them when scaled', async (_, drawn, expected) => {
  const width = drawn.side / 2;
  const { bytes } = await publish(drawGif(drawn), { width, densities: [1] });
  expect(await sharp(bytes).metadata()).toMatchObject({ width, ...expected });
});

test('an animation with too many pixels is an error that names the page, and writes no file', async () => {
  const bytes = drawGif({ side: 1000, frames: 300 });
  const { cacheDir, open } = await openWith(bytes);
  const images = open();
  const asset = await images.show(4711, { width: 100 });
  const written: string[] = [];
  const emitted = images.emit({
    addresses: addressesOf(asset),
    write: async (path) => void written.push(path),
  });
  const error = await failureOf(emitted);
  expect(error).toMatchObject({ code: 'rendition-failed' });
  expect(error.message).toMatch(/^\/page\/: .*asset 4711: .*pixel limit/);
  await images.save();
  expect(written).toEqual([]);
  expect(await contentsOf(cacheDir)).toEqual([bytes]);
});

test.each(renditionFormats)(
  'an image that is too long for a %s is published at the longest possible side',
  async (format) => {
    const { longestSide } = formatFacts[format];
    const create = { width: longestSide + 1, height: 1, channels: 3, background: '#369' } as const;
    const image = await sharp({ create }).png().toBuffer();
    const { asset, files } = await publish(image, { format, layout: 'none' });
    expect(asset).toMatchObject({ width: longestSide, height: 1 });
    const { info } = await sharp(files.get(asset.src)).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: longestSide, height: 1 });
  },
);

test('a crop of one pixel is that pixel', async () => {
  const picture = { path: 'a.png', width: 120, height: 80, seed: 7 };
  const crop = { x: 77, y: 41, width: 1, height: 1 };
  const { asset, bytes } = await publish(await drawTestImage(picture), {
    ...{ crop, format: 'png', placeholder: 'blur', widths: [1, 2, 640] },
  });
  expect(asset).toMatchObject({ width: 1, height: 1, srcset: undefined });
  expect(asset.placeholder).toMatch(/^data:image\/webp;base64,/);
  expect(await meanDifference(bytes, regionPixels(patternPixels(picture), crop))).toBe(0);
});

test.each([
  ['../../../etc/passwd'],
  ['..%2f..%2fpasswd%00.jpg'],
  ['C:\\Windows\\win.ini'],
  ['CON'],
  ['Ingrid Holm, private.jpg'],
])('the file name %s appears in no URL and no path', async (name) => {
  const header = `attachment; filename="${name.replaceAll('\\', '\\\\')}"`;
  const bytes = await drawTestImage({ path: 'a.jpg', width: 64, height: 48 });
  const { cacheDir, open } = await openWith(bytes, { 'content-disposition': header });
  const { asset, files } = await open().publishOne(4711, { alt: 'A 🚢 in רציף' });
  expect([...files.keys()]).toEqual([asset.src]);
  expect(asset.src).toMatch(/^\/_astro\/media-asset\/4711-[0-9a-f]{16}-[0-9a-f]{16}-a-in\.webp$/);
  for (const path of (await filesBelow(cacheDir)).keys()) {
    expect(path.slice(cacheDir.length)).toMatch(/^\/v3\/[\w/.-]+$/);
    expect(path).not.toMatch(/passwd|win\.ini|Ingrid/);
  }
});
