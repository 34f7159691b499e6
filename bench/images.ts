import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseRenditionUrl } from '../src/assets/formats/rendition-url.ts';
import {
  type EmulatorProcess,
  startEmulatorProcess,
} from '../test/support/service/emulator-process.ts';
import type { Site } from '../test/support/site/site.ts';
import { type Bench, type Figure, type OpenBench, type Size, scaled } from './bench.ts';
import { drawPhotographs } from './photographs.ts';
import { runProcess } from './run-process.ts';
import { assertImages, makeSite, timedBuild } from './timed-build.ts';

const widths = [320, 640, 960, 1280, 1920];

/** A file that a build publishes. */
export interface PublishedFile {
  /** The path of its photograph. */
  readonly source: string;
  readonly width: number;
  readonly format: 'avif' | 'webp' | 'jpeg';
}

/** The input of one `images-process.ts`. */
export type WorkOrder =
  | { side: 'bare loop'; files: readonly PublishedFile[] }
  | {
      side: 'downloads';
      url: string;
      environment: Readonly<Record<string, string>>;
      cacheDir: string;
      ids: readonly number[];
    };

interface Row {
  readonly name: string;
  /** The props of `<MediaAsset>`. */
  readonly ours: string;
  /** Astro's component, and its props for the same images. */
  readonly astro: readonly [tag: 'Image' | 'Picture', props: string];
  /** The ratio of a build's processor time to that of Astro's. */
  readonly goal: number;
  /** The part of the photographs: AVIF takes 25 times as long. */
  readonly part?: number;
}

const sized = `width={${widths.at(-1)}} widths={${JSON.stringify(widths)}}`;
/** Equal files on both sides. Ours has more sizes by default than Astro has without a layout. */
const rows: readonly Row[] = [
  {
    name: 'thumbnails',
    ours: 'width={400} densities={[1]}',
    astro: ['Image', 'width={400}'],
    goal: 0.85,
  },
  {
    name: 'webp, five widths',
    ours: `${sized} format="webp"`,
    astro: ['Image', sized],
    goal: 0.8,
  },
  {
    name: 'webp + jpeg, five widths',
    ours: `${sized} formats={['webp']}`,
    astro: ['Picture', `${sized} formats={['webp']} fallbackFormat="jpeg"`],
    goal: 0.7,
  },
  {
    name: 'avif + webp, five widths',
    ours: `${sized} format="webp" formats={['avif']}`,
    astro: ['Picture', `${sized} formats={['avif']} fallbackFormat="webp"`],
    goal: 0.3,
    part: 1 / 6,
  },
  { name: 'no props', ours: '', astro: ['Image', 'layout="constrained"'], goal: 0.8 },
];

const peerOf = ({ name }: Row) => `${name}: Astro`;
const limitOf = ({ name }: Row) => `${name}: bare loop over sharp`;
/** What no build of these images can do without. */
const leastOf = ({ name }: Row) => `${name}: build of no images, and the bare loop`;
const memory = (name: string) => `${name}, memory`;

export const imagesBench: Bench = {
  name: 'images',
  about:
    'Builds a page with 12 photographs of 8 to 23 megapixels without a cache, with each side’s defaults of quality and effort. A small run takes two. Ours come from the emulator over HTTP, Astro’s from the disk. Figures are the processor time of the whole build on all cores, and its peak memory. The bare loop makes the files that we publish with sharp alone, from photographs on the disk, and doesn’t start Astro. The build of no images is Astro’s alone, of an empty page.',
  figures: rows.flatMap((row): Figure[] => [
    {
      name: row.name,
      unit: 'ms',
      against: [{ peer: peerOf(row), goal: row.goal }, { peer: limitOf(row) }],
    },
    { name: leastOf(row), unit: 'ms', against: [{ peer: peerOf(row) }] },
    { name: peerOf(row), unit: 'ms' },
    { name: limitOf(row), unit: 'ms' },
    {
      name: memory(row.name),
      unit: 'MB',
      against: [{ peer: memory(peerOf(row)), goal: 1 }],
    },
    { name: memory(peerOf(row)), unit: 'MB' },
  ]),
  open: openImagesBench,
};

async function openImagesBench(size: Size): Promise<OpenBench> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-images-'));
  const media = join(folder, 'media');
  const all = await drawPhotographs(media, {
    count: Math.max(2, scaled(12, size)),
    seed: size.seed,
  });
  const emulator = await startEmulatorProcess({ media });
  const open: { row: Row; names: readonly string[]; ours: Site; astro: Site }[] = [];
  for (const row of rows) {
    const names = all.slice(0, Math.max(2, Math.round(all.length * (row.part ?? 1))));
    const ids = names.map((_, index) => 4711 + index);
    const [tag, props] = row.astro;
    open.push({
      row,
      names,
      ours: await makeSite({ 'index.astro': oursPage(ids, row.ours) }, 'ours'),
      astro: await makeSite({ 'index.astro': astroPage(names, { media, tag, props }) }, 'default'),
    });
  }
  const empty = await makeSite({ 'index.astro': page('', '') }, 'default');
  return {
    async round() {
      const figures: Record<string, number> = {};
      const none = await timedBuild(empty, {});
      for (const { row, names, ours, astro } of open) {
        const built = await timedBuild(ours, emulator.env);
        const theirs = await timedBuild(astro, {});
        const files = await publishedFiles(ours, names, media);
        await assertImages(astro, files.length);
        const bare = await runProcess('images-process.ts', { side: 'bare loop', files });
        figures[row.name] = built.processor;
        figures[memory(row.name)] = built.megabytes;
        figures[peerOf(row)] = theirs.processor;
        figures[memory(peerOf(row))] = theirs.megabytes;
        figures[limitOf(row)] = bare.processorTime ?? Number.NaN;
        figures[leastOf(row)] = none.processor + (figures[limitOf(row)] ?? Number.NaN);
      }
      return figures;
    },
    async close() {
      await empty.delete();
      await close(open, { emulator, folder });
    },
  };
}

async function close(
  open: readonly { ours: Site; astro: Site }[],
  { emulator, folder }: { emulator: EmulatorProcess; folder: string },
): Promise<void> {
  await emulator.stop();
  for (const { ours, astro } of open) {
    await ours.delete();
    await astro.delete();
  }
  await rm(folder, { recursive: true, force: true });
}

/** The files of our build. @throws if a photograph has none */
async function publishedFiles(
  site: Site,
  names: readonly string[],
  media: string,
): Promise<PublishedFile[]> {
  const { default: sharp } = await import('sharp');
  const found: PublishedFile[] = [];
  for (const file of await site.files('dist/**/*.{avif,webp,jpg,jpeg}')) {
    const { id = 0 } = parseRenditionUrl(`/media-asset/${basename(file)}`) ?? {};
    const source = join(media, names[id - 4711] ?? '');
    const { width, format } = await sharp(site.path(file)).metadata();
    const known = { heif: 'avif', webp: 'webp', jpeg: 'jpeg' } as const;
    found.push({ source, width, format: known[format as keyof typeof known] });
  }
  if (new Set(found.map(({ source }) => source)).size !== names.length)
    throw new Error(`A photograph has no files in ${site.dir}.`);
  return found;
}

export function oursPage(ids: readonly number[], props: string): string {
  const pictures = ids.map((id) => `<MediaAsset id={${id}} alt="Photograph" ${props} />`);
  return page("import { MediaAsset } from 'astro-media-asset/components';", pictures.join('\n'));
}

export function astroPage(
  names: readonly string[],
  { media, tag, props }: { media: string; tag: 'Image' | 'Picture'; props: string },
): string {
  const imports = names.map((name, index) => `import p${index} from '${join(media, name)}';`);
  const pictures = names.map((_, index) => `<${tag} src={p${index}} alt="Photograph" ${props} />`);
  return page(
    [`import { ${tag} } from 'astro:assets';`, ...imports].join('\n'),
    pictures.join('\n'),
  );
}

function page(script: string, body: string): string {
  return `---\n${script}\n---\n<html lang="en"><head><title>Bench</title></head><body>\n${body}\n</body></html>\n`;
}
