/** An abort signal that fires when the caller's does, or when a time limit runs out. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Milliseconds of the limit that ran out, if one did. */
  readonly ranOut: number | undefined;
  /** Starts a limit anew, in milliseconds. */
  start(limit: number): void;
  /** Stops the limit; the caller's signal stays connected. */
  stop(): void;
  /** Stops the limit and lets go of the caller's signal. */
  end(): void;
  /** Ends the request that uses the signal. */
  abort(): void;
}

export function createTimeLimit(caller?: AbortSignal): TimeLimit {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let ranOut: number | undefined;

  const abort = () => controller.abort(caller?.reason);
  if (caller?.aborted) abort();
  caller?.addEventListener('abort', abort, { once: true });

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
      caller?.removeEventListener('abort', abort);
    },
    abort,
  };
}
