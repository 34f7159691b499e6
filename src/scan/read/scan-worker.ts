/** Scans batches of pages in a thread of its own: see `scan-thread.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { fileScanner, type SiteFolder } from './scan-file.ts';
import type { FileOutcome } from './scan-thread.ts';

const scan = fileScanner(workerData as SiteFolder);
// One page at a time, as the scanner wants it.
let work = Promise.resolve();

parentPort?.on('message', (files: readonly string[]) => {
  work = work.then(async () => {
    const outcomes: FileOutcome[] = [];
    for (const file of files) outcomes.push(await outcomeOf(file));
    // As text: objects take several times as long from one thread to another.
    parentPort?.postMessage(JSON.stringify(outcomes));
  });
});

async function outcomeOf(file: string): Promise<FileOutcome> {
  try {
    return { scan: await scan(file) };
  } catch {
    // On its way to another thread an error loses what it is: there it is scanned, and fails, again.
    return 'failed';
  }
}
