/** Import it before a program. When the program ends, it writes its peak memory in MB to a file. */
import { writeFileSync } from 'node:fs';
import { memoryPeak } from './process-memory.ts';

const file = process.env.BENCH_PEAK_FILE ?? '';
process.on('exit', () => writeFileSync(file, String(memoryPeak())));
