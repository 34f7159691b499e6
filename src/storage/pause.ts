import { setTimeout } from 'node:timers/promises';

/** Waits for so many milliseconds, or until the signal fires. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  // Nothing but the signal makes it fail.
  await setTimeout(ms, undefined, signal && { signal }).catch(() => {});
}
