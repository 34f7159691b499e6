import { readFileSync } from 'node:fs';

const megabyte = 1e6;

/** The memory of this process now, in MB. */
export function memoryNow(): number {
  return process.memoryUsage.rss() / megabyte;
}

/**
 * The most memory that this process has held so far, in MB. Where the system says it, since the
 * program was loaded: `maxRSS` can be that of the process that started this one.
 */
export function memoryPeak(): number {
  if (process.platform !== 'linux') return (process.resourceUsage().maxRSS * 1024) / megabyte;
  const kilobytes = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return (Number(kilobytes) * 1024) / megabyte;
}
