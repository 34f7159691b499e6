import { type Plan, requestsOf } from './plan-usage.ts';

/** A plan as `media-asset plan --json` prints it. */
export interface PlanJson {
  readonly version: 1;
  readonly requests: readonly {
    readonly removed: boolean;
    readonly page: string;
    readonly pageName: string;
    readonly ids: readonly number[];
  }[];
  readonly guard: Plan['guard'];
}

/** The JSON form of a plan: the contract of `media-asset plan --json`. */
export function planToJson({ steps, guard }: Plan): PlanJson {
  return {
    version: 1,
    requests: requestsOf(steps).map(({ removed, page, pageName, ids }) => ({
      removed,
      page,
      pageName,
      ids,
    })),
    guard,
  };
}
