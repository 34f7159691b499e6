import { readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { type Prove, probeImage } from '../../../src/assets/formats/probe-image.ts';
import type { Rendition } from '../../../src/assets/formats/rendition.ts';
import { decodeSource, resizeSource } from '../../../src/assets/renditions/make-rendition.ts';
import { createProvenPixels } from '../../../src/assets/renditions/proven-pixels.ts';
import { sha256 } from '../../../src/storage/digest.ts';
import { seededRandom } from '../../support/bends/faults/seeded-random.ts';
import { drawTestImage, type TestImage } from '../../support/images/test-images.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

const draw = (image: Partial<TestImage> = {}) =>
  drawTestImage({ path: 'a.png', width: 2600, height: 1000, ...image });
const png = await draw();
const drawn = async () => sharp(png);

const drawings: Record<string, () => Promise<Buffer>> = {
  'a baseline JPEG': async () => (await drawn()).jpeg().toBuffer(),
  'a progressive JPEG': async () => (await drawn()).jpeg({ progressive: true }).toBuffer(),
  'a turned JPEG': () => draw({ path: 'a.jpg', orientation: 6 }),
  'a gray JPEG': async () => (await drawn()).toColourspace('b-w').jpeg().toBuffer(),
  'a JPEG in CMYK': async () => (await drawn()).toColourspace('cmyk').jpeg().toBuffer(),
  'a JPEG in Display P3': async () => (await drawn()).withIccProfile('p3').jpeg().toBuffer(),
  'a PNG': async () => png,
  'an interlaced PNG': async () => (await drawn()).png({ progressive: true }).toBuffer(),
  'a transparent PNG': async () => (await drawn()).ensureAlpha(0.5).png().toBuffer(),
  'a WebP': async () => (await drawn()).webp().toBuffer(),
  'an AVIF': () => draw({ path: 'a.avif', width: 1400, height: 300 }),
  'a GIF': () => draw({ path: 'a.gif', width: 900, height: 350 }),
  'a TIFF': () => draw({ path: 'a.tiff' }),
  'a small JPEG': () => draw({ path: 'a.jpg', width: 300, height: 200 }),
};
const drawnOnce = new Map<string, Promise<Buffer>>();
function imageOf(name: string): Promise<Buffer> {
  const image = drawnOnce.get(name) ?? drawings[name]?.();
  if (!image) throw new Error(`There is no ${name}.`);
  drawnOnce.set(name, image);
  return image;
}

async function probe(bytes: Uint8Array, prove?: Prove) {
  const file = join(await temporaryFolder('proof'), 'original');
  await writeFile(file, bytes);
  return probeImage(file, 'asset 4711', prove?.(sha256(bytes)));
}

function renditionOf(bytes: Buffer, size: { width: number; height: number }): Rendition {
  const { width, height } = size;
  return {
    ...{ source: { reference: { kind: 'original', id: 4711 }, hash: sha256(bytes) } },
    ...{ corner: { x: 0, y: 0 }, rectangle: { x: 0, y: 0, width, height } },
    ...{ width: 300, height: Math.round((300 * height) / width) },
    recipe: { format: 'avif', quality: 50, animated: false },
  };
}

/** Expects that the pixels which wait are those of a later decoding. */
async function expectKept(
  kept: Awaited<ReturnType<typeof decodeSource>> | undefined,
  of: Buffer,
  rendition: Rendition,
) {
  const later = await decodeSource(of, rendition);
  expect(kept).toMatchObject({ ...later, pixels: { ...later.pixels, data: expect.any(Buffer) } });
  const [one, other] = [kept?.pixels?.data ?? Buffer.of(), later.pixels?.data ?? Buffer.of(1)];
  expect(Buffer.compare(one, other)).toBe(0);
}

test.each(Object.keys(drawings))(
  'of %s, a proof keeps the pixels that a later decoding has, and gives them away once',
  async (name) => {
    const bytes = await imageOf(name);
    const folder = await temporaryFolder('pixels');
    const { prove, takePixels } = createProvenPixels(folder, 1);
    const rendition = renditionOf(bytes, await probe(bytes, prove));
    const { recipe } = rendition;
    expect(await takePixels({ ...rendition, recipe: { ...recipe, animated: true } })).toBe(
      undefined,
    );
    await expectKept(await takePixels(rendition), bytes, rendition);
    expect(await takePixels(rendition)).toBe(undefined);
    expect(await readdir(folder)).toEqual([]);
  },
);

test.each(
  Object.keys(drawings).flatMap(
    (name) =>
      [
        [name, 'that keeps pixels', 1],
        [name, 'that has no room for pixels', 0],
      ] as const,
  ),
)('%s without its end fails a proof %s', async (name, _, mostKept) => {
  const bytes = await imageOf(name);
  const { prove } = createProvenPixels(await temporaryFolder('pixels'), mostKept);
  for (const share of [0.5, 0.99]) {
    const part = bytes.subarray(0, bytes.length * share);
    await expect(probe(part, prove)).rejects.toMatchObject({ code: 'download-not-a-picture' });
  }
});

describe('of many images', () => {
  const size = { width: 60, height: 40 };
  const drawMany = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, seed) => draw({ ...size, seed })));

  test('pixels wait while there is room, which renditions and damaged files give back', async () => {
    const [last = png, ...images] = await drawMany(5);
    const folder = await temporaryFolder('pixels');
    const { prove, takePixels, clear } = createProvenPixels(folder, 3);
    const isKept = async (bytes: Buffer) =>
      (await takePixels(renditionOf(bytes, size))) !== undefined;
    await expect(probe(last.subarray(0, -100), prove)).rejects.toThrow();
    for (const bytes of images) await probe(bytes, prove);
    const [first = png, second = png, third = png, fourth = png] = images;
    expect(await isKept(fourth)).toBe(false);
    expect(await isKept(first)).toBe(true);
    await probe(last, prove);
    for (const bytes of [second, third]) expect(await isKept(bytes)).toBe(true);
    expect(await readdir(folder)).toHaveLength(1);
    await clear();
    expect(await readdir(folder)).toEqual([]);
    expect(await isKept(last)).toBe(false);
  });

  test('pixels are never those of another image, whoever asks and when', async () => {
    const images = await drawMany(8);
    const folder = await temporaryFolder('pixels');
    const { prove, takePixels, clear } = createProvenPixels(folder, 4);
    const ask = async (bytes: Buffer) => {
      const rendition = renditionOf(bytes, size);
      const kept = await takePixels(rendition);
      if (kept) await expectKept(kept, bytes, rendition);
      return kept !== undefined;
    };
    const order = seededRandom(1, 1);
    const any = () => images[Math.floor(order() * images.length)] ?? png;
    // Two assets can have the same bytes, and ask while the others are still decoded.
    const asked = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const bytes = any();
        await Promise.all([probe(bytes, prove), ask(any())]);
        return ask(bytes);
      }),
    );
    expect(asked).toContain(true);
    await clear();
    expect(await readdir(folder)).toEqual([]);
  });

  test("what the disk doesn't take, or has lost, is decoded again", async () => {
    const [bytes = png] = await drawMany(1);
    const folder = await temporaryFolder('pixels');
    const noFolder = join(folder, 'file');
    await writeFile(noFolder, '');
    const unwritable = createProvenPixels(noFolder, 1);
    await probe(bytes, unwritable.prove);
    expect(await unwritable.takePixels(renditionOf(bytes, size))).toBe(undefined);

    for (const damage of [truncate, (path: string) => rm(path)]) {
      const { prove, takePixels } = createProvenPixels(join(folder, 'pixels'), 1);
      await probe(bytes, prove);
      const [name = ''] = await readdir(join(folder, 'pixels'));
      await damage(join(folder, 'pixels', name));
      expect(await takePixels(renditionOf(bytes, size))).toBe(undefined);
    }
  });
});

test.each([
  { width: 400, height: 1 },
  { width: 500, height: 2 },
])('the pixels of a strip are resized if only one side differs: %o', async (size) => {
  const data = Buffer.alloc(500 * 3, 127);
  const strip = { data, width: 500, height: 1, channels: 3, wide: false } as const;
  const source = { pixels: strip, credit: undefined };
  expect((await resizeSource(source, size)).pixels).toMatchObject(size);
  expect(await resizeSource(source, { width: 500, height: 1 })).toBe(source);
});
