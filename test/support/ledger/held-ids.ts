import { removalsAlwaysAllowed } from '../../../src/usage/plan/plan-usage.ts';

/** The assets of a page whose removal the guard blocks, on a site with few others. */
export const heldIds: number[] = Array.from(
  { length: removalsAlwaysAllowed + 2 },
  (_, index) => index + 1,
);
