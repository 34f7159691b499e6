import { setTimeout } from 'node:timers/promises';

/** Returns ms since the epoch. */
export type Clock = () => number;

/** Waits. Rejects with the signal's reason if that fires first. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

export const sleepOnTimer: Sleep = async (milliseconds, signal) => {
  try {
    await setTimeout(milliseconds, undefined, signal && { signal });
  } catch {
    // The timer wraps the reason. Throw the reason itself.
    signal?.throwIfAborted();
  }
};

/** Waits that hosts have asked for. A `Retry-After` for one call delays all calls to that host. */
export interface Pauses {
  /** Sends no request to `origin` before `until` (ms of the clock), because of `status`. */
  extend(origin: string, until: number, status: number): void;
  /** The status that caused a pause that lasts past `deadline`, if there is one. */
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
        // Check again: another call may have extended the pause, and timers can fire early.
        const rest = (pauses.get(origin)?.until ?? 0) - clock();
        if (rest <= 0) return;
        await sleep(rest, signal);
        signal?.throwIfAborted();
      }
    },
  };
}
