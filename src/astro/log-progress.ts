import type { AstroIntegrationLogger } from 'astro';

/**
 * Told how far work has come.
 *
 * @param share of the work, 0 to 1, if not all items take the same time
 */
export type OnProgress = (done: number, total: number, share?: number) => void;

/** Milliseconds between two lines: short work says nothing. */
const interval = 5_000;

/** How much must be done before the rest can be estimated. */
const enough = 0.03;

/** Prints a line now and then while work takes long. */
export function logProgress(
  logger: Pick<AstroIntegrationLogger, 'info'>,
  what: string,
  clock: () => number = Date.now,
): OnProgress {
  let said = clock();
  /** The first report: nothing that was waited for before it says how long the work takes. */
  let first: { at: number; share: number } | undefined;
  return (done, total, share = done / total) => {
    const now = clock();
    first ??= { at: now, share };
    if (now - said < interval || done >= total) return;
    said = now;
    const shareDone = share - first.share;
    const left = Math.ceil((((now - first.at) / shareDone) * (1 - share)) / 1000);
    const estimate = shareDone < enough ? '' : `, about ${left} s left`;
    logger.info(`${what}: ${done} of ${total}${estimate}`);
  };
}
