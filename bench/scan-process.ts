/**
 * One way to scan a folder of pages, in its own process, so that only the system's file cache is
 * warm. Prints its time in ms, and its peak memory above that of the idle process in MB.
 */
import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { PageUsage } from '../src/scan/manifest.ts';
import { pageUrls } from '../src/scan/page-url.ts';
import { pageFile, pageMaker } from './make-page.ts';
import { assetsPerPage } from './overhead-site.ts';
import type { PageFolder } from './page-folder.ts';
import { memoryNow, memoryPeak } from './process-memory.ts';
import { scanPeers } from './scan-peers.ts';

/** `reading`: reads every file and discards it, eight at once or in one loop without a pause. */
export type ScanWay = 'ours' | 'audit' | 'reading' | 'reading in a loop' | keyof typeof scanPeers;

type ShownPage = Pick<PageUsage, 'page' | 'assets'>;

export interface ScanOrder {
  readonly way: ScanWay;
  readonly folder: PageFolder;
}

const concurrency = 8;
const rules = {
  site: 'https://harbour.example',
  base: '/',
  format: 'directory',
  trailingSlash: 'ignore',
  exclude: [],
} as const;

/** From the built package, like on sites. */
const { scanSite } = (await import(
  new URL('../dist/scan/scan-site.js', import.meta.url).href
)) as typeof import('../src/scan/scan-site.ts');

const { way, folder } = JSON.parse(process.argv[2] ?? '') as ScanOrder;
const peer = way in scanPeers ? await scanPeers[way as keyof typeof scanPeers]() : undefined;
globalThis.gc?.();
const idle = memoryNow();

const start = performance.now();
const shown = await scan();
const milliseconds = performance.now() - start;
const megabytes = memoryPeak() - idle;
if (shown) checkShown(shown);
process.stdout.write(JSON.stringify({ milliseconds, megabytes }));

async function scan(): Promise<readonly ShownPage[] | undefined> {
  if (way === 'reading') return readAll();
  if (way === 'reading in a loop') return readInLoop();
  if (peer) return parseAll(peer);
  const audited = way === 'audit' ? await startAudit() : undefined;
  const { pages } = await scanSite({ dir: folder.dir, rules, onPage: audited?.add });
  if (audited) assert.ok(audited.check() > pages.length);
  return pages;
}

/** Audits the pages of a scan, without a cache. */
async function startAudit() {
  const load = (name: string) =>
    import(new URL(`../dist/cli/audit/${name}.js`, import.meta.url).href);
  const { createAudit }: typeof import('../src/cli/audit/audit-pages.ts') =
    await load('audit-pages');
  const { checkImages }: typeof import('../src/cli/audit/checks.ts') = await load('checks');
  const { add, images } = createAudit({ rules, cache: folder.dir, now: Date.now() });
  return { add, check: () => checkImages(images()).length };
}

async function readAll(): Promise<undefined> {
  const entries = await readdir(folder.dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  assert.equal(files.length, folder.pages);
  await pLimit(concurrency).map(files, async ({ parentPath, name }) => {
    await readFile(join(parentPath, name));
  });
}

function readInLoop(): undefined {
  let files = 0;
  const folders = [folder.dir];
  for (const path of folders) {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const child = join(path, entry.name);
      if (entry.isDirectory()) folders.push(child);
      else files += Math.sign(readFileSync(child).length);
    }
  }
  assert.equal(files, folder.pages);
}

function parseAll(parse: NonNullable<typeof peer>): Promise<ShownPage[]> {
  return pLimit(concurrency).map(pageFiles(), async (file) => {
    const ids = parse(await readFile(join(folder.dir, file), 'utf8'));
    return { page: pageUrls(rules)(file), assets: [...ids].sort((a, b) => a - b) };
  });
}

function checkShown(shown: readonly ShownPage[]): void {
  assert.equal(shown.length, folder.pages);
  if (folder.isBuilt) {
    assert.ok(shown.every(({ assets }) => assets.length === assetsPerPage));
    return;
  }
  const byPage = new Map(shown.map(({ page, assets }) => [page, assets]));
  const makePage = pageMaker(folder);
  for (const number of pageNumbers()) {
    const file = pageFile(number);
    assert.deepEqual(byPage.get(pageUrls(rules)(file)), makePage(number).assets, file);
  }
}

function pageFiles(): string[] {
  if (!folder.isBuilt) return Array.from(pageNumbers(), pageFile);
  return readdirSync(join(folder.dir, 'notes')).map((name) => `notes/${name}/index.html`);
}

function pageNumbers(): IterableIterator<number> {
  return Array(folder.pages).keys();
}
