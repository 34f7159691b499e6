import { setTimeout } from 'node:timers/promises';

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** Waits a number of milliseconds; rejects with the signal's reason where that fires first. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

export const sleepOnTimer: Sleep = async (milliseconds, signal) => {
  try {
    await setTimeout(milliseconds, undefined, signal && { signal });
  } catch {
    // The timer wraps the reason that a caller gave; nothing else makes it fail.
    signal?.throwIfAborted();
  }
};

/** The waits that hosts have asked for. One call's `Retry-After` holds back all calls to that host. */
export interface Pauses {
  /** No request goes to `origin` before `until` (in milliseconds of the clock). `status` asked for it. */
  extend(origin: string, until: number, status: number): void;
  /** The status that asked for a pause that outlasts `deadline`, if there is one. */
  outlasting(origin: string, deadline: number): number | undefined;
  wait(origin: string, signal?: AbortSignal): Promise<void>;
}

export function createPauses({ clock, sleep }: { clock: Clock; sleep: Sleep }): Pauses {
  const pauses = new Map<string, { readonly until: number; readonly status: number }>();
  return {
    extend(origin, until, status) {
      if (until > (pauses.get(origin)?.until ?? 0)) pauses.set(origin, { until, status });
    },
    outlasting(origin, deadline) {
      const pause = pauses.get(origin);
      return pause && pause.until > deadline ? pause.status : undefined;
    },
    async wait(origin, signal) {
      for (;;) {
        // Another call may have extended the pause in the meantime, and a timer can be early.
        const rest = (pauses.get(origin)?.until ?? 0) - clock();
        if (rest <= 0) return;
        await sleep(rest, signal);
        signal?.throwIfAborted();
      }
    },
  };
}
