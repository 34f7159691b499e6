import { strict as assert } from 'node:assert';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EmulatorProcess,
  startEmulatorProcess,
} from '../test/support/service/emulator-process.ts';
import { startDevServer } from '../test/support/site/dev-server.ts';
import type { Site } from '../test/support/site/site.ts';
import { type Bench, type Figure, type OpenBench, type Size, scaled } from './bench.ts';
import { astroPage, oursPage } from './images.ts';
import { drawPhotographs } from './photographs.ts';
import {
  assertImages,
  forgetBuilds,
  makeSite,
  timedBuild,
  timedRebuild,
  writePeak,
} from './timed-build.ts';

/** The photographs of the pages in `astro dev`. */
const shownInDev = [12, 100] as const;
const widths = [320, 640, 960, 1280];

const built = 40;

const cases = [
  { name: 'build, nothing changed', goal: 1 },
  { name: 'build, one photograph changed', goal: 1 },
  ...shownInDev.flatMap((count) =>
    (['processor time', 'time to the whole page', 'time to its last image'] as const).map(
      (what) => ({ name: inDev(count, what), goal: 1.1 }),
    ),
  ),
];

type InDev = 'processor time' | 'time to the whole page' | 'time to its last image';

function inDev(count: number, what: InDev): string {
  return `astro dev, cold, ${count} images: ${what}`;
}

export const warmBench: Bench = {
  name: 'warm',
  about: `Builds a page with ${built} photographs of 8 to 23 megapixels again, as WebP and JPEG in ${widths.length} widths, with all that the first build kept. Then it starts \`astro dev\` with nothing kept, and opens a page with ${shownInDev.join(' or ')} such photographs and their images. The peer is Astro's \`<Picture>\` with the same files. Figures are the processor time of the whole process, and in the dev server also the time since the request.`,
  figures: cases.flatMap(({ name, goal }): Figure[] => [
    { name, unit: 'ms', against: [{ peer: peerOf(name), goal }] },
    { name: peerOf(name), unit: 'ms' },
  ]),
  open: openWarmBench,
};

function peerOf(name: string): string {
  return `${name}, Astro's <Picture>`;
}

async function openWarmBench(size: Size): Promise<OpenBench> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-warm-'));
  const media = join(folder, 'media');
  const count = Math.max(2, scaled(built, size));
  const drawn = Math.max(count, scaled(Math.max(...shownInDev), size));
  const names = await drawPhotographs(media, { count: drawn, seed: size.seed });
  const emulator = await startEmulatorProcess({ media });
  const sides = await makeSides({ names, count, media, emulator });
  const files = count * widths.length * 2;
  for (const { site, environment } of sides) {
    await timedBuild(site, environment);
    await assertImages(site, files);
  }
  let seed = size.seed;
  return {
    async round() {
      const figures: Record<string, number> = {};
      const note = (name: string, isOurs: boolean, milliseconds: number) => {
        figures[isOurs ? name : peerOf(name)] = milliseconds;
      };
      for (const { isOurs, site, environment } of sides) {
        const { processor } = await timedRebuild(site, environment);
        await assertImages(site, files);
        note('build, nothing changed', isOurs, processor);
      }
      seed += 1;
      await drawPhotographs(media, { count: 1, seed });
      for (const { isOurs, site, environment } of sides) {
        const { processor } = await timedRebuild(site, environment);
        await assertImages(site, files);
        note('build, one photograph changed', isOurs, processor);
      }
      for (const [index, shown] of shownInDev.entries()) {
        for (const { isOurs, dev, environment } of sides) {
          const cost = await timedDev(dev[index] as Site, environment);
          note(inDev(shown, 'processor time'), isOurs, cost.processor);
          note(inDev(shown, 'time to the whole page'), isOurs, cost.page);
          note(inDev(shown, 'time to its last image'), isOurs, cost.images);
        }
      }
      return figures;
    },
    async close() {
      await emulator.stop();
      for (const { site, dev } of sides) {
        await site.delete();
        for (const one of dev) await one.delete();
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Side {
  readonly isOurs: boolean;
  readonly site: Site;
  /** One for each number of `shownInDev`. */
  readonly dev: readonly Site[];
  readonly environment: EmulatorProcess['env'];
}

async function makeSides({
  names,
  count,
  media,
  emulator,
}: {
  names: readonly string[];
  /** The photographs of the build. */
  count: number;
  media: string;
  emulator: EmulatorProcess;
}): Promise<readonly Side[]> {
  const props = `width={${widths.at(-1)}} widths={${JSON.stringify(widths)}} formats={["webp"]} quality={75}`;
  const ours = (shown: readonly string[]) =>
    makeSite(
      {
        'index.astro': oursPage(
          Array.from(shown.keys(), (index) => 4711 + index),
          `${props} effort={4}`,
        ),
      },
      'ours',
    );
  const astro = (shown: readonly string[]) =>
    makeSite(
      {
        'index.astro': astroPage(shown, {
          ...{ media, tag: 'Picture' },
          props: `${props} fallbackFormat="jpeg"`,
        }),
      },
      'progressive',
    );
  const makeDev = async (make: (shown: readonly string[]) => Promise<Site>) => {
    const sites: Site[] = [];
    for (const shown of shownInDev) sites.push(await make(names.slice(0, shown)));
    return sites;
  };
  const shown = names.slice(0, count);
  return [
    { isOurs: true, site: await ours(shown), dev: await makeDev(ours), environment: emulator.env },
    { isOurs: false, site: await astro(shown), dev: await makeDev(astro), environment: {} },
  ];
}

/** Opens the page and its images as a browser does. All in ms: the server's processor time, and since the request. */
async function timedDev(
  site: Site,
  environment: EmulatorProcess['env'],
): Promise<Record<'processor' | 'page' | 'images', number>> {
  await forgetBuilds(site);
  const peakFile = site.path('peak.txt');
  const env = { ...environment, NODE_OPTIONS: `--import ${writePeak}`, BENCH_PEAK_FILE: peakFile };
  const server = await startDevServer({ site, emulator: { env } });
  const start = performance.now();
  let page = 0;
  let shown = 0;
  try {
    const html = await (await fetch(server.url)).text();
    page = performance.now() - start;
    const images = Array.from(html.matchAll(/<img[^>]*\ssrc="([^"]+)"/g), ([, src = '']) => src);
    assert.ok(images.length > 0, html);
    await Promise.all(
      images.map(async (src) => {
        const response = await fetch(new URL(src.replaceAll('&amp;', '&'), server.url));
        assert.match(response.headers.get('content-type') ?? '', /^image\//, src);
        await response.arrayBuffer();
      }),
    );
    shown = performance.now() - start;
  } finally {
    await server.stop();
  }
  const { processor } = JSON.parse(await readFile(peakFile, 'utf8'));
  return { processor, page, images: shown };
}
