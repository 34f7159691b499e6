/**
 * Import it before a program. When the program ends, it writes its peak memory in MB and its processor
 * time in ms to a file, as JSON.
 */
import { writeFileSync } from 'node:fs';
import { memoryPeak } from './process-memory.ts';

const file = process.env.BENCH_PEAK_FILE ?? '';
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const cost = { megabytes: memoryPeak(), processor: (user + system) / 1000 };
  writeFileSync(file, JSON.stringify(cost));
});
// A signal alone would end a dev server without the event above.
process.on('SIGTERM', () => process.exit());
