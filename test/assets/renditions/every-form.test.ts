import sharp from 'sharp';
import { expect, test } from 'vitest';
import { fits } from '../../../src/assets/geometry/fit-image.ts';
import type { MediaAssetRequest } from '../../../src/assets/request/media-asset.ts';
import { startScriptedService } from '../../service/scripted-service.ts';
import {
  displayedPixels,
  type Pixels,
  patternPixels,
  pixelDifference,
  type Rectangle,
  regionPixels,
  storedPixels,
} from '../../support/images/test-images.ts';
import { someOf } from '../../support/process/rounds.ts';
import { newBuild, startService } from '../open-images.ts';

const orientations = [1, 2, 3, 4, 5, 6, 7, 8];
const size = { width: 120, height: 80 };
const emulator = await startService(
  orientations.map((orientation) => ({ path: `${orientation}.jpg`, ...size, orientation })),
);
const pixels = patternPixels(size);

type Request = Partial<MediaAssetRequest>;

const crops: [name: string, request: Request, region: Rectangle][] = [
  ['the whole', {}, { x: 0, y: 0, ...size }],
  [
    'a crop in pixels',
    { crop: { x: 20, y: 10, width: 60, height: 40 } },
    { x: 20, y: 10, width: 60, height: 40 },
  ],
  [
    'a crop in fractions',
    { crop: { unit: 'fraction', x: 0.25, y: 0.5, width: 0.5, height: 0.5 } },
    { x: 30, y: 40, width: 60, height: 40 },
  ],
  [
    'a shape around a point',
    { aspect: 1, focus: { x: 0.6, y: 0.5 } },
    { x: 32, y: 0, width: 80, height: 80 },
  ],
];

/** The shares of the excess that are cut off at the left and at the top. */
const positions: [position: string, left: number, top: number][] = [
  ['center', 0.5, 0.5],
  ['top', 0.5, 0],
  ['right', 1, 0.5],
  ['left top', 0, 0],
  ['bottom right', 1, 1],
  ['right-top', 1, 0],
  ['center left', 0, 0.5],
  ['80%', 0.8, 0.5],
  ['left 70%', 0, 0.7],
  ['25% 75%', 0.25, 0.75],
];

/** Layout sizes that are relatively higher and wider than all crops. */
const places = [
  { width: 24, height: 32 },
  { width: 40, height: 10 },
];

/** An independent version of CSS's object-fit: the visible part, and the size of the file. */
function expected(region: Rectangle, place: { width: number; height: number }, fit: string) {
  const across = place.width / region.width;
  const down = place.height / region.height;
  const scaled = (scale: number) => ({
    width: Math.round(region.width * scale),
    height: Math.round(region.height * scale),
  });
  if (fit === 'fill') return { cut: { ...region }, size: place };
  if (fit === 'outside' || fit === 'none') {
    return { cut: { ...region }, size: scaled(Math.max(across, down)) };
  }
  if (fit !== 'cover') return { cut: { ...region }, size: scaled(Math.min(across, down)) };
  const scale = Math.max(across, down);
  const cut = { ...region, width: place.width / scale, height: place.height / scale };
  return { cut, size: place };
}

async function drawn(region: Rectangle, to: { width: number; height: number }): Promise<Pixels> {
  const { data, width, height } = regionPixels(pixels, region);
  const raw = sharp(data, { raw: { width, height, channels: 3 } });
  return {
    ...to,
    data: await raw
      .resize({ ...to, fit: 'fill' })
      .raw()
      .toBuffer(),
  };
}

test.each(orientations)(
  'with EXIF orientation %i, every form of crop in every fit and position shows its pixels',
  { tags: ['slow'] },
  async (orientation) => {
    const images = await newBuild(emulator, { crops: 'local' });
    const all = crops.flatMap(([name, request, region]) =>
      places.flatMap((place) =>
        fits.flatMap((fit) =>
          // A position matters only if something is cut off.
          positions.slice(fit === 'cover' ? 0 : -1).map(([position, left, top]) => {
            const { cut, size } = expected(region, place, fit);
            cut.x += Math.round((region.width - cut.width) * left);
            cut.y += Math.round((region.height - cut.height) * top);
            const asked = { ...request, ...place, fit, position };
            return {
              name: `${name}, ${place.width} × ${place.height}, ${fit}, ${position}`,
              asked,
              cut,
              size,
            };
          }),
        ),
      ),
    );
    // Each orientation takes the cases that the next one leaves out.
    const cases = someOf(all, orientation % 2 === 0 ? 0 : 1);
    const assets = await Promise.all(
      cases.map(({ asked }) =>
        images.getMediaAsset({
          ...{ id: 4710 + orientation, alt: '', page: '/page/' },
          ...{ format: 'png', densities: [1], ...asked },
        }),
      ),
    );
    const files = await images.publish(...assets);
    for (const [index, { name, cut, size }] of cases.entries()) {
      const shown = await displayedPixels(files.get(assets[index]?.src ?? '') as Uint8Array);
      const { mean } = pixelDifference(shown, await drawn(cut, size));
      expect(mean, name).toBeLessThan(4);
    }
  },
);

/**
 * A gray image with an eye-catching spot, stored with an orientation. No square at an end or in the
 * middle contains the spot.
 */
async function imageWithEye(shape: 'wide' | 'tall', orientation: number): Promise<Buffer> {
  const [width, height, left, top] = shape === 'wide' ? [300, 80, 193, 28] : [80, 300, 28, 193];
  const { data, info } = await sharp({
    create: { width, height, channels: 3, background: '#808080' },
  })
    .composite([
      {
        input: { create: { width: 24, height: 24, channels: 3, background: '#f00000' } },
        ...{ left, top },
      },
    ])
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const stored = storedPixels({ width: info.width, height: info.height, data }, orientation);
  const raw = { width: stored.width, height: stored.height, channels: 3 } as const;
  return sharp(stored.data, { raw }).withMetadata({ orientation }).jpeg().toBuffer();
}

test.each(orientations.flatMap((one) => [['wide', one] as const, ['tall', one] as const]))(
  'in a %s image with EXIF orientation %i, a crop by attention contains what draws the eye',
  async (shape, orientation) => {
    const bytes = await imageWithEye(shape, orientation);
    const scripted = await startScriptedService({
      respond: (response) => void response.writeHead(200).end(bytes),
    });
    const images = await newBuild(scripted, { crops: 'local' });
    const asset = await images.getMediaAsset({
      ...{ id: 1, alt: '', page: '/page/' },
      ...{ aspect: 1, focus: 'attention', format: 'png' },
    });
    const [file = new Uint8Array()] = (await images.publish(asset)).values();
    const { data, width, height } = await displayedPixels(file);
    expect([width, height]).toEqual([80, 80]);
    let red = 0;
    for (let at = 0; at < data.length; at += 3) {
      if ((data[at] ?? 0) > 180 && (data[at + 1] ?? 0) < 80) red += 1;
    }
    expect(red).toBeGreaterThan(24 * 24 * 0.9);
  },
);
