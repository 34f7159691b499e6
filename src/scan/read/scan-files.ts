import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { PageScan } from '../scan-page.ts';
import { fileScanner, type ScannedFolder } from './scan-file.ts';

const batchSize = 64;
/** Starting a thread takes as long as scanning 2,000 pages. */
const pagesForThread = 4000;
/** In addition to this one. Each takes about 20 MB. */
const mostThreads = 3;

/** Threads in addition to this one. */
export interface ScanThreads {
  readonly most: number;
  /** Files per additional thread. */
  readonly pagesEach: number;
}

export interface ScannedFile {
  readonly file: string;
  readonly scan: PageScan | undefined;
}

/** Scans the files of a site, with additional threads if they save time. */
export async function scanFiles({
  folder,
  files,
  threads = { most: Math.min(availableParallelism() - 1, mostThreads), pagesEach: pagesForThread },
  onProgress,
}: {
  folder: ScannedFolder;
  files: readonly string[];
  threads?: ScanThreads | undefined;
  onProgress: ((progress: { done: number; total: number }) => void) | undefined;
}): Promise<ScannedFile[]> {
  const scanned: ScannedFile[] = [];
  const left: string[] = [];
  const scan = fileScanner(folder);
  let next = 0;

  /** Scans batches until none is left or `scanBatch` gives up. */
  const work = async (
    scanBatch: (batch: readonly string[]) => Promise<readonly FileOutcome[] | undefined>,
  ): Promise<void> => {
    while (next < files.length) {
      const batch = files.slice(next, next + batchSize);
      next += batch.length;
      const outcomes = await scanBatch(batch);
      for (const [index, file] of batch.entries()) {
        const outcome = outcomes?.[index] ?? 'failed';
        if (outcome === 'failed') left.push(file);
        else scanned.push({ file, scan: outcome.scan });
      }
      if (!outcomes) return;
      onProgress?.({ done: scanned.length + left.length, total: files.length });
    }
  };
  const scanHere = async (batch: readonly string[]): Promise<FileOutcome[]> => {
    const outcomes: FileOutcome[] = [];
    for (const file of batch) outcomes.push({ scan: await scan(file) });
    // Reading is synchronous, so let other threads' answers and signals in.
    await setImmediate();
    return outcomes;
  };

  const count = Math.min(threads.most, Math.floor(files.length / threads.pagesEach));
  const others = Array.from({ length: count }, () => startScanThread(folder));
  try {
    // Each thread has two batches, so that it never waits for the next one.
    const lanes = others.flatMap((thread) => [work(thread.scan), work(thread.scan)]);
    await Promise.all([...lanes, work(scanHere)]);
  } finally {
    await Promise.all(others.map((thread) => thread.close()));
  }
  for (const file of left.sort()) scanned.push({ file, scan: await scan(file) });
  if (left.length > 0) onProgress?.({ done: files.length, total: files.length });
  return scanned;
}

/** A page's scan (`undefined` for a redirect page), or `failed` if it couldn't be scanned. */
export type FileOutcome = { readonly scan: PageScan | undefined } | 'failed';

/** Starts a thread that scans pages of a folder. Its methods never throw. */
function startScanThread(folder: ScannedFolder) {
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
    /** Scans pages after those of earlier calls. `undefined` if the thread has ended. */
    scan(files: readonly string[]): Promise<readonly FileOutcome[] | undefined> {
      if (hasEnded) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        waiting.push(resolve);
        worker.postMessage(files);
      });
    },
    async close(): Promise<void> {
      await worker.terminate();
    },
  };
}
