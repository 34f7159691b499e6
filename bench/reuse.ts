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
import { assertImages, makeSite, timedBuild, timedRebuild } from './timed-build.ts';

/** In milliseconds. */
const latency = 20;
const requestsAtOnce = 16;

const cold = 'build without its cache, above one with it';
const download = 'download of the same images';

export const reuseBench: Bench = {
  name: 'reuse',
  about: `Builds 50 pages with 1,000 images from 1,000 originals, without a cache. All are on the live site, ${latency} ms away. The peer downloads the same images, ${requestsAtOnce} at once.`,
  figures: [
    { name: cold, unit: 'ms', against: [{ peer: download, goal: 1.5 }] },
    { name: download, unit: 'ms' },
  ],
  open: openReuseBench,
};

async function openReuseBench(size: Size): Promise<OpenBench> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-reuse-'));
  const media = join(folder, 'media');
  const live = join(folder, 'live');
  const pages = scaled(50, size);
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
  const environment = { ...emulator.env, MEDIA_ASSET_REPORT: 'always' };
  await timedBuild(site, environment);
  await cp(site.dist, live, { recursive: true });
  return {
    async round() {
      const warm = await timedRebuild(site, environment);
      for (const made of ['dist', 'node_modules/.astro'])
        await rm(site.path(made), { recursive: true });
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
      return {
        [cold]: full.milliseconds - warm.milliseconds,
        [download]: performance.now() - start,
      };
    },
    async close() {
      await emulator.stop();
      await host.close();
      await site.delete();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
