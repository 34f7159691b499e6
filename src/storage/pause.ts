import { setTimeout } from 'node:timers/promises';

/** Waits, or returns early if the signal fires. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  // Only the signal can make it reject.
  await setTimeout(ms, undefined, signal && { signal }).catch(() => {});
}
