import { readFileSync } from 'node:fs';

const megabyte = 1e6;

/** The current memory of this process, in MB. */
export function memoryNow(): number {
  return process.memoryUsage.rss() / megabyte;
}

/**
 * The peak memory of this process so far, in MB. On Linux it's counted from the start of the
 * program, because `maxRSS` can be that of the parent process.
 */
export function memoryPeak(): number {
  if (process.platform !== 'linux') return (process.resourceUsage().maxRSS * 1024) / megabyte;
  const kilobytes = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return (Number(kilobytes) * 1024) / megabyte;
}
