import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { type Prove, probeImage } from '../../../src/assets/formats/probe-image.ts';
import type { Rendition } from '../../../src/assets/formats/rendition.ts';
import {
  createProvenPixels,
  decodeSource,
  resizeSource,
} from '../../../src/assets/renditions/make-rendition.ts';
import { sha256 } from '../../../src/storage/digest.ts';
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

test.each(Object.keys(drawings))(
  'of %s, a proof keeps the pixels that a later decoding has, and gives them away once',
  async (name) => {
    const bytes = await imageOf(name);
    const { prove, takePixels } = createProvenPixels();
    const { width, height } = await probe(bytes, prove);
    const rendition: Rendition = {
      ...{ source: { reference: { kind: 'original', id: 4711 }, hash: sha256(bytes) } },
      ...{ corner: { x: 0, y: 0 }, rectangle: { x: 0, y: 0, width, height } },
      ...{ width: 300, height: Math.round((300 * height) / width) },
      recipe: { format: 'avif', quality: 50, animated: false },
    };
    expect(takePixels({ ...rendition, recipe: { ...rendition.recipe, animated: true } })).toBe(
      undefined,
    );
    const kept = await takePixels(rendition);
    const later = await decodeSource(bytes, rendition);
    expect(kept).toMatchObject({ ...later, pixels: { ...later.pixels, data: expect.any(Buffer) } });
    expect(
      Buffer.compare(kept?.pixels?.data ?? Buffer.of(), later.pixels?.data ?? Buffer.of()),
    ).toBe(0);
    expect(takePixels(rendition)).toBe(undefined);
  },
);

const proofs = {
  'that keeps pixels': createProvenPixels().prove,
  'that has no room for pixels': undefined,
};

test.each(
  Object.entries(proofs).flatMap(([proof, prove]) =>
    Object.keys(drawings).map((name) => [name, proof, prove] as const),
  ),
)('%s without its end fails a proof %s', async (name, _, prove) => {
  const bytes = await imageOf(name);
  for (const share of [0.5, 0.99]) {
    const part = bytes.subarray(0, bytes.length * share);
    await expect(probe(part, prove)).rejects.toMatchObject({ code: 'download-not-a-picture' });
  }
});

test('proofs keep pixels while there is room, which renditions and damaged files give back', async () => {
  const images = await Promise.all(
    Array.from({ length: 5 }, (_, seed) => draw({ width: 60, height: 40, seed })),
  );
  const [first, second, third, fourth, last] = images as [Buffer, Buffer, Buffer, Buffer, Buffer];
  const { prove, takePixels } = createProvenPixels(3 * 60 * 40 * 3);
  const isKept = (bytes: Buffer) =>
    takePixels({
      ...{ source: { reference: { kind: 'original', id: 4711 }, hash: sha256(bytes) } },
      ...{ corner: { x: 0, y: 0 }, rectangle: { x: 0, y: 0, width: 60, height: 40 } },
      ...{ width: 30, height: 20, recipe: { format: 'webp', animated: false } },
    }) !== undefined;
  await probe(first, prove);
  await expect(probe(last.subarray(0, -100), prove)).rejects.toThrow();
  for (const bytes of [second, third, fourth]) await probe(bytes, prove);
  expect(isKept(fourth)).toBe(false);
  expect(isKept(first)).toBe(true);
  await probe(last, prove);
  expect([second, third, last].map(isKept)).toEqual([true, true, true]);
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
