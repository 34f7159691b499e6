/**
 * Renews a lease again and again, also while its run waits long for an answer. The function that it
 * gives ends that, and is fulfilled once no renewal is under way.
 *
 * @param every between two renewals, in ms
 */
export function startHeartbeat(renew: () => Promise<unknown>, every: number): () => Promise<void> {
  let beat: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    // A failure is no news: the renewal before the next request meets it, and ends the run.
    beat ??= renew()
      .catch(() => {})
      .finally(() => {
        beat = undefined;
      });
  }, every);
  // What a run waits for keeps its process alive; its lease alone does not.
  timer.unref();
  return async () => {
    clearInterval(timer);
    await beat;
  };
}

/** The times of a lease, in ms, from how long it holds without being renewed. */
export function leaseTimes(expiry: number): {
  readonly expiry: number;
  /** Between two renewals. */
  readonly beat: number;
  /** How long a lease is watched before it counts as one that nobody renews. */
  readonly watch: number;
} {
  return { expiry, beat: expiry / 4, watch: (expiry * 3) / 5 };
}
