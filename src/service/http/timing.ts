import { setTimeout as wait } from 'node:timers/promises';

/** Returns ms since the epoch. */
export type Clock = () => number;

/** Waits. Rejects with the signal's reason if that fires first. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

export const sleepOnTimer: Sleep = async (milliseconds, signal) => {
  try {
    await wait(milliseconds, undefined, signal && { signal });
  } catch {
    // The timer wraps the reason. Throw the reason itself.
    signal?.throwIfAborted();
  }
};

/** Waits that hosts have asked for. A `Retry-After` for one call delays all calls to that host. */
export function createPauses({ clock, sleep }: { clock: Clock; sleep: Sleep }) {
  const pauses = new Map<string, { readonly until: number; readonly status: number }>();
  return {
    /** Sends no request to `origin` before `until` (ms of the clock), because of `status`. */
    extend(origin: string, until: number, status: number): void {
      if (until > (pauses.get(origin)?.until ?? 0)) pauses.set(origin, { until, status });
    },
    /** The status that caused a pause that lasts past `deadline`, if there is one. */
    outlasting(origin: string, deadline: number): number | undefined {
      const pause = pauses.get(origin);
      return pause && pause.until > deadline ? pause.status : undefined;
    },
    async wait(origin: string, signal?: AbortSignal): Promise<void> {
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

export type TimeLimit = ReturnType<typeof createTimeLimit>;

/** An abort signal that fires after a time limit, or `grace` ms after the caller's signal. */
export function createTimeLimit(caller?: AbortSignal, grace = 0) {
  const controller = new AbortController();
  const signal: AbortSignal = controller.signal;
  let timer: NodeJS.Timeout | undefined;
  let graceTimer: NodeJS.Timeout | undefined;
  let ranOut: number | undefined;

  const abort = () => controller.abort(caller?.reason);
  function onCallerAbort(): void {
    if (grace === 0) abort();
    else graceTimer = setTimeout(abort, grace);
  }
  if (caller?.aborted) abort();
  caller?.addEventListener('abort', onCallerAbort, { once: true });

  function stop(): void {
    clearTimeout(timer);
  }
  return {
    signal,
    /** The limit that ran out, in ms, if one did. */
    get ranOut() {
      return ranOut;
    },
    /** Starts a new limit, in ms. */
    start(limit: number): void {
      stop();
      timer = setTimeout(() => {
        ranOut = limit;
        controller.abort();
      }, limit);
    },
    /** Stops the limit. The caller's signal stays connected. */
    stop,
    /** Stops the limit and disconnects the caller's signal. */
    end(): void {
      stop();
      clearTimeout(graceTimer);
      caller?.removeEventListener('abort', onCallerAbort);
    },
    abort,
  };
}
