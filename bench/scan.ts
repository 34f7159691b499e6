import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulatorProcess } from '../test/support/service/emulator-process.ts';
import { type Bench, type Size, scaled } from './bench.ts';
import { assetsPerPage, makeNotes } from './overhead-site.ts';
import { type PageFolder, removePages, writePages } from './page-folder.ts';
import { drawCopies } from './photographs.ts';
import { runProcess } from './run-process.ts';
import type { ScanWay } from './scan-process.ts';
import { timedBuild } from './timed-build.ts';

const readMarked = 'only reading, marked';
const readUnmarked = 'only reading, unmarked';
const readInLoop = 'only reading, in one loop';
const built = 'scan, pages of Astro';
const builtByPeer = 'htmlparser2, pages of Astro';

export const scanBench: Bench = {
  name: 'scan',
  about:
    'Scans 20,000 pages of 20 kB in a new process. Another process has just read the pages, so they are in the system’s file cache. A marked page has four images of the service, an unmarked one has four images of Astro’s own. The parsers read all marked pages, eight at once. A scan keeps nothing for the next one, so unchanged pages take as long. The pages of Astro are 2,000 that it has built, with 4 images each.',
  figures: [
    {
      name: 'scan, marked',
      unit: 'ms',
      against: [
        { peer: 'rehype-parse', goal: 1 / 8 },
        { peer: 'parse5' },
        { peer: 'htmlparser2' },
        { peer: readMarked, goal: 1.5 },
        { peer: readInLoop },
      ],
    },
    { name: 'scan, unmarked', unit: 'ms', against: [{ peer: readUnmarked, goal: 1.5 }] },
    { name: 'scan and audit, marked', unit: 'ms', against: [{ peer: 'scan, marked' }] },
    { name: built, unit: 'ms', against: [{ peer: builtByPeer }] },
    { name: builtByPeer, unit: 'ms' },
    { name: 'rehype-parse', unit: 'ms' },
    { name: 'parse5', unit: 'ms' },
    { name: 'htmlparser2', unit: 'ms' },
    { name: readMarked, unit: 'ms' },
    { name: readUnmarked, unit: 'ms' },
    { name: readInLoop, unit: 'ms' },
  ],
  async open(size) {
    const pages = scaled(20_000, size);
    const marked = await writePages(pages, { seed: size.seed, marked: true });
    const unmarked = await writePages(pages, { seed: size.seed, marked: false });
    const notes = await buildNotes(size);
    return {
      async round() {
        return {
          [readMarked]: await time('reading', marked),
          [readInLoop]: await time('reading in a loop', marked),
          [readUnmarked]: await time('reading', unmarked),
          'scan, marked': await time('ours', marked),
          'scan, unmarked': await time('ours', unmarked),
          'scan and audit, marked': await time('audit', marked),
          'rehype-parse': await time('rehype-parse', marked),
          parse5: await time('parse5', marked),
          htmlparser2: await time('htmlparser2', marked),
          [built]: await time('ours', notes),
          [builtByPeer]: await time('htmlparser2', notes),
        };
      },
      close: () => removePages([marked, unmarked, notes]),
    };
  },
};

/** Pages that Astro has built with our images. Only the pages stay. */
async function buildNotes(size: Size): Promise<PageFolder> {
  const pages = scaled(2000, size);
  const media = await mkdtemp(join(tmpdir(), 'bench-scan-'));
  await drawCopies(media, assetsPerPage);
  const emulator = await startEmulatorProcess({ media });
  const site = await makeNotes({ pages, assets: assetsPerPage, seed: size.seed }, 'ours');
  await timedBuild(site, emulator.env);
  await emulator.stop();
  await rm(media, { recursive: true, force: true });
  const dir = await mkdtemp(join(tmpdir(), 'bench-pages-'));
  await cp(join(site.dist, 'notes'), join(dir, 'notes'), { recursive: true });
  await site.delete();
  return { dir, pages, seed: size.seed, marked: true, isBuilt: true };
}

/** In milliseconds. Some machines drop files from their cache that weren't read for seconds. */
async function time(way: ScanWay, folder: PageFolder): Promise<number> {
  await runProcess('scan-process.ts', { way: 'reading in a loop', folder });
  const { milliseconds } = await runProcess('scan-process.ts', { way, folder });
  return milliseconds ?? Number.NaN;
}
