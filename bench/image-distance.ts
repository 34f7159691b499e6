/** How far encoded photographs are from what they were made of, for ENCODERS.md. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import fastGlob from 'fast-glob';
import sharp, { type Sharp } from 'sharp';
import { replaceSections } from './replace-sections.ts';

export const metrics = ['ssim', 'worst', 'mean'] as const;

export type Encoded = Readonly<Record<'milliseconds' | 'bytes' | (typeof metrics)[number], number>>;

/** Makes an image of the pixels, and measures it. */
export type Measure = (encode: (pixels: Sharp) => Sharp) => Promise<Encoded>;

const sections = ['AVIF settings', 'Equal quality'];

/**
 * Compares encodings of the photographs in the folder that `--photographs` names.
 *
 * @param longest the longer side, in pixels, and at most 0.7 of a photograph's own: that hides what its
 * JPEG has lost
 * @returns what was found of each, and a table of the files
 */
export async function comparePhotographs<Found>(
  name: string,
  longest: number,
  compare: (measure: Measure) => Promise<Found>,
): Promise<{ found: Found[]; files: string }> {
  const { photographs } = new Command(`node bench/${name}`)
    .requiredOption('--photographs <folder>', 'JPEGs of a camera, also in folders of their own')
    .parse()
    .opts<{ photographs: string }>();
  const paths = (await fastGlob('**/*.jpg', { cwd: photographs })).sort();
  const work = await mkdtemp(join(tmpdir(), 'bench-encoders-'));
  const found: Found[] = [];
  const rows: string[][] = [];
  try {
    for (const path of paths) {
      const bytes = await readFile(join(photographs, path));
      rows.push([path, createHash('sha256').update(bytes).digest('hex')]);
      found.push(await compare(await openMeasure(bytes, longest, work)));
      console.error(`${found.length} of ${paths.length}: ${path}`);
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return { found, files: tableOf([['file', 'SHA-256'], ...rows]) };
}

/** Writes a section of ENCODERS.md. */
export async function writeEncoders(name: string, text: string): Promise<void> {
  const file = new URL('ENCODERS.md', import.meta.url);
  const section = `## ${name}\n\n${text}`;
  const all = replaceSections(await readFile(file, 'utf8'), new Map([[name, section]]), sections);
  await writeFile(file, all);
  console.log(section);
}

async function openMeasure(photograph: Buffer, longest: number, work: string): Promise<Measure> {
  const before = join(work, 'before.png');
  const after = join(work, 'after.png');
  const { width, height } = await sharp(photograph).metadata();
  const side = Math.min(longest, Math.round(0.7 * Math.max(width, height)));
  await sharp(photograph)
    .autoOrient()
    .resize(side, side, { fit: 'inside' })
    .png({ compressionLevel: 1 })
    .toFile(before);
  const { data, info } = await sharp(before).raw().toBuffer({ resolveWithObject: true });
  const luma = await lumaOf(before);
  return async (encode) => {
    const start = process.cpuUsage();
    const bytes = await encode(sharp(data, { raw: info })).toBuffer();
    const { user, system } = process.cpuUsage(start);
    await sharp(bytes).png({ compressionLevel: 1 }).toFile(after);
    const [worst, mean] = butteraugli(before, after);
    const ssim = similarity(luma, await lumaOf(bytes));
    return { milliseconds: (user + system) / 1000, bytes: bytes.length, ssim, worst, mean };
  };
}

/** The side of the squares that SSIM compares, in pixels. */
export const square = 8;

/** The distance at the worst spot, and the 3-norm of all. */
function butteraugli(before: string, after: string): [number, number] {
  const printed = execFileSync('butteraugli_main', [before, after], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [worst, norm] = printed.match(/[\d.]+$/gm) ?? [];
  return [Number(worst), Number(norm)];
}

interface Luma {
  readonly data: Buffer;
  readonly info: { readonly width: number; readonly height: number };
}

function lumaOf(picture: Buffer | string): Promise<Luma> {
  return sharp(picture).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
}

/** Structural similarity (Wang et al., 2004), the mean of squares that don't overlap. */
function similarity(one: Luma, other: Luma): number {
  const { width, height } = one.info;
  const n = square ** 2;
  let total = 0;
  let squares = 0;
  for (let top = 0; top + square <= height; top += square) {
    for (let left = 0; left + square <= width; left += square) {
      let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0];
      for (let at = 0; at < n; at += 1) {
        const pixel = (top + Math.floor(at / square)) * width + left + (at % square);
        const x = one.data[pixel] ?? 0;
        const y = other.data[pixel] ?? 0;
        a += x;
        b += y;
        aa += x * x;
        bb += y * y;
        ab += x * y;
      }
      const [meanA, meanB] = [a / n, b / n];
      const spread = aa / n - meanA ** 2 + bb / n - meanB ** 2;
      const shared = ab / n - meanA * meanB;
      const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];
      total +=
        ((2 * meanA * meanB + c1) * (2 * shared + c2)) /
        ((meanA ** 2 + meanB ** 2 + c1) * (spread + c2));
      squares += 1;
    }
  }
  return total / squares;
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function tableOf([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
