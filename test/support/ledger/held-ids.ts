import { alwaysAllowed } from '../../../src/usage/plan/plan-usage.ts';

/** The assets of a page whose removal the guard holds back, on a site that has few others. */
export const heldIds: number[] = Array.from({ length: alwaysAllowed + 2 }, (_, index) => index + 1);
