/**
 * Finds the qualities at which JPEG and AVIF equal our WebP, and writes a section of ENCODERS.md. Needs
 * `butteraugli_main` on the PATH (Debian: `libjxl-devtools`):
 * `node bench/equal-quality.ts --photographs <folder>`.
 */
import type { Sharp } from 'sharp';
import { formatFacts } from '../src/assets/formats/output-formats.ts';
import {
  comparePhotographs,
  type Encoded,
  type Measure,
  meanOf,
  metrics,
  tableOf,
  writeEncoders,
} from './image-distance.ts';

/** The longer side, in pixels. */
const longest = 1200;

interface Side {
  readonly name: string;
  readonly qualities: readonly number[];
  readonly ours: number;
  encode(pixels: Sharp, quality: number): Sharp;
}

const { webp, avif, jpeg } = formatFacts;
const webpQuality = webp.defaultQuality ?? 0;

const sides: readonly Side[] = [
  {
    name: 'AVIF, effort 3',
    qualities: [30, 42, 50, 56, 62, 72],
    ours: avif.defaultQuality ?? 0,
    encode: (pixels, quality) => pixels.avif({ quality, effort: avif.effort?.default ?? 0 }),
  },
  {
    name: 'JPEG, progressive',
    qualities: [40, 52, 62, 70, 76, 80, 88],
    ours: jpeg.defaultQuality ?? 0,
    encode: (pixels, quality) => pixels.jpeg({ quality, progressive: true }),
  },
];

const { found, files } = await comparePhotographs('equal-quality.ts', longest, async (measure) => {
  const reference = await measure((pixels) => pixels.webp({ quality: webpQuality }));
  const others: Encoded[][] = [];
  for (const side of sides) others.push(await measureSide(side, measure));
  return { reference, others };
});

const text = `The quality that equals WebP at ${webpQuality}, and the bytes of the file that does, where WebP has 1: means of ${found.length} photographs, ${longest} pixels on the longer side, with straight lines between measurements. The last columns are our default, and its bytes. The photographs aren’t those above.

${tableOf([
  [
    'format',
    'at equal SSIM',
    'at equal butteraugli, worst',
    'at equal butteraugli, 3-norm',
    'default',
    'its bytes',
  ],
  ...sides.map((side, at) => [
    side.name,
    ...metrics.map((metric) => cellOf(equalsOf(at, side, metric))),
    String(side.ours),
    ratioOf(at, side.qualities.indexOf(side.ours)).toFixed(2),
  ]),
])}

The photographs:

${files}`;
await writeEncoders('Equal quality', text);

async function measureSide({ qualities, encode }: Side, measure: Measure): Promise<Encoded[]> {
  const measured: Encoded[] = [];
  for (const quality of qualities)
    measured.push(await measure((pixels) => encode(pixels, quality)));
  return measured;
}

function ratioOf(side: number, quality: number): number {
  return meanOf(
    found.map(({ reference, others }) => (others[side]?.[quality]?.bytes ?? 0) / reference.bytes),
  );
}

/** By photograph. One beyond all measured qualities has the last one: `isOutside`. */
function equalsOf(at: number, { qualities }: Side, metric: (typeof metrics)[number]) {
  return found.map(({ reference, others }) => {
    const measured = others[at] ?? [];
    const isBetter = (one: Encoded) =>
      metric === 'ssim' ? one[metric] >= reference[metric] : one[metric] <= reference[metric];
    const first = measured.findIndex(isBetter);
    const above = first < 0 ? measured.length - 1 : Math.max(1, first);
    const [low, high] = [measured[above - 1], measured[above]] as [Encoded, Encoded];
    const share = (reference[metric] - low[metric]) / (high[metric] - low[metric] || 1);
    const inside = Math.min(1, Math.max(0, share));
    const between = (from = 0, to = 0) => from + inside * (to - from);
    return {
      isOutside: inside !== share,
      quality: between(qualities[above - 1], qualities[above]),
      bytes: between(low.bytes, high.bytes) / reference.bytes,
    };
  });
}

function cellOf(equals: ReturnType<typeof equalsOf>): string {
  const outside = equals.filter(({ isOutside }) => isOutside).length;
  const quality = meanOf(equals.map((one) => one.quality)).toFixed(1);
  const bytes = meanOf(equals.map((one) => one.bytes)).toFixed(2);
  const note = outside > 0 ? ` (${outside} out of range)` : '';
  return `${quality}: ${bytes}${note}`;
}
