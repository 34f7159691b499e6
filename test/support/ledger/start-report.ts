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

/** The end of a report. */
export interface ReportEnd {
  /** 0: complete, 4: not complete, 1: an error. Or the signal that ended its process. */
  readonly ended: number | NodeJS.Signals;
  /** The number of points at which it could have been killed; `NaN` if it was. */
  readonly points: number;
  /** Its error, and what the process wrote to stderr. */
  readonly errors: string;
}

/** Makes a report in its own process. */
export function reportInProcess(job: ReportJob): Promise<ReportEnd> {
  return startReport(job).end;
}

/** Makes reports, each with its own ledger, in a few processes, because starting one takes longest. */
export async function reportInProcesses(jobs: readonly ReportJob[]): Promise<ReportEnd[]> {
  const shares = Map.groupBy(jobs, (job) => jobs.indexOf(job) % 4);
  const ends = new Map<ReportJob, ReportEnd>();
  await Promise.all(
    [...shares.values()].map(async (share) => {
      const ended = await startReports(share).ends;
      for (const [index, job] of share.entries()) ends.set(job, ended[index] as ReportEnd);
    }),
  );
  return jobs.map((job) => ends.get(job) as ReportEnd);
}

/** Starts a report in its own process. */
export function startReport(job: ReportJob): {
  readonly child: ChildProcess;
  readonly end: Promise<ReportEnd>;
} {
  const { child, ends } = startReports([job]);
  return { child, end: ends.then(([end]) => end as ReportEnd) };
}

function startReports(jobs: readonly ReportJob[]) {
  const { promise: ends, resolve } = Promise.withResolvers<ReportEnd[]>();
  const started = execFile(
    process.execPath,
    [child, JSON.stringify(jobs)],
    { timeout: 60_000, env: childEnvironment },
    (error, output, errors) => {
      const killed = { ended: error?.signal ?? Number(error?.code), points: Number.NaN, errors };
      const ends: (ReportEnd | 'SIGKILL')[] = output ? JSON.parse(output) : jobs.map(() => killed);
      resolve(
        ends.map((end) => (end === 'SIGKILL' ? killed : { ...end, errors: end.errors + errors })),
      );
    },
  );
  return { child: started, ends };
}
