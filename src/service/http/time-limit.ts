/** An abort signal that fires after a time limit, or `grace` ms after the caller's signal. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** The limit that ran out, in ms, if one did. */
  readonly ranOut: number | undefined;
  /** Starts a new limit, in ms. */
  start(limit: number): void;
  /** Stops the limit. The caller's signal stays connected. */
  stop(): void;
  /** Stops the limit and disconnects the caller's signal. */
  end(): void;
  abort(): void;
}

export function createTimeLimit(caller?: AbortSignal, grace = 0): TimeLimit {
  const controller = new AbortController();
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
    signal: controller.signal,
    get ranOut() {
      return ranOut;
    },
    start(limit) {
      stop();
      timer = setTimeout(() => {
        ranOut = limit;
        controller.abort();
      }, limit);
    },
    stop,
    end() {
      stop();
      clearTimeout(graceTimer);
      caller?.removeEventListener('abort', onCallerAbort);
    },
    abort,
  };
}
