import { strict as assert } from 'node:assert';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EmulatorProcess,
  startEmulatorProcess,
} from '../test/support/service/emulator-process.ts';
import type { Site } from '../test/support/site/site.ts';
import { type Bench, type Figure, type OpenBench, type Size, scaled } from './bench.ts';
import { drawPhotographs } from './photographs.ts';
import { runProcess } from './run-process.ts';
import { assertImages, type BuildCost, makeSite, timedBuild } from './timed-build.ts';

const widths = [320, 640, 960, 1280, 1920];
export const quality = 75;
/** sharp's default for WebP and AVIF, which the peers use. */
export const effort = 4;

export type Format = 'avif' | 'webp' | 'jpeg';

/** The files published from each photograph. */
interface Files {
  readonly formats: readonly Format[];
  readonly widths: readonly number[];
}

interface Place {
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly cacheDir: string;
  readonly ids: readonly number[];
}

/** The input of one `images-process.ts`. */
export type WorkOrder =
  | ({ side: 'ours'; output: string } & Files & Place)
  | ({ side: 'ours, downloads' } & Place)
  | ({ side: 'eleventy-img'; files: readonly string[]; output: string } & Files)
  | ({ side: 'encoding'; files: readonly string[] } & Files)
  | { side: 'copy'; from: string; output: string };

/** How builds encode: with the same settings, or with each side's defaults. */
const settings = [
  { suffix: '', props: { quality, effort } },
  { suffix: ', defaults', props: {} },
] as const;

/** With AVIF, a photograph takes 25 times as long, so a sixth of them will do. */
const sets: readonly {
  readonly name: string;
  readonly formats: readonly Format[];
  /** The part of the photographs that it publishes. */
  readonly part: number;
  /** The ratio of a build's processor time to that of Astro with this suffix's settings. */
  readonly goal: number;
  readonly goalFor: (typeof settings)[number]['suffix'];
}[] = [
  { name: 'webp + jpeg', formats: ['webp', 'jpeg'], part: 1, goal: 0.52, goalFor: '' },
  {
    name: 'avif + webp + jpeg',
    formats: ['avif', 'webp', 'jpeg'],
    part: 1 / 6,
    goal: 0.25,
    goalFor: ', defaults',
  },
];

const copy = 'plain copy of the files';

export const imagesBench: Bench = {
  name: 'images',
  about:
    "Publishes 12 photographs of 8 to 15 megapixels in 5 widths up to 1920, and two of them with AVIF. A small run takes at least two photographs, and one width with AVIF. Ours come from the emulator over HTTP, the peers' from the disk. “In a build” is the time of `astro build` minus that of the same site without images. “Defaults” are each side's own quality and effort, and progressive JPEGs on ours; the other rows have the same settings on all sides. “Encoding alone” encodes the same files from pixels in memory, one at once for each core: the minimum of processor time for any side. Processor time counts all cores, and other work on the machine changes it little.",
  figures: [
    ...sets.flatMap(({ name, goal, goalFor }): Figure[] => {
      const least = { peer: `${name}, encoding alone` };
      return [
        ...settings.flatMap(({ suffix }): Figure[] => {
          const peer = `${name}, Astro's <Picture>${suffix}`;
          const built = `${name}, in a build${suffix}`;
          const ofAstro = processorTime(peer);
          return [
            { name: built, unit: 'ms', against: suffix ? [{ peer }] : [{ peer }, least] },
            { name: peer, unit: 'ms', ...(!suffix && { against: [least] }) },
            {
              name: processorTime(built),
              unit: 'ms',
              against: [suffix === goalFor ? { peer: ofAstro, goal } : { peer: ofAstro }],
            },
            { name: ofAstro, unit: 'ms' },
          ];
        }),
        { name: `${name}, alone`, unit: 'ms', against: [{ peer: `${name}, eleventy-img` }, least] },
        { name: `${name}, eleventy-img`, unit: 'ms', against: [least] },
        { name: least.peer, unit: 'ms' },
        {
          name: processorTime(`${name}, alone`),
          unit: 'ms',
          against: [`${name}, eleventy-img`, least.peer].map((peer) => ({
            peer: processorTime(peer),
          })),
        },
        { name: processorTime(`${name}, eleventy-img`), unit: 'ms' },
        { name: processorTime(least.peer), unit: 'ms' },
      ];
    }),
    { name: 'a build without images', unit: 'ms' },
    { name: 'warm', unit: 'ms', against: [{ peer: copy, goal: 1.3 }] },
    { name: copy, unit: 'ms' },
    { name: 'bodies downloaded when warm', unit: 'requests' },
  ],
  open: openImagesBench,
};

async function openImagesBench(size: Size): Promise<OpenBench> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-images-'));
  const media = join(folder, 'media');
  const names = await drawPhotographs(media, {
    count: Math.max(2, scaled(12, size)),
    seed: size.seed,
  });
  const emulator = await startEmulatorProcess({ media });
  const sites = await makeSites({ names, media, size });
  return {
    async round() {
      const figures: Record<string, number> = {};
      const bare = await timedBuild(sites.bare, {});
      figures['a build without images'] = bare.milliseconds;
      const note = (name: string, { milliseconds, processor }: BuildCost) => {
        figures[name] = milliseconds - bare.milliseconds;
        figures[processorTime(name)] = processor - bare.processor;
      };
      for (const { name, formats, names, ids, pairs } of sites.sets) {
        const widths = widthsAt(size, formats);
        const count = ids.length * formats.length * widths.length;
        for (const { suffix, ours, astro } of pairs) {
          const built = await timedBuild(ours, emulator.env);
          await assertImages(ours, count);
          const theirs = await timedBuild(astro, {});
          await assertImages(astro, count);
          note(`${name}, in a build${suffix}`, built);
          note(`${name}, Astro's <Picture>${suffix}`, theirs);
        }
        const given = { emulator, folder, media, name, formats, widths, names, ids };
        Object.assign(figures, await alone(given));
      }
      return figures;
    },
    async close() {
      await emulator.stop();
      await sites.bare.delete();
      for (const { ours, astro } of sites.sets.flatMap(({ pairs }) => pairs)) {
        await ours.delete();
        await astro.delete();
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The images outside a build, and the first set again from the cache. */
async function alone({
  emulator,
  ids,
  folder,
  names,
  media,
  name,
  formats,
  widths,
}: Files & {
  emulator: EmulatorProcess;
  ids: readonly number[];
  folder: string;
  names: readonly string[];
  media: string;
  name: string;
}): Promise<Record<string, number>> {
  const work = await mkdtemp(join(folder, 'work-'));
  const { url, env: environment } = emulator;
  const run = (order: WorkOrder) => runProcess('images-process.ts', order);
  const made = { formats, widths };
  const place: Place = { url, environment, cacheDir: join(work, 'cache'), ids };
  const ours = await run({ side: 'ours', output: join(work, 'ours'), ...made, ...place });
  assert.equal(ours.downloads, ids.length);
  const files = names.map((file) => join(media, file));
  const output = join(work, 'eleventy');
  const eleventy = await run({ side: 'eleventy-img', files, output, ...made });
  const encoding = await run({ side: 'encoding', files, ...made });
  const figures: Record<string, number> = {};
  for (const [figure, done] of [
    [`${name}, alone`, ours],
    [`${name}, eleventy-img`, eleventy],
    [`${name}, encoding alone`, encoding],
  ] as const) {
    figures[figure] = done.milliseconds ?? Number.NaN;
    figures[processorTime(figure)] = done.processorTime ?? Number.NaN;
  }
  if (name === sets[0]?.name) {
    const warm = await run({ side: 'ours', output: join(work, 'warm'), ...made, ...place });
    const copied = await run({
      side: 'copy',
      from: join(work, 'ours'),
      output: join(work, 'copy'),
    });
    figures.warm = warm.milliseconds ?? Number.NaN;
    figures['bodies downloaded when warm'] = warm.downloads ?? Number.NaN;
    figures[copy] = copied.milliseconds ?? Number.NaN;
  }
  await rm(work, { recursive: true });
  return figures;
}

async function makeSites(all: { names: readonly string[]; media: string; size: Size }) {
  const { media, size } = all;
  const opened: ((typeof sets)[number] & { names: string[]; ids: number[]; pairs: Pair[] })[] = [];
  for (const set of sets) {
    const names = all.names.slice(0, Math.max(2, Math.round(all.names.length * set.part)));
    const ids = names.map((_, index) => 4711 + index);
    const extra = JSON.stringify(set.formats.filter((format) => format !== 'jpeg'));
    const made = widthsAt(size, set.formats);
    // Without a width, Astro also encodes a fallback in the photograph's own size.
    const files = `width={${made.at(-1)}} widths={${JSON.stringify(made)}} formats={${extra}}`;
    const pairs: Pair[] = [];
    for (const { suffix, props } of settings) {
      const ours = Object.entries(props)
        .map(([name, value]) => `${name}={${JSON.stringify(value)}}`)
        .join(' ');
      const theirs = 'quality' in props ? `quality={${props.quality}}` : '';
      pairs.push({
        suffix,
        ours: await makeSite({ 'index.astro': oursPage(ids, `${files} ${ours}`) }, 'ours'),
        astro: await makeSite(
          { 'index.astro': astroPage(names, media, `${files} ${theirs}`) },
          suffix ? 'default' : 'progressive',
        ),
      });
    }
    opened.push({ ...set, names, ids, pairs });
  }
  return { bare: await makeSite({ 'index.astro': page('', '') }, 'default'), sets: opened };
}

/** The same page for both sides, with equivalent settings. */
interface Pair {
  readonly suffix: string;
  readonly ours: Site;
  readonly astro: Site;
}

function widthsAt({ scale }: Size, formats: readonly Format[]): readonly number[] {
  return scale < 0.5 && formats.includes('avif') ? widths.slice(0, 1) : widths;
}

/** The name of a figure for the time on all cores. */
function processorTime(figure: string): string {
  return `${figure}: processor time`;
}

export function oursPage(ids: readonly number[], props: string): string {
  const pictures = ids.map((id) => `<MediaAsset id={${id}} alt="Photograph" ${props} />`);
  return page("import { MediaAsset } from 'astro-media-asset/components';", pictures.join('\n'));
}

export function astroPage(names: readonly string[], media: string, props: string): string {
  const imports = names.map((name, index) => `import p${index} from '${join(media, name)}';`);
  const pictures = names.map(
    (_, index) => `<Picture src={p${index}} alt="Photograph" fallbackFormat="jpeg" ${props} />`,
  );
  return page(
    ["import { Picture } from 'astro:assets';", ...imports].join('\n'),
    pictures.join('\n'),
  );
}

function page(script: string, body: string): string {
  return `---\n${script}\n---\n<html lang="en"><head><title>Bench</title></head><body>\n${body}\n</body></html>\n`;
}
