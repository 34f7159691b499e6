import type { Bench } from './bench.ts';
import { imagesBench } from './images.ts';
import { manyAssetsBench } from './many-assets.ts';
import { planBench } from './plan.ts';
import { reportBench } from './report.ts';

/** Every subject, in the order of the results. */
export const benches: readonly Bench[] = [planBench, reportBench, imagesBench, manyAssetsBench];
