import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { seededRandom } from '../test/support/bends/faults/seeded-random.ts';

/** How much darker or lighter the parts of the coarsest scale are, of 255 levels. */
const contrast = 22;
/** The remaining part of that on a scale twice as fine. */
const falloff = 0.8;
/** The noise of a sensor: its standard deviation, of 255 levels. */
const grain = 2;
const quality = 88;

type Random = () => number;

/** Draws photographs of 8 to 23 megapixels into a folder. Returns their file names. */
export async function drawPhotographs(
  folder: string,
  { count, seed }: { count: number; seed: number },
): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const random = seededRandom(seed, 1);
  const names: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const megapixels = 8 + (15 * index) / Math.max(1, count - 1);
    const height = Math.round(Math.sqrt((megapixels * 1e6) / 1.5));
    const name = `photograph-${String(index).padStart(2, '0')}.jpg`;
    await writeFile(
      join(folder, name),
      await drawPhotograph({ width: Math.round(height * 1.5), height, random }),
    );
    names.push(name);
  }
  return names;
}

/**
 * An image with as much detail on each scale as photographs, in which it's nearly the same on all
 * scales. It has busy and calm parts, and a sensor's noise. It takes 1.2 to 1.7 bits per pixel, as the
 * JPEGs that editors upload usually do, so decoding and encoding cost as much as for a photograph.
 */
export async function drawPhotograph({
  width,
  height,
  random,
}: {
  width: number;
  height: number;
  random: Random;
}): Promise<Buffer> {
  const noise = drawNoise(random);
  const [first, ...finer] = scales(width, height);
  let scale = first;
  let pixels = Buffer.from(
    Array.from({ length: scale.width * scale.height * 3 }, () => 70 + 116 * random()),
  );
  let amount = contrast;
  for (const [level, next] of finer.entries()) {
    pixels = await sharp(pixels, { raw: { ...scale, channels: 3 } })
      .resize({ ...next, fit: 'fill', kernel: 'cubic' })
      .raw()
      .toBuffer();
    scale = next;
    amount *= falloff;
    const isFinest = level === finer.length - 1;
    addDetail(pixels, { ...scale, amount, grain: isFinest ? grain : 0, noise, random });
  }
  return sharp(pixels, { raw: { ...scale, channels: 3 } })
    .jpeg({ quality })
    .toBuffer();
}

/** From at most 8 pixels to the full size, each twice as fine as the one before. */
function scales(width: number, height: number): [Scale, ...Scale[]] {
  const finest = { width, height };
  if (Math.max(width, height) <= 8) return [finest];
  return [...scales(Math.ceil(width / 2), Math.ceil(height / 2)), finest] as [Scale, ...Scale[]];
}

interface Scale {
  readonly width: number;
  readonly height: number;
}

/** Blue parts are busy, others are calm. */
function addDetail(
  pixels: Buffer,
  {
    width,
    height,
    amount,
    grain,
    noise,
    random,
  }: Scale & { amount: number; grain: number; noise: Float32Array; random: Random },
): void {
  const colour = width < 200 ? 0.5 : 0.15;
  for (let row = 0; row < height; row += 1) {
    const light = Math.floor(random() * noise.length);
    const hue = Math.floor(random() * noise.length);
    for (let column = 0; column < width; column += 1) {
      const at = (row * width + column) * 3;
      const busy = Math.max(0, ((pixels[at + 2] ?? 0) - 60) / 90) * amount;
      const lighter = noiseAt(noise, light + column) * (busy + grain);
      const warmer = noiseAt(noise, hue + column) * busy * colour;
      pixels[at] = within((pixels[at] ?? 0) + lighter + warmer);
      pixels[at + 1] = within((pixels[at + 1] ?? 0) + lighter);
      pixels[at + 2] = within((pixels[at + 2] ?? 0) + 0.9 * lighter - warmer);
    }
  }
}

/** Almost normally distributed: each is the sum of six. One for each pixel would take too long. */
function drawNoise(random: Random): Float32Array {
  return new Float32Array(2 ** 16).map(() => {
    let sum = 0;
    for (let index = 0; index < 6; index += 1) sum += random();
    return (sum - 3) * Math.SQRT2;
  });
}

function noiseAt(noise: Float32Array, at: number): number {
  return noise[at % noise.length] ?? 0;
}

function within(level: number): number {
  return Math.min(255, Math.max(0, level));
}

/** Files with different bytes and the same small image, for cases that only need their number. */
export async function drawCopies(folder: string, count: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const picture = await drawPhotograph({ width: 1200, height: 800, random: seededRandom(1, 1) });
  for (let index = 0; index < count; index += 1) {
    const text = Buffer.from(`copy ${index}`);
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, text.length + 2]), text]);
    const bytes = Buffer.concat([picture.subarray(0, 2), comment, picture.subarray(2)]);
    await writeFile(join(folder, `copy-${String(index).padStart(4, '0')}.jpg`), bytes);
  }
}
