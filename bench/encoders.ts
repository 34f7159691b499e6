/**
 * Compares AVIF settings on photographs, and writes a section of ENCODERS.md. Needs `butteraugli_main`
 * on the PATH (Debian: `libjxl-devtools`): `node bench/encoders.ts --photographs <folder>`.
 */
import type { AvifOptions } from 'sharp';
import {
  comparePhotographs,
  type Encoded,
  type Measure,
  meanOf,
  metrics,
  square,
  tableOf,
  writeEncoders,
} from './image-distance.ts';
import { machine } from './machine.ts';

/** The longer side, in pixels. */
const longest = 1200;
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

const measuredOn = machine();
/** By photograph, encoder and quality. */
const { found: results, files } = await comparePhotographs('encoders.ts', longest, measureAll);
const text = `AVIF of ${results.length} photographs, ${longest} pixels on the longer side. The first columns are means at \`quality\` ${shownQuality}. A higher SSIM is better. It compares luma in squares of ${square} pixels. A lower distance of butteraugli is better. Libjxl’s \`butteraugli_main\` measures it at the worst spot, and as the 3-norm of the whole image.

The last columns say how many more bytes an encoder takes than the first one for the same image. They are means over the photographs and over the range that both reach with \`quality\` ${qualities.join(', ')}: Bjøntegaard’s rate difference, with straight lines between measurements.

${measuredOn}. \`node bench/encoders.ts\` writes this section.

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

The photographs:

${files}`;
await writeEncoders('AVIF settings', text);

/** By encoder and quality. */
async function measureAll(measure: Measure): Promise<Encoded[][]> {
  const all: Encoded[][] = [];
  for (const { options } of encoders) {
    const encoded: Encoded[] = [];
    for (const quality of qualities)
      encoded.push(await measure((pixels) => pixels.avif({ quality, ...options })));
    all.push(encoded);
  }
  return all;
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
