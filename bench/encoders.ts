/**
 * Compares AVIF settings on photographs, and writes ENCODERS.md. Needs `butteraugli_main` on the
 * PATH (Debian: `libjxl-devtools`): `node bench/encoders.ts --photographs <folder>`.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import fastGlob from 'fast-glob';
import sharp, { type AvifOptions } from 'sharp';
import { machine } from './machine.ts';

const { photographs: folder } = new Command('node bench/encoders.ts')
  .requiredOption('--photographs <folder>', 'JPEGs of a camera, also in folders of their own')
  .parse()
  .opts<{ photographs: string }>();

/** The longer side, in pixels. */
const longest = 1200;
/** The side of the squares that SSIM compares, in pixels. */
const square = 8;
const qualities = [50, 60, 70];
/** The quality of the first columns. All of them are used to compare sizes at equal images. */
const shownQuality = 60;

interface Encoder {
  readonly name: string;
  readonly options: AvifOptions;
}

/** The sizes of the others are compared with those of the first. */
const encoders: readonly Encoder[] = [
  { name: 'effort 4', options: { effort: 4 } },
  { name: 'effort 3', options: { effort: 3 } },
  { name: 'effort 2', options: { effort: 2 } },
  { name: 'effort 3, 4:2:0', options: { effort: 3, chromaSubsampling: '4:2:0' } },
];

/** The qualities of AVIF that are compared with our WebP. */
const nearWebp = [46, 50, 54, 58, 62];
const webpQuality = 80;

const metrics = ['ssim', 'worst', 'mean'] as const;

type Encoded = Readonly<Record<'milliseconds' | 'bytes' | (typeof metrics)[number], number>>;

const measuredOn = machine();
const work = await mkdtemp(join(tmpdir(), 'bench-encoders-'));
const paths = (await fastGlob('**/*.jpg', { cwd: folder })).sort();
const hashes: string[] = [];
/** By photograph, encoder and quality. */
const results: Encoded[][][] = [];
/** By photograph: WebP, then AVIF of our effort in all qualities near it. */
const besideWebp: (readonly [webp: Encoded, avif: readonly Encoded[]])[] = [];
try {
  for (const path of paths) {
    const bytes = await readFile(join(folder, path));
    hashes.push(createHash('sha256').update(bytes).digest('hex'));
    results.push(await compareEncoders(bytes));
    console.error(`${results.length} of ${paths.length}: ${path}`);
  }
} finally {
  await rm(work, { recursive: true, force: true });
}
const text = `# Encoders

AVIF of ${paths.length} photographs, ${longest} pixels on the longer side. The first columns are means at \`quality\` ${shownQuality}. A higher SSIM is better. It compares luma in squares of ${square} pixels. A lower distance of butteraugli is better. Libjxl’s \`butteraugli_main\` measures it at the worst spot, and as the 3-norm of the whole image.

The last columns say how many more bytes an encoder takes than the first one for the same image. They are means over the photographs and over the range that both reach with \`quality\` ${qualities.join(', ')}: Bjøntegaard’s rate difference, with straight lines between measurements.

${measuredOn}. \`node bench/encoders.ts\` writes this file.

${tableOf([
  [
    'AVIF',
    'processor time',
    'size',
    'SSIM',
    'butteraugli, worst',
    'butteraugli, 3-norm',
    'bytes at equal SSIM',
    'at equal butteraugli, worst',
    'at equal butteraugli, 3-norm',
  ],
  ...encoders.map(({ name }, index) => [name, ...figuresOf(index)]),
])}

## AVIF next to WebP

The quality of AVIF at effort 3 that equals WebP at ${webpQuality}, the mean over the photographs, with straight lines between ${nearWebp.join(', ')}; then the bytes of these qualities, where WebP has 1.

${tableOf([
  [
    'at equal SSIM',
    'at equal butteraugli, worst',
    'at equal butteraugli, 3-norm',
    ...nearWebp.map(String),
  ],
  [
    ...metrics.map(equalQuality),
    ...nearWebp.map((_, at) =>
      meanOf(besideWebp.map(([webp, avif]) => (avif[at]?.bytes ?? 0) / webp.bytes)).toFixed(2),
    ),
  ],
])}

## Photographs

${tableOf([['file', 'SHA-256'], ...paths.map((path, index) => [path, hashes[index] ?? ''])])}
`;
await writeFile(new URL('ENCODERS.md', import.meta.url), text);
console.log(text);

/** By encoder and quality. */
async function compareEncoders(photograph: Buffer): Promise<Encoded[][]> {
  const before = join(work, 'before.png');
  const after = join(work, 'after.png');
  await sharp(photograph)
    .autoOrient()
    .resize(longest, longest, { fit: 'inside' })
    .png({ compressionLevel: 1 })
    .toFile(before);
  const { data, info } = await sharp(before).raw().toBuffer({ resolveWithObject: true });
  const luma = await lumaOf(before);
  async function measure(encode: () => Promise<Buffer>): Promise<Encoded> {
    const start = process.cpuUsage();
    const bytes = await encode();
    const { user, system } = process.cpuUsage(start);
    await sharp(bytes).png({ compressionLevel: 1 }).toFile(after);
    const [worst, mean] = butteraugli(before, after);
    const ssim = similarity(luma, await lumaOf(bytes));
    return { milliseconds: (user + system) / 1000, bytes: bytes.length, ssim, worst, mean };
  }
  const pixels = () => sharp(data, { raw: info });
  const measureAll = async (of: readonly number[], options: AvifOptions) => {
    const measured: Encoded[] = [];
    for (const quality of of)
      measured.push(
        await measure(() =>
          pixels()
            .avif({ quality, ...options })
            .toBuffer(),
        ),
      );
    return measured;
  };
  const webp = await measure(() => pixels().webp({ quality: webpQuality }).toBuffer());
  besideWebp.push([webp, await measureAll(nearWebp, { effort: 3 })]);
  const encoded: Encoded[][] = [];
  for (const { options } of encoders) encoded.push(await measureAll(qualities, options));
  return encoded;
}

/** The quality at which AVIF reaches WebP's value of a metric, the mean over all photographs. */
function equalQuality(metric: (typeof metrics)[number]): string {
  const found = besideWebp.map(([webp, avif]) => {
    const isBetter = (one: Encoded) =>
      metric === 'ssim' ? one[metric] >= webp[metric] : one[metric] <= webp[metric];
    const first = avif.findIndex(isBetter);
    const above = first < 0 ? avif.length - 1 : Math.max(1, first);
    const [low, high] = [avif[above - 1], avif[above]] as [Encoded, Encoded];
    const share = (webp[metric] - low[metric]) / (high[metric] - low[metric] || 1);
    const [from = 0, to = 0] = [nearWebp[above - 1], nearWebp[above]];
    return from + share * (to - from);
  });
  return meanOf(found).toFixed(1);
}

function figuresOf(encoder: number): string[] {
  const mean = (figure: keyof Encoded) =>
    meanOf(results.map((one) => one[encoder]?.[qualities.indexOf(shownQuality)]?.[figure] ?? 0));
  const more = metrics.map((metric) =>
    meanOf(results.map((one) => rateDifference(one[0] ?? [], one[encoder] ?? [], metric))),
  );
  return [
    `${Math.round(mean('milliseconds'))} ms`,
    `${(mean('bytes') / 1000).toFixed(1)} kB`,
    mean('ssim').toFixed(4),
    mean('worst').toFixed(2),
    mean('mean').toFixed(3),
    ...more.map((ratio) => (encoder === 0 ? '' : `${(100 * Math.expm1(ratio)).toFixed(1)} %`)),
  ];
}

/** The mean logarithm of how much larger the other's files are at equal values of a metric. */
function rateDifference(
  one: readonly Encoded[],
  other: readonly Encoded[],
  metric: (typeof metrics)[number],
): number {
  const values = [one, other].map((encoded) => encoded.map((each) => each[metric]));
  const from = Math.max(...values.map((each) => Math.min(...each)));
  const to = Math.min(...values.map((each) => Math.max(...each)));
  const steps = Array.from({ length: 21 }, (_, step) => from + ((to - from) * step) / 20);
  return meanOf(steps.map((at) => sizeAt(other, metric, at) - sizeAt(one, metric, at)));
}

/** The logarithm of the size, in bytes, at which an encoder reaches a value. */
function sizeAt(
  encoded: readonly Encoded[],
  metric: (typeof metrics)[number],
  value: number,
): number {
  const sorted = [...encoded].sort((one, other) => one[metric] - other[metric]);
  const above = Math.max(
    1,
    sorted.findIndex((each) => each[metric] >= value),
  );
  const [low, high] = [sorted[above - 1], sorted[above]] as [Encoded, Encoded];
  const share = (value - low[metric]) / (high[metric] - low[metric] || 1);
  return Math.log(low.bytes) + share * Math.log(high.bytes / low.bytes);
}

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

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function tableOf([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
