import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { fileScanner, type SiteFolder } from './scan-file.ts';
import type { PageScan } from './scan-page.ts';
import { type FileOutcome, type ScanThread, startScanThread } from './scan-thread.ts';

/** Pages that are scanned in one go. */
const batchSize = 64;
/** A thread has all code to load and to make fast again, which takes as long as 2,000 pages do. */
const pagesForThread = 4000;
/** Beside this one; each holds some 20 MB. */
const mostThreads = 3;

/** Folders are listed for so many files before other threads are heard and fed. */
const listedAtOnce = 64;

/** Threads beside the one that lists the files. */
export interface ScanThreads {
  readonly most: number;
  /** So many more are listed before another begins. */
  readonly pagesEach: number;
}

/** What a file shows; nothing where it is a redirect page. */
export interface ScannedFile {
  readonly file: string;
  readonly scan: PageScan | undefined;
}

/**
 * Scans the files of a site: in this thread, and in others for the processors that have nothing to
 * do, where the site is so large that these save time. They begin while this one lists the files.
 *
 * @returns In no order.
 * @throws what `listing` and a {@link fileScanner} throw
 */
export async function scanFiles({
  folder,
  listing,
  threads = { most: Math.min(availableParallelism() - 1, mostThreads), pagesEach: pagesForThread },
  onProgress,
}: {
  folder: SiteFolder;
  listing: Iterable<string>;
  threads?: ScanThreads | undefined;
  onProgress: ((progress: { done: number; total: number }) => void) | undefined;
}): Promise<ScannedFile[]> {
  const files: string[] = [];
  const scanned: ScannedFile[] = [];
  const left: string[] = [];
  const scan = fileScanner(folder);
  const others: ScanThread[] = [];
  const lanes: Promise<void>[] = [];
  let isListed = false;
  let next = 0;

  /** Scans batch after batch, until all are taken or `scanBatch` gives up. */
  const work = async (
    scanBatch: (batch: readonly string[]) => Promise<readonly FileOutcome[] | undefined>,
  ): Promise<void> => {
    while (next < files.length || !isListed) {
      if (next === files.length) {
        await setImmediate();
        continue;
      }
      const batch = files.slice(next, next + batchSize);
      next += batch.length;
      const outcomes = await scanBatch(batch);
      for (const [index, file] of batch.entries()) {
        const outcome = outcomes?.[index] ?? 'failed';
        if (outcome === 'failed') left.push(file);
        else scanned.push({ file, scan: outcome.scan });
      }
      if (!outcomes) return;
      if (isListed) onProgress?.({ done: scanned.length + left.length, total: files.length });
    }
  };
  const scanHere = async (batch: readonly string[]): Promise<FileOutcome[]> => {
    const outcomes: FileOutcome[] = [];
    for (const file of batch) outcomes.push({ scan: await scan(file) });
    // Pages are read without a pause: the other threads' answers, and signals, come in here.
    await setImmediate();
    return outcomes;
  };
  const startThread = (): void => {
    const thread = startScanThread(folder);
    others.push(thread);
    // Of two batches at another thread, one is there already when the other is done.
    lanes.push(work(thread.scan), work(thread.scan));
  };
  const list = async (): Promise<void> => {
    try {
      for (const file of listing) {
        files.push(file);
        if (files.length % listedAtOnce !== 0) continue;
        const pages = threads.pagesEach * (others.length + 1);
        if (others.length < threads.most && files.length >= pages) startThread();
        await setImmediate();
      }
    } finally {
      isListed = true;
    }
  };

  try {
    await list();
    await Promise.all([work(scanHere), ...lanes]);
  } finally {
    await Promise.all(others.map((thread) => thread.close()));
  }
  for (const file of left.sort()) scanned.push({ file, scan: await scan(file) });
  if (left.length > 0) onProgress?.({ done: files.length, total: files.length });
  return scanned;
}
