import { pause } from '../../storage/pause.ts';

/** Returns ms since the epoch. */
export type Clock = () => number;

/** Waits. Rejects with the signal's reason if that fires first. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

export const sleepOnTimer: Sleep = async (milliseconds, signal) => {
  await pause(milliseconds, signal);
  signal?.throwIfAborted();
};

/** The longest wait that a host is granted, in ms. */
const longestPause = 5 * 60_000;

export interface Pause {
  /** The wait that the host asked for, in ms. */
  readonly asked: number;
  readonly status: number;
  /** In ms of the clock. */
  readonly until: number;
}

/** Waits that hosts have asked for. A `Retry-After` for one call delays all calls to that host. */
export function createPauses({ clock }: { clock: Clock }) {
  const pauses = new Map<string, Pause>();
  return {
    /** Sends no request to `origin` for so long, but for five minutes at most. */
    extend(origin: string, { asked, status }: Pick<Pause, 'asked' | 'status'>): void {
      const until = clock() + Math.min(asked, longestPause);
      if (until > (pauses.get(origin)?.until ?? 0)) pauses.set(origin, { asked, status, until });
    },
    /** The pause that a request must wait for. Throws `refuse` if it's longer than a call waits. */
    current(origin: string, deadline: number, refuse: (pause: Pause) => Error): Pause | undefined {
      const pause = pauses.get(origin);
      if (!pause || pause.until <= clock()) return undefined;
      if (pause.asked > longestPause || pause.until > deadline) throw refuse(pause);
      return pause;
    },
  };
}

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
    ranOut: () => ranOut,
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
