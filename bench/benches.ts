import type { Bench } from './bench.ts';
import { cropsBench } from './crops.ts';
import { historyBench } from './history.ts';
import { imagesBench } from './images.ts';
import { installBench } from './install.ts';
import { largeBench } from './large.ts';
import { libraryBench } from './library.ts';
import { manyAssetsBench } from './many-assets.ts';
import { overheadBench } from './overhead.ts';
import { planBench } from './plan.ts';
import { recordsBench } from './records.ts';
import { reportBench } from './report.ts';
import { reuseBench } from './reuse.ts';
import { scanBench } from './scan.ts';
import { scanMemoryBench } from './scan-memory.ts';
import { startUpBench } from './start-up.ts';
import { warmBench } from './warm.ts';
import { workerdBench } from './workerd.ts';

/** All subjects, in the order of the results. */
export const benches: readonly Bench[] = [
  scanBench,
  scanMemoryBench,
  startUpBench,
  installBench,
  overheadBench,
  largeBench,
  planBench,
  historyBench,
  reportBench,
  imagesBench,
  warmBench,
  cropsBench,
  libraryBench,
  manyAssetsBench,
  recordsBench,
  reuseBench,
  workerdBench,
];
