/** Loaded before a program: writes its peak memory, in MB, to a file when it ends. */
import { writeFileSync } from 'node:fs';
import { memoryPeak } from './process-memory.ts';

const file = process.env.BENCH_PEAK_FILE ?? '';
process.on('exit', () => writeFileSync(file, String(memoryPeak())));
