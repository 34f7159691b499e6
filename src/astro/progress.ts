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
  const begun = clock();
  let said = begun;
  return (done, total) => {
    const now = clock();
    if (now - said < interval || done >= total) return;
    said = now;
    const left = Math.ceil((((now - begun) / done) * (total - done)) / 1000);
    logger.info(`${what}: ${done} of ${total}, about ${left} s left`);
  };
}
