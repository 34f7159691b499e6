import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PageScan } from '../scan-page.ts';
import type { SiteFolder } from './scan-file.ts';

/** What became of a page: its scan (`undefined` for a redirect page), or that it could not be scanned. */
export type FileOutcome = { readonly scan: PageScan | undefined } | 'failed';

interface ScanThread {
  /** Scans pages after those that it was given before. `undefined` where the thread has ended. */
  scan(files: readonly string[]): Promise<readonly FileOutcome[] | undefined>;
  close(): Promise<void>;
}

/** Starts a thread that scans pages of a folder. Whatever happens to it, it never throws. */
export function startScanThread(folder: SiteFolder): ScanThread {
  const waiting: ((outcomes: readonly FileOutcome[] | undefined) => void)[] = [];
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
    for (const answer of waiting.splice(0)) answer(undefined);
  };
  // Run from its source, the package has other names for its files.
  const file = new URL(`./scan-worker${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(file, {
    workerData: folder,
    resourceLimits: {
      // No more than the main thread has: what is too deep for that one may not pass here.
      stackSizeMb: 1,
      // Nothing here lives longer than a batch of pages.
      maxYoungGenerationSizeMb: 4,
    },
  });
  worker.on('message', (outcomes: string) => waiting.shift()?.(JSON.parse(outcomes)));
  worker.on('error', end);
  worker.on('exit', end);

  return {
    scan(files) {
      if (hasEnded) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        waiting.push(resolve);
        worker.postMessage(files);
      });
    },
    async close() {
      await worker.terminate();
    },
  };
}
