import { type Bench, scaled } from './bench.ts';
import { type PageFolder, removePages, writePages } from './page-folder.ts';
import { runProcess } from './run-process.ts';
import type { ScanWay } from './scan-process.ts';

const readMarked = 'only reading, marked';
const readUnmarked = 'only reading, unmarked';
const readInLoop = 'only reading, in one loop';

export const scanBench: Bench = {
  name: 'scan',
  about:
    'Scans 20,000 pages of 20 kB in a new process. Another process has just read the pages, so they are in the system’s file cache. A marked page has four images of the service, an unmarked one has four images of Astro’s own. The parsers read all marked pages, eight at once. A scan keeps nothing for the next one, so unchanged pages take as long.',
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
        };
      },
      close: () => removePages([marked, unmarked]),
    };
  },
};

/** In milliseconds. Some machines drop files from their cache that weren't read for seconds. */
async function time(way: ScanWay, folder: PageFolder): Promise<number> {
  await runProcess('scan-process.ts', { way: 'reading in a loop', folder });
  const { milliseconds } = await runProcess('scan-process.ts', { way, folder });
  return milliseconds ?? Number.NaN;
}
