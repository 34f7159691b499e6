import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { seededRandom } from '../src/emulator/seeded-random.ts';

/** Draws photographs of 8 to 15 megapixels into a folder; their file names. */
export async function drawPhotographs(
  folder: string,
  { count, seed }: { count: number; seed: number },
): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const random = seededRandom(seed, 1);
  const names: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const megapixels = 8 + (7 * index) / Math.max(1, count - 1);
    const height = Math.round(Math.sqrt((megapixels * 1e6) / 1.5));
    const name = `photograph-${String(index).padStart(2, '0')}.jpg`;
    await writeFile(
      join(folder, name),
      await draw({ width: Math.round(height * 1.5), height, random }),
    );
    names.push(name);
  }
  return names;
}

/** Clouds of colour in three sizes and some grain: it encodes about as a photograph does. */
async function draw({
  width,
  height,
  random,
}: {
  width: number;
  height: number;
  random: () => number;
}): Promise<Buffer> {
  const layers = await Promise.all(
    [8, 60, 500].map(async (across) => {
      const down = Math.ceil(across / 1.5);
      const data = Buffer.from(Array.from({ length: across * down * 3 }, () => random() * 256));
      const clouds = sharp(data, { raw: { width: across, height: down, channels: 3 } });
      return clouds.resize(width, height, { fit: 'fill', kernel: 'cubic' }).png().toBuffer();
    }),
  );
  const [base, ...finer] = layers;
  return sharp(base)
    .composite(finer.map((input) => ({ input, blend: 'soft-light' })))
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** Files of other bytes that show the same small picture: enough where only their number matters. */
export async function drawCopies(folder: string, count: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const picture = await draw({ width: 1200, height: 800, random: seededRandom(1, 1) });
  for (let index = 0; index < count; index += 1) {
    const text = Buffer.from(`copy ${index}`);
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, text.length + 2]), text]);
    const bytes = Buffer.concat([picture.subarray(0, 2), comment, picture.subarray(2)]);
    await writeFile(join(folder, `copy-${String(index).padStart(4, '0')}.jpg`), bytes);
  }
}
