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
    'A scan of 20,000 pages of 20 kB that another process has just read, once in a new process each round. Marked pages have four pictures of the service, unmarked ones as many of Astro’s own. The parsers read all of them, eight at once. Nothing is kept from one scan to the next, so that a scan of unchanged pages takes as long: it may take 1.5 times as long as reading, the first one 3 times.',
  figures: [
    {
      name: 'scan, marked',
      unit: 'ms',
      against: [
        { peer: 'rehype-parse', goal: 1 / 25 },
        { peer: 'parse5' },
        { peer: 'htmlparser2' },
        { peer: readMarked, goal: 1.5 },
        { peer: readInLoop },
      ],
    },
    { name: 'scan, unmarked', unit: 'ms', against: [{ peer: readUnmarked, goal: 1.5 }] },
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
          'rehype-parse': await time('rehype-parse', marked),
          parse5: await time('parse5', marked),
          htmlparser2: await time('htmlparser2', marked),
        };
      },
      close: () => removePages([marked, unmarked]),
    };
  },
};

/** In milliseconds. Some machines take files out of their cache that nobody has read for seconds. */
async function time(way: ScanWay, folder: PageFolder): Promise<number> {
  await runProcess('scan-process.ts', { way: 'reading in a loop', folder });
  const { milliseconds } = await runProcess('scan-process.ts', { way, folder });
  return milliseconds ?? Number.NaN;
}
