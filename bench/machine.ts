import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/** The machine in one line. The load shows how busy it was before the run (0 on Windows). */
export function machine(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  const model = cpus()[0]?.model.trim() || 'unknown processor';
  const system = `${process.platform} ${process.arch}, Node ${process.version}`;
  const load = `load ${loadavg()[0]?.toFixed(1)} before the run`;
  return `${availableParallelism()} cores of ${model}, ${memory} GB, ${system}, ${load}`;
}
