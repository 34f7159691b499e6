import type { PlannedRequest } from './plan-usage.ts';

/** Requests of one step, sent one after the other. */
export type PlannedStep = readonly PlannedRequest[];

/**
 * Cuts a plan into windows of at most `size` requests. Steps of one window may be sent at the same
 * time, so a window holds one purpose only; it never cuts a step.
 */
export function reportWindows(requests: readonly PlannedRequest[], size: number): PlannedStep[][] {
  const windows: PlannedStep[][] = [];
  let room = 0;
  let purpose: PlannedRequest['purpose'] | undefined;
  for (const step of toSteps(requests)) {
    const window = windows.at(-1);
    if (window && step.length <= room && step[0]?.purpose === purpose) {
      window.push(step);
    } else {
      windows.push([step]);
      room = size;
      purpose = step[0]?.purpose;
    }
    room -= step.length;
  }
  return windows;
}

function toSteps(requests: readonly PlannedRequest[]): PlannedStep[] {
  return [...Map.groupBy(requests, ({ step }) => step).values()];
}
