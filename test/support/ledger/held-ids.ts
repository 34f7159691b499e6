import { removalsAlwaysAllowed } from '../../../src/usage/plan/plan-usage.ts';

/** The assets of a page whose removal the guard holds back, on a site that has few others. */
export const heldIds: number[] = Array.from(
  { length: removalsAlwaysAllowed + 2 },
  (_, index) => index + 1,
);
