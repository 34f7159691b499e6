/**
 * Measures how often a changed original counts wrongly as the same image or as another one, and writes
 * CHANGED-IMAGES.md: `node bench/changed-images.ts --photographs <folder> --series <folder>`. The second
 * folder has one folder of images for each series. README.md says where both can come from.
 */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import sharp, { type Sharp } from 'sharp';
import type { Rectangle } from '../src/assets/geometry/rectangle.ts';
import { compareOriginals, takeFingerprint } from '../src/assets/renditions/compare-originals.ts';
import { seededRandom } from '../test/support/bends/faults/seeded-random.ts';

/** The longer side of what's compared, in pixels. */
const longest = 1000;
/** The changes of each photograph that leave it the same image. */
const changesOfEach = 7;
/** The mean difference in a crop, of 255 levels, below which no one sees that a frame is another one. */
const visible = 4;

const options = new Command('node bench/changed-images.ts')
  .requiredOption('--photographs <folder>', 'images of different subjects')
  .requiredOption('--series <folder>', 'folders of frames')
  .option('--seed <number>', 'seed of crops and changes', Number, 3)
  .parse()
  .opts<{ photographs: string; series: string; seed: number }>();

const random = seededRandom(options.seed, 57);
const between = (low: number, high: number) => low + random() * (high - low);

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Buffer;
}

const open = ({ data, width, height }: Pixels) =>
  sharp(data, { raw: { width, height, channels: 3 } });

async function toPixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

const load = (path: string) =>
  toPixels(sharp(path).autoOrient().resize(longest, longest, { fit: 'inside' }));

const encode = (image: Sharp, quality = 60) => image.jpeg({ quality }).toBuffer();

/** A part in fractions. */
function cut(pixels: Pixels, { x, y, width, height }: Rectangle): Promise<Pixels> {
  const left = Math.round(x * pixels.width);
  const top = Math.round(y * pixels.height);
  const size = {
    width: Math.min(pixels.width - left, Math.round(width * pixels.width)),
    height: Math.min(pixels.height - top, Math.round(height * pixels.height)),
  };
  return toPixels(open(pixels).extract({ left, top, ...size }));
}

/** Without a part of each side. */
const inner = (left: number, top: number, right: number, bottom: number): Rectangle => ({
  ...{ x: left, y: top, width: 1 - left - right, height: 1 - top - bottom },
});

const upTo5 = () => inner(between(0, 0.05), between(0, 0.05), between(0, 0.05), between(0, 0.05));

const lightened = async (pixels: Pixels, least: number, most: number) =>
  encode(open(pixels).modulate({ brightness: between(least, most) }));

async function contrasted(pixels: Pixels, least: number, most: number) {
  const factor = between(least, most);
  return encode(open(pixels).linear(factor, 128 * (1 - factor)));
}

/** What leaves it the same image. */
const changes: Readonly<Record<string, (pixels: Pixels) => Promise<Buffer>>> = {
  'encoded with quality 30': (pixels) => encode(open(pixels), 30),
  'scaled to 35 %': (pixels) => encode(open(pixels).resize(Math.round(0.35 * pixels.width))),
  'lighter by 15 to 40 %': (pixels) => lightened(pixels, 1.15, 1.4),
  'darker by 15 to 45 %': (pixels) => lightened(pixels, 0.55, 0.85),
  'more contrast': (pixels) => contrasted(pixels, 1.2, 1.5),
  'less contrast': (pixels) => contrasted(pixels, 0.5, 0.8),
  'another gamma': (pixels) => encode(open(pixels).gamma(between(1.3, 1.8), 1)),
  'another white balance': (pixels) => {
    const factor = between(0.75, 0.95);
    return encode(open(pixels).linear([1 / factor, 1, factor], [0, 0, 0]));
  },
  'more saturation': (pixels) => encode(open(pixels).modulate({ saturation: between(1.3, 1.8) })),
  'black and white': (pixels) => encode(open(pixels).modulate({ saturation: 0 })),
  sharpened: (pixels) => encode(open(pixels).sharpen({ sigma: 1.5 })),
  'one side cut by 5 %': async (pixels) => {
    const sides = [0, 0, 0, 0].with(Math.floor(random() * 4), 0.05) as [
      number,
      number,
      number,
      number,
    ];
    return encode(open(await cut(pixels, inner(...sides))));
  },
  'all sides cut by up to 5 %': async (pixels) => encode(open(await cut(pixels, upTo5()))),
  'cut, corrected and scaled': async (pixels) => {
    const part = await cut(pixels, upTo5());
    const factors = [0, 0, 0].map(() => between(0.85, 1.2));
    return encode(
      open(part)
        .resize(Math.round(0.6 * part.width))
        .linear(factors, [0, 0, 0]),
    );
  },
};

/** What makes it another image. `others` are of other subjects. */
const replacements: Readonly<
  Record<string, (pixels: Pixels, crop: Rectangle, others: readonly Pixels[]) => Promise<Pixels[]>>
> = {
  'another subject': async (pixels, _, [other = pixels]) => [
    pixels,
    await toPixels(open(other).resize(pixels.width, pixels.height)),
  ],
  mirrored: async (pixels) => [pixels, await toPixels(open(pixels).flop())],
  'panned by 15 to 40 %': async (pixels) => {
    const part = between(0.15, 0.4);
    return [await cut(pixels, inner(0, 0, part, 0)), await cut(pixels, inner(part, 0, 0, 0))];
  },
  'nearer by 1.25 to 1.7': async (pixels) => {
    const part = between(0.1, 0.2);
    return [pixels, await cut(pixels, inner(part, part, part, part))];
  },
  'the subject of the crop exchanged': async (pixels, crop, [, other = pixels]) => {
    const share = between(0.55, 0.8);
    const width = Math.round(crop.width * share * pixels.width);
    const height = Math.round(crop.height * share * pixels.height);
    const input = await open(other).resize(width, height).png().toBuffer();
    const left = Math.round((crop.x + (crop.width * (1 - share)) / 2) * pixels.width);
    const top = Math.round((crop.y + (crop.height * (1 - share)) / 2) * pixels.height);
    return [pixels, await toPixels(open(pixels).composite([{ input, left, top }]))];
  },
};

function anyCrop(): Rectangle {
  const [width, height] = [between(0.2, 0.7), between(0.2, 0.7)];
  return { x: between(0, 1 - width), y: between(0, 1 - height), width, height };
}

/** The third of two frames in which most has changed, and how much. */
async function busiest(before: Pixels, now: Pixels) {
  const [grid, third] = [24, 8];
  const [one, other] = await Promise.all(
    [before, now].map((frame) => open(frame).resize(grid, grid, { fit: 'fill' }).raw().toBuffer()),
  );
  let found = { difference: -1, x: 0, y: 0 };
  for (let y = 0; y + third <= grid; y += 1) {
    for (let x = 0; x + third <= grid; x += 1) {
      let sum = 0;
      for (let row = y; row < y + third; row += 1)
        for (let at = 3 * (row * grid + x); at < 3 * (row * grid + x + third); at += 1)
          sum += Math.abs((one?.[at] ?? 0) - (other?.[at] ?? 0));
      const difference = sum / (3 * third ** 2);
      if (difference > found.difference) found = { difference, x, y };
    }
  }
  const { difference, x, y } = found;
  const part = third / grid;
  return { difference, crop: { x: x / grid, y: y / grid, width: part, height: part } };
}

const images = ['same', 'another', 'hardly different'] as const;
const results = new Map<string, { truth: (typeof images)[number]; pairs: number; same: number }>();

async function compare(
  kind: string,
  truth: (typeof images)[number],
  [before, now]: readonly [Pixels, Buffer],
  crop: Rectangle,
): Promise<void> {
  const old = await takeFingerprint(await encode(open(before), 90));
  const isSame = await compareOriginals(old, await takeFingerprint(now));
  const result = results.get(kind) ?? { truth, pairs: 0, same: 0 };
  results.set(kind, result);
  result.pairs += 1;
  if (isSame(crop)) result.same += 1;
}

const photographs = await Promise.all(
  (await readdir(options.photographs)).sort().map((name) => load(join(options.photographs, name))),
);
for (const [index, photograph] of photographs.entries()) {
  const kinds = Object.entries(changes);
  for (let number = 0; number < changesOfEach; number += 1) {
    const [kind, change] = kinds[(index * changesOfEach + number) % kinds.length] ?? [];
    if (kind && change)
      await compare(kind, 'same', [photograph, await change(photograph)], anyCrop());
  }
  const others = [1, 7].map((step) => photographs[(index + step) % photographs.length]) as Pixels[];
  for (const [kind, replace] of Object.entries(replacements)) {
    const crop = anyCrop();
    const [before = photograph, now = photograph] = await replace(photograph, crop, others);
    await compare(kind, 'another', [before, await encode(open(now))], crop);
  }
}
for (const name of (await readdir(options.series)).sort()) {
  const files = (await readdir(join(options.series, name))).sort();
  const frames = await Promise.all(files.map((file) => load(join(options.series, name, file))));
  for (const [index, before] of frames.entries()) {
    for (const step of [1, 3]) {
      const now = frames[index + step];
      if (!now) continue;
      const { difference, crop } = await busiest(before, now);
      const isVisible = difference >= visible;
      const kind = isVisible ? `another frame of ${name}` : 'frames that hardly differ';
      const truth = isVisible ? 'another' : 'hardly different';
      await compare(kind, truth, [before, await encode(open(now))], crop);
    }
  }
}

const rows = Array.from(results, ([kind, { truth, pairs, same }]) => [kind, truth, pairs, same]);
const totals = images.map((truth) => {
  const of = [...results.values()].filter((result) => result.truth === truth);
  const pairs = of.reduce((sum, one) => sum + one.pairs, 0);
  const same = of.reduce((sum, one) => sum + one.same, 0);
  return { truth, pairs, wrong: truth === 'same' ? pairs - same : same };
});
const percent = (wrong: number, pairs: number) => `${((100 * wrong) / pairs).toFixed(1)} %`;
const [same, another] = totals;
const text = `# Changed images

How often \`crop-review\` is wrong about a crop of an original that has changed. A fingerprint of 36 × 36 pixels is all that's kept of the old original. The last column counts pairs whose crops count as the same image.

- **Wrongly "another": ${percent(same?.wrong ?? 0, same?.pairs ?? 1)}** of ${same?.pairs} pairs. The limit is 5 %.
- **Wrongly "same": ${percent(another?.wrong ?? 0, another?.pairs ?? 1)}** of ${another?.pairs} pairs. The limit is 1 %.

${[['the new version', 'it is', 'pairs', 'found the same'], ['---', '---', '---:', '---:'], ...rows]
  .map((row) => `| ${row.join(' | ')} |`)
  .join('\n')}

Crops are anywhere, with sides of 20 to 70 %. Those of frames are the ninth of the image in which most has changed. Frames whose crops differ by less than ${visible} of 255 levels count neither way, because no one sees it. ${photographs.length} photographs, seed ${options.seed}. The numbers in \`compare-originals.ts\` were chosen with the seeds 1 and 2.
`;
await writeFile(new URL('CHANGED-IMAGES.md', import.meta.url), text);
console.log(text);
