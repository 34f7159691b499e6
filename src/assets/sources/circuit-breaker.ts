import { setMaxListeners } from 'node:events';

/** Remembers that the service can't be reached, so that a run doesn't wait for it repeatedly. */
export interface CircuitBreaker {
  /** The failure to throw instead of a request; `undefined` while requests may succeed. */
  readonly failure: Error | undefined;
  /** Aborts with the failure after too many failures in a row. */
  readonly signal: AbortSignal;
  failed(error: Error): void;
  succeeded(): void;
}

/** @param limit failures in a row after which the service counts as unreachable */
export function createCircuitBreaker(limit: number): CircuitBreaker {
  let failures = 0;
  let failure: Error | undefined;
  let controller = newController();
  return {
    get failure() {
      return failure;
    },
    get signal() {
      return controller.signal;
    },
    failed(error) {
      failures += 1;
      if (failures < limit || failure) return;
      failure = error;
      controller.abort(error);
    },
    succeeded() {
      failures = 0;
      if (!failure) return;
      failure = undefined;
      controller = newController();
    },
  };
}

function newController(): AbortController {
  const controller = new AbortController();
  // Every pending request listens, so many listeners are no leak.
  setMaxListeners(0, controller.signal);
  return controller;
}
