import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import type { PageScan } from '../scan-page.ts';
import { fileScanner, type SiteFolder } from './scan-file.ts';
import { type FileOutcome, startScanThread } from './scan-thread.ts';

/** Pages that are scanned in one go. */
const batchSize = 64;
/** A thread has all code to load and to make fast again, which takes as long as 2,000 pages do. */
const pagesForThread = 4000;
/** Beside this one; each holds some 20 MB. */
const mostThreads = 3;

/** Threads besides this one. */
export interface ScanThreads {
  readonly most: number;
  /** One more begins for every so many files. */
  readonly pagesEach: number;
}

/** What a file shows; nothing where it is a redirect page. */
export interface ScannedFile {
  readonly file: string;
  readonly scan: PageScan | undefined;
}

/**
 * Scans the files of a site: in this thread, and in others if the site is so large that these save
 * time.
 *
 * @returns In no order.
 * @throws what a {@link fileScanner} throws
 */
export async function scanFiles({
  folder,
  files,
  threads = { most: Math.min(availableParallelism() - 1, mostThreads), pagesEach: pagesForThread },
  onProgress,
}: {
  folder: SiteFolder;
  files: readonly string[];
  threads?: ScanThreads | undefined;
  onProgress: ((progress: { done: number; total: number }) => void) | undefined;
}): Promise<ScannedFile[]> {
  const scanned: ScannedFile[] = [];
  const left: string[] = [];
  const scan = fileScanner(folder);
  let next = 0;

  /** Scans batch after batch, until all are taken or `scanBatch` gives up. */
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
    // Pages are read without a pause: the other threads' answers, and signals, come in here.
    await setImmediate();
    return outcomes;
  };

  const count = Math.min(threads.most, Math.floor(files.length / threads.pagesEach));
  const others = Array.from({ length: count }, () => startScanThread(folder));
  try {
    // Of two batches at another thread, one is there already when the other is done.
    const lanes = others.flatMap((thread) => [work(thread.scan), work(thread.scan)]);
    await Promise.all([...lanes, work(scanHere)]);
  } finally {
    await Promise.all(others.map((thread) => thread.close()));
  }
  for (const file of left.sort()) scanned.push({ file, scan: await scan(file) });
  if (left.length > 0) onProgress?.({ done: files.length, total: files.length });
  return scanned;
}
