/** Scans batches of pages in a thread. See `scan-files.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { fileScanner, type ScannedFolder } from './scan-file.ts';
import type { FileOutcome } from './scan-files.ts';

const scan = fileScanner(workerData as ScannedFolder);
// The scanner takes one page at a time.
let work = Promise.resolve();

parentPort?.on('message', (files: readonly string[]) => {
  work = work.then(async () => {
    const outcomes: FileOutcome[] = [];
    for (const file of files) outcomes.push(await outcomeOf(file));
    // As text, because passing objects between threads takes several times as long.
    parentPort?.postMessage(JSON.stringify(outcomes));
  });
});

async function outcomeOf(file: string): Promise<FileOutcome> {
  try {
    return { scan: await scan(file) };
  } catch {
    // Errors lose their class between threads, so the main thread scans the page again.
    return 'failed';
  }
}
