import { type ChildProcess, execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ReportRun } from '../../../src/usage/report/report-usage.ts';
import { childEnvironment } from '../process/compile-cache.ts';

const child = fileURLToPath(new URL('report-process.ts', import.meta.url));

/** The input of a report in its own process. */
export interface ReportJob
  extends Required<Pick<ReportRun, 'manifest' | 'fields' | 'identity' | 'windowSize'>> {
  /** Access token. */
  readonly token: string;
  /** The ledger's file, or the URL of its Redis. */
  readonly ledger: string;
  /** @default 'file' */
  readonly kind?: 'file' | 'redis';
  /** Time until a lease that isn't renewed expires, in ms. @default 60000 */
  readonly expiry?: number;
  /** Concurrent requests. @default 4 */
  readonly concurrency?: number;
  /** The point at which it is killed, from 1. Default: never. */
  readonly killAt?: number;
  /** The change of a file, from 1 and without requests, at which the disk is full. */
  readonly failAt?: number;
  /** The request before which it is killed, from 1. Default: none. */
  readonly killAtRequest?: number;
}

/** The end of a process: its exit code, or the signal that ended it. */
export interface ReportEnd {
  readonly ended: number | NodeJS.Signals;
  /** The number of points at which it could have been killed; `NaN` if it was. */
  readonly points: number;
  /** Its output to stderr. */
  readonly errors: string;
}

/** Makes a report in its own process. */
export function reportInProcess(job: ReportJob): Promise<ReportEnd> {
  return startReport(job).end;
}

/** Starts a report in its own process. */
export function startReport(job: ReportJob): {
  readonly child: ChildProcess;
  readonly end: Promise<ReportEnd>;
} {
  const { promise: end, resolve } = Promise.withResolvers<ReportEnd>();
  const started = execFile(
    process.execPath,
    [child, JSON.stringify(job)],
    { timeout: 60_000, env: childEnvironment },
    (error, output, errors) => {
      const ended = error ? (error.signal ?? Number(error.code)) : 0;
      resolve({ ended, points: Number.parseInt(output, 10), errors });
    },
  );
  return { child: started, end };
}
