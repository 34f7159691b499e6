import type { PlannedRequest } from './plan-usage.ts';

/** Requests of one step, sent one after the other. */
export type PlannedStep = readonly PlannedRequest[];

/**
 * The steps of a plan, purpose by purpose: those of one purpose may be sent at the same time, and all
 * of them before the next purpose.
 */
export function plannedSteps(requests: readonly PlannedRequest[]): PlannedStep[][] {
  const purposes = Map.groupBy(requests, ({ purpose }) => purpose);
  return [...purposes.values()].map((same) => [...Map.groupBy(same, ({ step }) => step).values()]);
}
