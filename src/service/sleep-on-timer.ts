import { setTimeout } from 'node:timers/promises';
import type { Sleep } from './service-context.ts';

export const sleepOnTimer: Sleep = async (milliseconds, signal) => {
  try {
    await setTimeout(milliseconds, undefined, signal && { signal });
  } catch {
    // The timer wraps the reason that a caller gave; nothing else makes it fail.
    signal?.throwIfAborted();
  }
};
