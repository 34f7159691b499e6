/**
 * Compares encoders of photographs, and writes ENCODERS.md: `node bench/encoders.ts`. Debian's
 * `butteraugli` adds a column if it is on the PATH.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { machine } from './machine.ts';
import { drawPhotographs } from './photographs.ts';

const count = 20;
/** In pixels. */
const width = 1280;
/** The side of the squares that SSIM compares, in pixels. */
const square = 8;

const encoders: readonly (readonly [name: string, encode: (picture: Sharp) => Sharp])[] = [
  ...[2, 3, 4].map(
    (effort) =>
      [
        `AVIF, quality 60, effort ${effort}`,
        (picture: Sharp) => picture.avif({ quality: 60, effort }),
      ] as const,
  ),
  ['WebP, quality 80, effort 4', (picture) => picture.webp({ quality: 80, effort: 4 })],
];

interface Luma {
  readonly data: Buffer;
  readonly info: { readonly width: number; readonly height: number };
}

const measuredOn = machine();
const folder = await mkdtemp(join(tmpdir(), 'bench-encoders-'));
const hasButteraugli = spawnSync('butteraugli').error === undefined;
const sums = encoders.map(() => ({ milliseconds: 0, bytes: 0, ssim: 0, butteraugli: 0 }));
try {
  const names = await drawPhotographs(folder, { count, seed: 1 });
  const original = join(folder, 'original.png');
  const shown = join(folder, 'shown.png');
  for (const name of names) {
    await sharp(join(folder, name)).resize(width).png({ compressionLevel: 1 }).toFile(original);
    const { data, info } = await sharp(original).raw().toBuffer({ resolveWithObject: true });
    const before = await lumaOf(original);
    for (const [index, [, encode]] of encoders.entries()) {
      const sum = sums[index];
      if (!sum) continue;
      const start = process.cpuUsage();
      const bytes = await encode(sharp(data, { raw: info })).toBuffer();
      const { user, system } = process.cpuUsage(start);
      sum.milliseconds += (user + system) / 1000;
      sum.bytes += bytes.length;
      sum.ssim += ssim(before, await lumaOf(bytes));
      if (!hasButteraugli) continue;
      await sharp(bytes).png({ compressionLevel: 1 }).toFile(shown);
      sum.butteraugli += Number(
        spawnSync('butteraugli', [original, shown], { encoding: 'utf8' }).stdout,
      );
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

const rows = sums.map(({ milliseconds, bytes, ssim, butteraugli }, index) => [
  encoders[index]?.[0] ?? '',
  `${Math.round(milliseconds / count)} ms`,
  `${(bytes / count / 1000).toFixed(1)} kB`,
  (ssim / count).toFixed(4),
  hasButteraugli ? (butteraugli / count).toFixed(2) : 'not measured',
]);
const table = [
  ['encoder', 'processor time', 'size', 'SSIM', 'butteraugli'],
  ['---', '---', '---', '---', '---'],
  ...rows,
]
  .map((cells) => `| ${cells.join(' | ')} |`)
  .join('\n');
const text = `# Encoders

Means of ${count} photographs, ${width} pixels wide, as \`photographs.ts\` draws them with seed 1: generated images with the detail of photographs, not photographs of a camera. A higher SSIM (of luma, in squares of ${square} pixels) is better, and a lower distance of butteraugli.

${measuredOn}. \`node bench/encoders.ts\` writes this file.

${table}
`;
await writeFile(new URL('ENCODERS.md', import.meta.url), text);
console.log(text);

function lumaOf(picture: Buffer | string): Promise<Luma> {
  return sharp(picture).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
}

/** Structural similarity (Wang et al., 2004), the mean of squares that do not overlap. */
function ssim(one: Luma, other: Luma): number {
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
