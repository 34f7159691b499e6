/** Tells the open pages that usages have changed. */
export interface UsageChanges {
  /** The usages have changed: every stream says so, at most once in 200 ms. */
  announce(): void;
  /** Server-Sent Events: an event `usages` for each change. Ends when the emulator closes. */
  stream(): ReadableStream<Uint8Array>;
  /** Ends every stream, now and from now on. */
  close(): void;
}

/** Milliseconds in which changes are one: a build's report is many requests. */
const pause = 200;

export function createUsageChanges(): UsageChanges {
  const listeners = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  return {
    announce() {
      if (listeners.size === 0) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        for (const listener of listeners)
          listener.enqueue(encoder.encode('event: usages\ndata:\n\n'));
      }, pause);
    },
    stream() {
      let own: ReadableStreamDefaultController<Uint8Array>;
      return new ReadableStream({
        start(controller) {
          own = controller;
          controller.enqueue(encoder.encode('retry: 1000\n\n'));
          if (closed) controller.close();
          else listeners.add(controller);
        },
        cancel: () => void listeners.delete(own),
      });
    },
    close() {
      closed = true;
      clearTimeout(timer);
      for (const listener of listeners) listener.close();
      listeners.clear();
    },
  };
}
