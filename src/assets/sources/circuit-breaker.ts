import { setMaxListeners } from 'node:events';

/** Remembers whether the service can be reached, so that a run doesn't wait for it again and again. */
export interface CircuitBreaker {
  /** The failure that others need not wait for again; `undefined` while requests are worth making. */
  readonly failure: Error | undefined;
  /** Fires with the failure once there are too many in a row. */
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
  // Every request under way listens; that is no leak.
  setMaxListeners(0, controller.signal);
  return controller;
}
