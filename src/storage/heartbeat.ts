/**
 * Renews a lease regularly, even during long requests. The returned function stops it, and resolves
 * once no renewal is in progress.
 *
 * @param every interval, in ms
 */
export function startHeartbeat(renew: () => Promise<unknown>, every: number): () => Promise<void> {
  let beat: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    // Ignore failures: the renewal before the next request fails too, and ends the run.
    beat ??= renew()
      .catch(() => {})
      .finally(() => {
        beat = undefined;
      });
  }, every);
  // A lease alone mustn't keep the process alive.
  timer.unref();
  return async () => {
    clearInterval(timer);
    await beat;
  };
}

/** Times of a lease, in ms, derived from its expiry. */
export function leaseTimes(expiry: number): {
  readonly expiry: number;
  /** Interval between renewals. */
  readonly beat: number;
  /** How long to watch a lease before it counts as stale. */
  readonly watch: number;
} {
  return { expiry, beat: expiry / 4, watch: (expiry * 3) / 5 };
}
