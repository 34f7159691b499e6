import { strict as assert } from 'node:assert';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pLimit from 'p-limit';
import { startEmulatorProcess } from '../test/support/service/emulator-process.ts';
import { startLocalServer } from '../test/support/service/local-server.ts';
import { serveBuilt } from '../test/support/site/serve-folder.ts';
import { type Bench, type OpenBench, type Size, scaled } from './bench.ts';
import { sitePages } from './many-assets.ts';
import { drawCopies } from './photographs.ts';
import { assertImages, forgetBuilds, makeSite, timedBuild, timedRebuild } from './timed-build.ts';

/** In milliseconds. */
const latency = 20;
const requestsAtOnce = 16;

const cold = 'build without its cache';
const peer = 'build of plain images, and a download of ours';
const plain = 'build of plain images';
const download = 'download of our images';
const processor = `${cold}: processor time`;
const plainProcessor = `${plain}: processor time`;

export const reuseBench: Bench = {
  name: 'reuse',
  about: `Builds 15 pages with 300 images from 300 originals, without a cache. All are on the live site, ${latency} ms away. The peer builds the same pages with plain images and without the integration, and then downloads our images, ${requestsAtOnce} at once.`,
  figures: [
    { name: cold, unit: 'ms', against: [{ peer, goal: 1.2 }] },
    { name: peer, unit: 'ms' },
    { name: plain, unit: 'ms' },
    { name: download, unit: 'ms' },
    { name: processor, unit: 'ms', against: [{ peer: plainProcessor }] },
    { name: plainProcessor, unit: 'ms' },
  ],
  open: openReuseBench,
};

async function openReuseBench(size: Size): Promise<OpenBench> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-reuse-'));
  const media = join(folder, 'media');
  const live = join(folder, 'live');
  const pages = scaled(15, size);
  const count = pages * 20;
  await drawCopies(media, count);
  const emulator = await startEmulatorProcess({ media });
  const built = serveBuilt(live);
  const asked = new Set<string>();
  const host = await startLocalServer(async (request, response) => {
    // The build also asks which build is online.
    if (!request.url?.startsWith('/media-asset.json')) asked.add(request.url ?? '');
    await setTimeout(latency);
    built(request, response);
  });
  const site = await makeSite(sitePages(pages, 20), 'ours');
  await site.edit('astro.config.mjs', 'https://bare.example', host.url);
  const plainSite = await makeSite(plainPages(sitePages(pages, 20)), 'default');
  const environment = { ...emulator.env, MEDIA_ASSET_REPORT: 'always' };
  await timedBuild(site, environment);
  await cp(site.dist, live, { recursive: true });
  return {
    async round() {
      await forgetBuilds(site, ['dist', 'node_modules/.astro']);
      asked.clear();
      const before = emulator.log().length;
      const full = await timedRebuild(site, environment);
      await assertImages(site, count);
      assert.equal(asked.size, count);
      const requests = emulator.log().slice(before);
      const sent = requests.filter(({ path }) => path.includes('/download/'));
      assert.ok(sent.every(({ status }) => status === 304));
      const urls = [...asked].map((path) => host.url + path);
      const start = performance.now();
      await pLimit(requestsAtOnce).map(urls, async (url) => (await fetch(url)).arrayBuffer());
      const downloaded = performance.now() - start;
      const unaided = await timedRebuild(plainSite, {});
      return {
        [cold]: full.milliseconds,
        [peer]: unaided.milliseconds + downloaded,
        [plain]: unaided.milliseconds,
        [download]: downloaded,
        [processor]: full.processor,
        [plainProcessor]: unaided.processor,
      };
    },
    async close() {
      await emulator.stop();
      await host.close();
      await site.delete();
      await plainSite.delete();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The same pages, with images that need no integration. */
function plainPages(pages: Readonly<Record<string, string>>): Record<string, string> {
  const changed = Object.entries(pages).map(([path, text]) => [
    path,
    text
      .replace(/^import .*$/m, '')
      .replace(
        /<MediaAsset id=\{(\d+)\}.*\/>/g,
        '<img src="/pictures/$1.webp" alt="Copy" width="600" height="400" loading="lazy" />',
      ),
  ]);
  return Object.fromEntries(changed);
}
