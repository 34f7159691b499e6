import { strict as assert } from 'node:assert';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EmulatorProcess,
  startEmulatorProcess,
} from '../test/support/service/emulator-process.ts';
import type { Site } from '../test/support/site/site.ts';
import type { BareOrder, Check } from './bare-process.ts';
import { type Bench, type Figure, type OpenBench, type Size, scaled } from './bench.ts';
import { assetsPerPage, makeNotes, sharePictures } from './overhead-site.ts';
import { drawCopies } from './photographs.ts';
import { runProcess } from './run-process.ts';
import type { HookTimes } from './time-hooks.ts';
import { timedRebuild } from './timed-build.ts';

/** The parts of our time. */
const parts = {
  'astro:config:done': 'of it, before content: modules, a check of each asset',
  components: 'of it, component calls',
  'astro:build:generated': 'of it, after pages: renditions',
  'astro:build:done': 'of it, at the end: scan, plan, ledger',
};

const build = 'astro build';
const without = 'astro build of plain images';
const processor = 'astro build: processor time';
const processorWithout = `${without}: processor time`;
const processorOfAstro = "astro build of Astro's optimised images: processor time";
const inPages = 'src/pages/*.md';
const inPagesPlain = `${inPages} of plain images`;
const untitled = `${inPages} without <title>: processor time`;
const bare = 'the checks by bare fetch, and a copy of the files';

export const overheadBench: Bench = {
  name: 'overhead',
  about:
    'Builds 2,000 pages of Markdown with 500 assets, 4 on each page, when nothing has changed since the last build. Our time is the time in which a hook of the integration or a call of its component runs. Processor time is that of the whole build. The peers are the same pages without the integration, with plain images in `public` or with images that Astro optimises, and the minimum of work: the same requests by bare `fetch`, and a copy of the same files. The pages are a collection, and once more files in `src/pages`, also without a `<title>`.',
  figures: [
    {
      name: 'hooks and component calls',
      unit: 'ms',
      against: [{ peer: build, goal: 0.05 }, { peer: bare }],
    },
    ...Object.values(parts).map(
      (name): Figure => ({ name, unit: 'ms', against: [{ peer: build }] }),
    ),
    { name: bare, unit: 'ms', against: [{ peer: build }] },
    { name: build, unit: 'ms', against: [{ peer: without }] },
    { name: without, unit: 'ms' },
    {
      name: processor,
      unit: 'ms',
      against: [
        { peer: processorWithout, goal: 1.15 },
        { peer: processorOfAstro, goal: 1 },
      ],
    },
    { name: processorWithout, unit: 'ms' },
    { name: processorOfAstro, unit: 'ms' },
    ...(['processor time', 'peak memory'] as const).flatMap((cost): Figure[] => {
      const unit = cost === 'peak memory' ? 'MB' : 'ms';
      const peer = `${inPagesPlain}: ${cost}`;
      return [
        { name: `${inPages}: ${cost}`, unit, against: [{ peer, goal: 1.15 }] },
        { name: peer, unit },
      ];
    }),
    {
      name: untitled,
      unit: 'ms',
      against: [{ peer: `${inPagesPlain}: processor time`, goal: 1.15 }],
    },
    { name: 'usage requests', unit: 'requests' },
    { name: 'other requests', unit: 'requests' },
  ],
  open: openOverheadBench,
};

async function openOverheadBench(size: Size): Promise<OpenBench> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-overhead-'));
  const pages = scaled(2000, size);
  const assets = Math.max(assetsPerPage, scaled(500, size));
  await drawCopies(join(folder, 'media'), assets);
  const emulator = await startEmulatorProcess({ media: join(folder, 'media') });
  const notes = { pages, assets, seed: size.seed };
  const plain = await makeNotes(notes, 'plain');
  const ours = await makeNotes(notes, 'ours');
  const astro = await makeNotes(notes, 'astro');
  const oursInPages = await makeNotes(notes, 'ours', 'pages');
  const plainInPages = await makeNotes(notes, 'plain', 'pages');
  const oursUntitled = await makeNotes(notes, 'ours', 'pages');
  await oursUntitled.edit('src/layouts/Layout.astro', '<title>{title} | Harbour</title>', '');
  for (let index = 0; index < assets; index += 1) {
    const copy = join(folder, 'media', `copy-${String(index).padStart(4, '0')}.jpg`);
    await cp(copy, astro.path(`src/pictures/${4711 + index}.jpg`));
  }
  await ours.write('astro.config.mjs', configOf(timesIn(folder)));

  const sites = { ours, plain, astro, oursInPages, oursUntitled, plainInPages };
  await buildOurs(sites, emulator);
  assert.equal(emulator.usages().length, pages * assetsPerPage);
  for (const site of [plain, plainInPages]) await sharePictures(ours, site);
  for (const site of [plain, astro, plainInPages]) await timedRebuild(site, {});
  for (const site of [oursInPages, oursUntitled]) await timedRebuild(site, emulator.env);
  return {
    round: () => overheadRound({ sites, pages, emulator, folder }),
    async close() {
      await emulator.stop();
      for (const site of Object.values(sites)) await site.delete();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Sites {
  readonly ours: Site;
  readonly plain: Site;
  readonly astro: Site;
  readonly oursInPages: Site;
  readonly oursUntitled: Site;
  readonly plainInPages: Site;
}

/** Unlike other builds of the bench, it reports its usages. */
function buildOurs({ ours }: Sites, { env }: EmulatorProcess) {
  return timedRebuild(ours, { ...env, MEDIA_ASSET_REPORT: 'always' });
}

async function overheadRound({
  sites,
  pages,
  emulator,
  folder,
}: {
  sites: Sites;
  pages: number;
  emulator: EmulatorProcess;
  /** For files that are passed from one process to another. */
  folder: string;
}): Promise<Record<string, number>> {
  const plain = await timedRebuild(sites.plain, {});
  const astro = await timedRebuild(sites.astro, {});
  const plainPages = await timedRebuild(sites.plainInPages, {});
  const oursPages = await timedRebuild(sites.oursInPages, emulator.env);
  const untitledPages = await timedRebuild(sites.oursUntitled, emulator.env);
  emulator.clearLog();
  const built = await buildOurs(sites, emulator);
  assert.equal((await sites.ours.files('dist/**/*.html')).length, pages);
  const requests = emulator.log();
  const usageRequests = requests.filter(({ path }) => path.endsWith('usages')).length;
  assert.equal(usageRequests, 0, 'An unchanged build sends no usage request.');
  const ours = JSON.parse(await readFile(timesIn(folder), 'utf8')) as HookTimes;
  const shares = Object.entries(parts).map(([part, name]) => [
    name,
    ours.parts[part] ?? Number.NaN,
  ]);
  return {
    'hooks and component calls': ours.all,
    ...Object.fromEntries(shares),
    [bare]: await bareTime({ site: sites.ours, emulator, folder }),
    [build]: built.milliseconds,
    [without]: plain.milliseconds,
    [processor]: built.processor,
    [processorWithout]: plain.processor,
    [processorOfAstro]: astro.processor,
    [`${inPages}: processor time`]: oursPages.processor,
    [`${inPages}: peak memory`]: oursPages.megabytes,
    [`${inPagesPlain}: processor time`]: plainPages.processor,
    [`${inPagesPlain}: peak memory`]: plainPages.megabytes,
    [untitled]: untitledPages.processor,
    'usage requests': usageRequests,
    'other requests': requests.length,
  };
}

/** Repeats the least work of the previous build. Returns milliseconds. */
async function bareTime({
  site,
  emulator,
  folder,
}: {
  site: Site;
  emulator: EmulatorProcess;
  folder: string;
}): Promise<number> {
  const checks = emulator
    .log()
    .filter(({ status }) => status === 304)
    .map(({ path, query, headers }): Check => {
      const url = `${emulator.url}${path}${query && `?${query}`}`;
      return { url, etag: headers['if-none-match'] ?? '' };
    });
  const order: BareOrder = {
    token: await emulator.signIn(),
    checks: join(folder, 'checks.json'),
    files: site.path('dist/_astro/media-asset'),
    output: join(folder, 'copy'),
  };
  await writeFile(order.checks, JSON.stringify(checks));
  const { milliseconds = Number.NaN } = await runProcess('bare-process.ts', order);
  await rm(order.output, { recursive: true });
  return milliseconds;
}

/** The file where a build writes its times. */
function timesIn(folder: string): string {
  return join(folder, 'times.json');
}

function configOf(times: string): string {
  const hooks = new URL('time-hooks.ts', import.meta.url).href;
  return `import mediaAsset from 'astro-media-asset';
import { timeHooks } from '${hooks}';

export default {
  site: 'https://bench.example',
  integrations: [timeHooks(mediaAsset({ report: 'always' }), ${JSON.stringify(times)})],
};
`;
}
