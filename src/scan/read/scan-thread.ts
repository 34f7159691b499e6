import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PageScan } from '../scan-page.ts';
import type { SiteFolder } from './scan-file.ts';

/** A page's scan (`undefined` for a redirect page), or `failed` if it couldn't be scanned. */
export type FileOutcome = { readonly scan: PageScan | undefined } | 'failed';

interface ScanThread {
  /** Scans pages after those of earlier calls. `undefined` if the thread has ended. */
  scan(files: readonly string[]): Promise<readonly FileOutcome[] | undefined>;
  close(): Promise<void>;
}

/** Starts a thread that scans pages of a folder. Its methods never throw. */
export function startScanThread(folder: SiteFolder): ScanThread {
  const waiting: ((outcomes: readonly FileOutcome[] | undefined) => void)[] = [];
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
    for (const answer of waiting.splice(0)) answer(undefined);
  };
  // The extension is `.ts` when the package runs from its source.
  const file = new URL(`./scan-worker${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(file, {
    workerData: folder,
    resourceLimits: {
      // As in the main thread, so that a page that's too deep there fails here too.
      stackSizeMb: 1,
      // Nothing outlives a batch of pages.
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
