import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulatorProcess } from '../test/support/service/emulator-process.ts';
import { type Bench, type Figure, type OpenBench, type Size, scaled } from './bench.ts';
import { makeNotes, sharePictures } from './overhead-site.ts';
import { drawCopies } from './photographs.ts';
import { timedRebuild } from './timed-build.ts';

const costs = ['processor time', 'peak memory'] as const;
const ours = 'astro build';
const plain = 'astro build of plain images';

export const largeBench: Bench = {
  name: 'large',
  about:
    'Builds 10,000 pages of Markdown with 2,000 assets, 4 on each page, when nothing has changed since the last build. The peer is the same pages without the integration, with plain images in `public`.',
  isQuick: false,
  figures: costs.flatMap((cost): Figure[] => {
    const unit = cost === 'peak memory' ? 'MB' : 'ms';
    const peer = `${plain}: ${cost}`;
    return [
      { name: `${ours}: ${cost}`, unit, against: [{ peer, goal: 1.15 }] },
      { name: peer, unit },
    ];
  }),
  open: openLargeBench,
};

async function openLargeBench(size: Size): Promise<OpenBench> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-large-'));
  const assets = scaled(2000, size);
  await drawCopies(folder, assets);
  const emulator = await startEmulatorProcess({ media: folder });
  const notes = { pages: scaled(10_000, size), assets, seed: size.seed };
  const sites = [
    { name: ours, site: await makeNotes(notes, 'ours'), environment: emulator.env },
    { name: plain, site: await makeNotes(notes, 'plain'), environment: {} },
  ] as const;
  await timedRebuild(sites[0].site, emulator.env);
  await sharePictures(sites[0].site, sites[1].site);
  await timedRebuild(sites[1].site, {});
  return {
    async round() {
      const figures: Record<string, number> = {};
      for (const { name, site, environment } of sites) {
        const { processor, megabytes } = await timedRebuild(site, environment);
        figures[`${name}: processor time`] = processor;
        figures[`${name}: peak memory`] = megabytes;
      }
      return figures;
    },
    async close() {
      await emulator.stop();
      for (const { site } of sites) await site.delete();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
