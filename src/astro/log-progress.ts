import type { AstroIntegrationLogger } from 'astro';

/** Milliseconds between two lines. Shorter work logs nothing. */
const interval = 15_000;

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
