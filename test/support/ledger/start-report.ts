import { type ChildProcess, execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ReportRun } from '../../../src/usage/report/report-usage.ts';
import { compileCache } from '../process/compile-cache.ts';

const child = fileURLToPath(new URL('report-process.ts', import.meta.url));

/** What a report in a process of its own is to do. */
export interface ReportJob
  extends Required<Pick<ReportRun, 'manifest' | 'fields' | 'identity' | 'windowSize'>> {
  /** Access token. */
  readonly token: string;
  /** The ledger's file, or the address of its Redis. */
  readonly ledger: string;
  /** @default 'file' */
  readonly kind?: 'file' | 'redis';
  /** How long a lease holds that is not renewed, in ms. @default 60000 */
  readonly expiry?: number;
  /** Requests under way at once. @default 4 */
  readonly concurrency?: number;
  /** The point at which it is killed, from 1; not at all unless given. */
  readonly killAt?: number;
  /** The change of a file, from 1 and without requests, for which the disk is full. */
  readonly failAt?: number;
  /** The request before which it is killed, from 1; none unless given. */
  readonly killAtRequest?: number;
}

/** How a process has ended: its exit code, or the signal that ended it. */
export interface ReportEnd {
  readonly ended: number | NodeJS.Signals;
  /** Points at which it could have been killed; `NaN` where it was. */
  readonly points: number;
  /** What it has written to standard error. */
  readonly errors: string;
}

/** Reports in a process of its own. */
export function reportInProcess(job: ReportJob): Promise<ReportEnd> {
  return startReport(job).end;
}

/** Begins a report in a process of its own. */
export function startReport(job: ReportJob): {
  readonly child: ChildProcess;
  readonly end: Promise<ReportEnd>;
} {
  const { promise: end, resolve } = Promise.withResolvers<ReportEnd>();
  const started = execFile(
    process.execPath,
    [child, JSON.stringify(job)],
    { timeout: 60_000, env: { PATH: process.env.PATH, ...compileCache } },
    (error, output, errors) => {
      const ended = error ? (error.signal ?? Number(error.code)) : 0;
      resolve({ ended, points: Number.parseInt(output, 10), errors });
    },
  );
  return { child: started, end };
}
