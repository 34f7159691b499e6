import { strict as assert } from 'node:assert';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulatorProcess } from '../test/support/service/emulator-process.ts';
import { type Bench, type OpenBench, type Size, scaled } from './bench.ts';
import type { WorkOrder } from './images.ts';
import { drawCopies } from './photographs.ts';
import { runProcess } from './run-process.ts';
import { assertImages, makeSite, timedBuild } from './timed-build.ts';

/** In milliseconds. */
const latency = 100;
/** Concurrent requests: the client's default. */
const concurrency = 8;
/** How much more memory a site with assets may use than one without, in MB. */
const memoryGoal = 200;

const ideal = 'assets × latency ÷ concurrency';
const limit = 'limit';

export const manyAssetsBench: Bench = {
  name: 'many assets',
  about:
    'Builds 200 pages with 10 different assets each, and the same pages without assets. Then downloads 1,000 assets from a service 100 ms away. Their IDs are known before pages ask, and nothing is encoded.',
  figures: [
    {
      name: 'peak memory of 2,000 assets, above none',
      unit: 'MB',
      against: [{ peer: limit, goal: 1 }],
    },
    { name: limit, unit: 'MB' },
    { name: 'downloads', unit: 'ms', against: [{ peer: ideal, goal: 1.5 }] },
    { name: ideal, unit: 'ms' },
  ],
  open: openManyAssetsBench,
};

async function openManyAssetsBench(size: Size): Promise<OpenBench> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-assets-'));
  const media = join(folder, 'media');
  const pages = scaled(200, size);
  const count = pages * 10;
  await drawCopies(media, count);
  const emulator = await startEmulatorProcess({ media });
  const withAssets = await makeSite(sitePages(pages, 10), 'ours');
  const without = await makeSite(sitePages(pages, 0), 'ours');
  return {
    async round() {
      const empty = await timedBuild(without, emulator.env);
      const full = await timedBuild(withAssets, emulator.env);
      await assertImages(withAssets, count);
      return {
        'peak memory of 2,000 assets, above none': full.megabytes - empty.megabytes,
        [limit]: memoryGoal,
        ...(await downloads()),
      };
    },
    async close() {
      await emulator.stop();
      await withAssets.delete();
      await without.delete();
      await rm(folder, { recursive: true, force: true });
    },
  };

  async function downloads(): Promise<Record<string, number>> {
    const ids = Array.from({ length: Math.ceil(count / 2) }, (_, index) => 4711 + index);
    const cacheDir = await mkdtemp(join(folder, 'cache-'));
    await emulator.setFaults([{ kind: 'latency', call: 'any', ms: latency }]);
    const order: WorkOrder = {
      side: 'downloads',
      url: emulator.url,
      environment: emulator.env,
      cacheDir,
      ids,
    };
    const done = await runProcess('images-process.ts', order);
    await emulator.clearFaults();
    assert.equal(done.downloads, ids.length);
    return {
      downloads: done.milliseconds ?? Number.NaN,
      [ideal]: (ids.length * latency) / concurrency,
    };
  }
}

export function sitePages(count: number, assetsEach: number): Record<string, string> {
  const pages = Array.from({ length: count }, (_, page): [string, string] => {
    const pictures = Array.from(
      { length: assetsEach },
      (_, index) =>
        `<MediaAsset id={${4711 + page * assetsEach + index}} alt="Copy" width={600} densities={[1]} />`,
    );
    return [
      `page-${page}.astro`,
      `---\nimport { MediaAsset } from 'astro-media-asset/components';\n---\n<html lang="en"><head><title>Page ${page}</title></head><body><h1>Page ${page}</h1>\n${pictures.join('\n')}\n</body></html>\n`,
    ];
  });
  return Object.fromEntries(pages);
}
