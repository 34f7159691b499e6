import type { AstroIntegrationLogger } from 'astro';

/** Milliseconds between two lines: shorter work says nothing, and a log stays readable. */
const interval = 15_000;

/** Prints a line now and then while work takes long. */
export function logProgress(
  logger: Pick<AstroIntegrationLogger, 'info'>,
  what: string,
  clock: () => number = Date.now,
): (done: number, total: number) => void {
  let printedAt = clock();
  return (done, total) => {
    const now = clock();
    if (now - printedAt < interval || done >= total) return;
    printedAt = now;
    logger.info(`${what}: ${done} of ${total}`);
  };
}
