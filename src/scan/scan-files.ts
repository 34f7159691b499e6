import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { fileScanner, type SiteFolder } from './scan-file.ts';
import type { PageScan } from './scan-page.ts';
import { type FileOutcome, startScanThread } from './scan-thread.ts';

/** Pages that are scanned in one go. */
const batchSize = 64;
/** To begin, a thread takes as long as some hundred pages do. */
const pagesPerThread = 1000;
/** Beside this one; each holds some 20 MB. */
const mostThreads = 3;

/**
 * Scans the pages of a site, in their order: in this thread, and in others for the processors that
 * have nothing to do, where the site is so large that these save time.
 *
 * @throws what a {@link fileScanner} throws
 */
export async function scanFiles({
  folder,
  files,
  threads = Math.min(availableParallelism() - 1, mostThreads, files.length / pagesPerThread),
  onProgress,
}: {
  folder: SiteFolder;
  files: readonly string[];
  /** Beside this one. */
  threads?: number;
  onProgress: ((progress: { done: number; total: number }) => void) | undefined;
}): Promise<(PageScan | undefined)[]> {
  const scans: (PageScan | undefined)[] = new Array(files.length);
  const left: number[] = [];
  const scan = fileScanner(folder);
  let next = 0;
  let done = 0;

  /** Scans batch after batch, until all are taken or `scanBatch` gives up. */
  const work = async (
    scanBatch: (batch: readonly string[]) => Promise<readonly FileOutcome[] | undefined>,
  ): Promise<void> => {
    while (next < files.length) {
      const first = next;
      next += batchSize;
      const batch = files.slice(first, next);
      const outcomes = await scanBatch(batch);
      for (const index of batch.keys()) {
        const outcome = outcomes?.[index] ?? 'failed';
        if (outcome === 'failed') left.push(first + index);
        else scans[first + index] = outcome.scan;
      }
      if (!outcomes) return;
      done += batch.length;
      onProgress?.({ done, total: files.length });
    }
  };
  const scanHere = async (batch: readonly string[]): Promise<FileOutcome[]> => {
    const outcomes: FileOutcome[] = [];
    for (const file of batch) outcomes.push({ scan: await scan(file) });
    // Pages are read without a pause: the other threads' answers, and signals, come in here.
    await setImmediate();
    return outcomes;
  };

  const others = Array.from({ length: Math.floor(threads) }, () => startScanThread(folder));
  try {
    // Of two batches at another thread, one is there already when the other is done.
    const lanes = others.flatMap((thread) => [thread.scan, thread.scan]);
    await Promise.all([scanHere, ...lanes].map(work));
  } finally {
    await Promise.all(others.map((thread) => thread.close()));
  }
  for (const index of left.sort((a, b) => a - b)) scans[index] = await scan(files[index] as string);
  if (left.length > 0) onProgress?.({ done: files.length, total: files.length });
  return scans;
}
