import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { drawPhotograph } from '../../../bench/photographs.ts';
import type { MediaAssetRequest } from '../../../src/assets/request/media-asset.ts';
import { startScriptedService } from '../../service/scripted-service.ts';
import { seededRandom } from '../../support/bends/faults/seeded-random.ts';
import { give, newBuild } from '../open-images.ts';

const photograph = await drawPhotograph({
  ...{ width: 3600, height: 2400 },
  random: seededRandom(1, 1),
});
const service = () => startScriptedService({ respond: give(photograph) });

/** Publishes an asset once for each of these, all in one run. Files by what they show: size and format. */
async function publishAll(
  url: { url: string },
  requests: readonly Partial<MediaAssetRequest>[],
): Promise<Map<string, Uint8Array>> {
  const images = await newBuild(url, { crops: 'local' });
  const assets = await Promise.all(requests.map((request) => images.show(1, request)));
  return images.publish(...assets, ...assets.flatMap(({ sources }) => sources));
}

const requests = [300, 1281, 2700].flatMap((width) =>
  (['webp', 'jpeg'] as const).flatMap((format) =>
    [{}, { crop: { x: 360, y: 480, width: 2880, height: 1680 } }].map((crop) => ({
      ...{ width, format, layout: 'none' as const, densities: [1], quality: 40, effort: 0 },
      ...crop,
    })),
  ),
);

test('an image has the same bytes whatever else is made of its original, and in whatever order', async () => {
  const server = await service();
  const alone = new Map<string, Uint8Array>();
  for (const request of requests)
    for (const [url, bytes] of await publishAll(server, [request])) alone.set(url, bytes);
  expect(alone.size).toBe(requests.length);
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(requests, { minLength: 2 }), async (some) => {
      const together = await publishAll(server, some);
      expect(together.size).toBe(some.length);
      for (const [url, bytes] of together)
        expect(Buffer.compare(bytes, alone.get(url) ?? Buffer.of())).toBe(0);
    }),
    { numRuns: 3 },
  );
});

test.each([200, 400, 640, 900, 1280, 1700, 2560])(
  'an image of %i pixels is as good as one that is made of all pixels of its original',
  async (width) => {
    const images = await newBuild(await service());
    const { bytes } = await images.publishOne(1, { width, format: 'png', densities: [1] });
    const made = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    const { data, info } = await sharp(photograph).raw().toBuffer({ resolveWithObject: true });
    const { height } = made.info;
    const ideal = sharp(data, { raw: info }).resize({ width, height, fit: 'fill' });
    expect(decibels(made.data, await ideal.raw().toBuffer())).toBeGreaterThan(45);
  },
);

/** The peak signal-to-noise ratio. */
function decibels(one: Buffer, other: Buffer): number {
  const squares = one.reduce((sum, value, at) => sum + (value - (other[at] ?? 0)) ** 2, 0);
  return 10 * Math.log10((255 ** 2 * one.length) / squares);
}
