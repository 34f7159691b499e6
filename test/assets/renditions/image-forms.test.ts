import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { placeholderStyle } from '../../../src/assets/renditions/small-images.ts';
import type { MediaAssetRequest } from '../../../src/assets/request/media-asset.ts';
import { startScriptedService } from '../../service/scripted-service.ts';
import {
  displayedPixels,
  meanDifference,
  type Pixels,
  patternPixels,
  pixelDifference,
  regionPixels,
  type TestImage,
} from '../../support/images/test-images.ts';
import { contentsOf, give, newBuild, openSite, startService } from '../open-images.ts';

const picture = { path: 'quay.jpg', width: 600, height: 400, seed: 3 };
const kinds: readonly TestImage[] = [
  ...['a.png', 'b.webp', 'c.avif', 'd.tiff'].map((path, seed) => ({ path, seed })),
  { path: 'turned.png', seed: 26, orientation: 6 },
  { path: 'turned.tiff', seed: 28, orientation: 8 },
  { path: 'turned.webp', seed: 27, orientation: 7 },
].map((one) => ({ ...one, path: `z/${one.path}`, width: 500, height: 300 }));
const emulator = await startService([
  picture,
  { path: 'small.png', width: 90, height: 60, seed: 4 },
  { path: 'wide.jpg', width: 2800, height: 350, seed: 5 },
  ...kinds,
]);

type Request = Partial<MediaAssetRequest>;

const publish = async ({ id = 4711, ...request }: Request, crops?: 'service' | 'local') =>
  (await newBuild(emulator, crops && { crops })).publishOne(id, request);

const whole = { x: 0, y: 0, width: 600, height: 400 };

async function scaled({ data, width, height }: Pixels, to: number): Promise<Pixels> {
  const raw = sharp(data, { raw: { width, height, channels: 3 } });
  return displayedPixels(await raw.resize(to).png().toBuffer());
}

// The same rule for crops that are cut here: every-form.test.ts.
test.each<[string, Request, typeof whole]>([
  ['an aspect', { aspect: '1/1', focus: { x: 1, y: 1 } }, { ...whole, x: 140, y: 30 }],
  ['a position', { width: 200, height: 200, position: 'left' }, { ...whole, x: 40, y: 30 }],
])('%s inside a crop of the service shows its region', async (_, request, corner) => {
  const crop = { x: 40, y: 30, width: 300, height: 200 };
  const { bytes } = await publish({ ...request, crop, format: 'png' });
  const expected = regionPixels(patternPixels(picture), { ...corner, width: 200, height: 200 });
  expect(await meanDifference(bytes, expected)).toBeLessThan(3);
});

const region = { x: 130, y: 70, width: 240, height: 160 };

test.each(kinds)('a crop is cut from $path', async (kind) => {
  const id = 4714 + kinds.indexOf(kind);
  const { bytes } = await publish({ id, crop: region, format: 'png' }, 'local');
  expect(await meanDifference(bytes, regionPixels(patternPixels(kind), region))).toBeLessThan(3);
});

test.each([
  ['webp', 'webp', undefined],
  ['avif', 'heif', 'av1'],
  ['jpeg', 'jpeg', undefined],
  ['png', 'png', undefined],
] as const)('a rendition is published as %s', async (format, decoded, compression) => {
  const { asset, bytes } = await publish({ crop: region, format });
  const metadata = await sharp(bytes).metadata();
  expect([metadata.format, metadata.compression]).toEqual([decoded, compression]);
  const expected = regionPixels(patternPixels(picture), region);
  expect(await meanDifference(bytes, expected)).toBeLessThan(12);
  expect(asset.src).toMatch(format === 'jpeg' ? /\.jpg$/ : new RegExp(`\\.${format}$`));
});

test('every width shows the same image', async () => {
  const { asset, files } = await publish({ widths: [150, 300, 900], sizes: '50vw', format: 'png' });
  expect(asset.srcset?.match(/ \d+w/g)).toEqual([' 150w', ' 300w', ' 600w']);
  expect(asset.sizes).toBe('50vw');
  for (const { url, width } of asset.renditions) {
    const expected = await scaled(patternPixels(picture), width);
    expect(await meanDifference(files.get(url), expected)).toBeLessThan(4);
  }
});

test('an image has the same bytes in every build without a cache', async () => {
  const request: Request = { widths: [40, 150, 300, 600], sizes: '50vw', formats: ['webp'] };
  const { files } = await publish(request);
  expect(files.size).toBe(8);
  for (let build = 0; build < 5; build += 1) {
    expect((await publish(request)).files).toEqual(files);
  }
});

describe('a width has the same bytes', () => {
  const wide = { id: 4713, format: 'webp' } as const;
  const bytesOf = async (request: Pick<Request, 'widths'>) => {
    const { asset, files } = await publish({ ...wide, ...request });
    return files.get(asset.renditions.find(({ width }) => width === 240)?.url ?? '');
  };

  test.each<[string, number[]]>([
    ['larger ones', [240, 900, 2400]],
    ['smaller ones', [20, 160, 240]],
    ["the image's own size", [240, 2800]],
  ])('alone and with %s', async (_, widths) => {
    expect(await bytesOf({ widths })).toEqual(await bytesOf({ widths: [240] }));
  });

  test('while other pages request other sizes of the image', async () => {
    const alone = await bytesOf({ widths: [240] });
    const images = await newBuild(emulator);
    const assets = await Promise.all(
      [[2700, 100], [240], [2000, 640, 240]].map((widths, index) =>
        images.getMediaAsset({ ...wide, alt: '', page: `/${index}/`, widths }),
      ),
    );
    const files = await images.publish(...assets);
    expect(files.get(assets[1]?.src ?? '')).toEqual(alone);
  });
});

test('renditions are made as soon as a page requests them', async () => {
  const { cacheDir, open } = await openSite(emulator);
  await open().show(4711, { widths: [100, 200] });
  // The original, and two renditions.
  await expect.poll(async () => (await contentsOf(cacheDir)).length).toBe(3);
});

test("formats come before the original's own format", async () => {
  const { asset, files } = await publish({ formats: ['avif', 'webp'], width: 120 });
  expect(asset.sources.map(({ type }) => type)).toEqual(['image/avif', 'image/webp']);
  const formatOf = async (url = '') => (await sharp(files.get(url)).metadata()).format;
  expect(await formatOf(asset.src)).toBe('jpeg');
  expect(await formatOf(asset.sources[0]?.renditions[0]?.url)).toBe('heif');
  expect(await formatOf(asset.sources[1]?.renditions[0]?.url)).toBe('webp');
});

test('a JPEG is progressive, with the same pixels as a baseline one', async () => {
  const { bytes: png } = await publish({ format: 'png', densities: [1] });
  const plain = await sharp(png).jpeg({ quality: 80 }).toBuffer();
  const { bytes } = await publish({ format: 'jpeg', densities: [1] });
  expect((await sharp(plain).metadata()).isProgressive).toBe(false);
  expect((await sharp(bytes).metadata()).isProgressive).toBe(true);
  expect(pixelDifference(await displayedPixels(bytes), await displayedPixels(plain)).largest).toBe(
    0,
  );
});

describe('effort', () => {
  const bytesOf = async (request: Request) => (await publish({ ...small, ...request })).bytes;
  const urlOf = async (request: Request) => (await publish({ ...small, ...request })).asset.src;
  const small: Request = { width: 240, densities: [1] };

  test.each(['avif', 'webp', 'gif'] as const)('changes the bytes of %s', async (format) => {
    expect(await bytesOf({ format, effort: 1 })).not.toEqual(await bytesOf({ format, effort: 6 }));
  });

  test.each([
    ['avif', 3],
    ['webp', 4],
    ['gif', 7],
  ] as const)('of %s is %d by default', async (format, effort) => {
    expect(await urlOf({ format })).toBe(await urlOf({ format, effort }));
  });

  test("gives WebP the bytes of sharp's default", async () => {
    const { bytes } = await publish({ format: 'png', densities: [1] });
    const expected = await sharp(bytes).webp({ quality: 80 }).toBuffer();
    expect(Buffer.from(await bytesOf({ format: 'webp', width: 600 })).equals(expected)).toBe(true);
  });

  test("doesn't apply to formats without an effort", async () => {
    expect(await urlOf({ format: 'jpeg', effort: 1 })).toBe(await urlOf({ format: 'jpeg' }));
  });

  test.each([
    ['webp', 9, 6],
    ['gif', 0, 1],
  ] as const)('of %s: %d counts as %d', async (format, effort, own) => {
    expect(await urlOf({ format, effort })).toBe(await urlOf({ format, effort: own }));
  });
});

test('art direction comes first, in each format, with its own part of the image', async () => {
  const { asset, files } = await publish({
    width: 300,
    formats: ['webp'],
    sources: [{ media: '(max-width: 40em)', aspect: 1, widths: [100, 200] }],
  });
  expect(
    asset.sources.map(({ media, type, width, height }) => ({ media, type, width, height })),
  ).toEqual([
    { media: '(max-width: 40em)', type: 'image/webp', width: 300, height: 300 },
    { media: '(max-width: 40em)', type: 'image/jpeg', width: 300, height: 300 },
    { media: undefined, type: 'image/webp', width: 300, height: 200 },
  ]);
  const square = regionPixels(patternPixels(picture), { x: 100, y: 0, width: 400, height: 400 });
  const shown = files.get(asset.sources[1]?.renditions[1]?.url ?? '');
  expect(await meanDifference(shown, await scaled(square, 200))).toBeLessThan(10);
});

describe('a placeholder', () => {
  const pixelsOf = async (url: string | undefined) => {
    const bytes = Buffer.from(url?.split(',')[1] ?? '', 'base64');
    return sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  };

  test('is the image in a few pixels', async () => {
    const { asset } = await publish({ placeholder: 'blur', width: 300 });
    expect(asset.placeholder).toMatch(/^data:image\/webp;base64,/);
    expect(asset.placeholder?.length).toBeLessThan(600);
    const { data, info } = await pixelsOf(asset.placeholder);
    expect(info).toMatchObject({ width: 20, height: 13 });
    // The test images are dark on the left and red on the right.
    expect((data[19 * 3] ?? 0) - (data[0] ?? 0)).toBeGreaterThan(80);
  });

  test('is the mean color', async () => {
    const { asset } = await publish({ placeholder: 'color', crop: { ...whole, width: 200 } });
    const { data } = await pixelsOf(asset.placeholder);
    const { data: left } = regionPixels(patternPixels(picture), { ...whole, width: 200 });
    const raw = { width: 200, height: 400, channels: 3 } as const;
    const mean = await sharp(left, { raw }).stats();
    for (const [index, channel] of mean.channels.entries()) {
      expect(Math.abs((data[index] ?? 0) - channel.mean)).toBeLessThan(8);
    }
  });

  test.each(['#ff0000', 'rgb(255 0 0 / 100%)'])(
    'of a transparent image needs a background that fills it: %s',
    async (filling) => {
      const create = { width: 60, height: 40, channels: 4, background: '#0000' } as const;
      const clear = await sharp({ create }).png().toBuffer();
      const { open } = await openSite(await startScriptedService({ respond: give(clear) }));
      const shown = (background?: string) =>
        open().show(1, { placeholder: 'color', ...(background && { background }) });
      expect((await shown()).placeholder).toBeUndefined();
      const { data } = await pixelsOf((await shown(filling)).placeholder);
      expect(data[0]).toBeGreaterThan(240);
      expect(data[1]).toBeLessThan(15);
    },
  );

  test('is the background of its image', async () => {
    const { open } = await openSite(emulator);
    const request = { placeholder: 'color' } as const;
    const { placeholder, placeholderStyle } = await open().show(4711, request);
    expect(placeholderStyle).toContain(`background-image:url(${placeholder});`);
  });

  test.each([
    ['cover', undefined, 'background-position:50%;background-size:cover;'],
    ['outside', undefined, 'background-position:50%;background-size:cover;'],
    ['contain', '0% 0%', 'background-position:0% 0%;background-size:contain;'],
    ['scale-down', undefined, 'background-position:50%;background-size:contain;'],
    ['fill', undefined, 'background-position:50%;background-size:100% 100%;'],
  ] as const)('has the position of its image with %s at %s', (fit, position, declarations) => {
    expect(placeholderStyle('data:,A', { fit, position })).toContain(declarations);
  });
});
