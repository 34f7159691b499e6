import type { AstroIntegrationLogger } from 'astro';

/** Told how far work has come. */
export type OnProgress = (done: number, total: number) => void;

/** Milliseconds between two lines: short work says nothing. */
const interval = 5_000;

/** Prints a line now and then while work takes long. */
export function logProgress(
  logger: Pick<AstroIntegrationLogger, 'info'>,
  what: string,
  clock: () => number = Date.now,
): OnProgress {
  let said = { at: clock(), done: 0 };
  return (done, total) => {
    const now = clock();
    const passed = now - said.at;
    if (passed < interval || done >= total) return;
    // By what was done last: what is at hand comes first, and says nothing of what has to be made.
    const left = Math.ceil(((passed / Math.max(1, done - said.done)) * (total - done)) / 1000);
    said = { at: now, done };
    logger.info(`${what}: ${done} of ${total}, about ${left} s left`);
  };
}
