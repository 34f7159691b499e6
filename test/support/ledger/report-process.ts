/**
 * Makes real reports at once, each with its own ledger, and prints their ends as JSON. With `killAt`,
 * a report stops at that point for good, counted from 1: before each change of a file, in the middle
 * of each write, and before and after each request. Once all others have ended, the process ends
 * itself with SIGKILL. With `failAt`, the disk is full once at that point.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { writeSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { inspect } from 'node:util';
import type { ReportEnd, ReportJob } from './start-report.ts';

/** A report under way. */
interface Run {
  readonly job: ReportJob;
  readonly stop: () => void;
  points: number;
  requests: number;
  isStopped: boolean;
}

const runs = new AsyncLocalStorage<Run>();

/** Never returns at the chosen point or after it, or fails there. */
async function point(before?: () => Promise<unknown>): Promise<void> {
  const run = runs.getStore();
  if (run === undefined) return;
  run.points += 1;
  if (run.points === run.job.failAt) {
    await before?.();
    const full = new Error('ENOSPC: no space left on device, write');
    throw Object.assign(full, { code: 'ENOSPC', syscall: 'write' });
  }
  if (run.points === run.job.killAt) await stop(run, before);
  if (run.isStopped) await new Promise(() => {});
}

async function stop(run: Run, before?: () => Promise<unknown>): Promise<never> {
  run.isStopped = true;
  await before?.();
  run.stop();
  return new Promise(() => {});
}

const { open, writeFile } = files;
const names = ['mkdir', 'rename', 'rm', 'utimes', 'link', 'unlink', 'copyFile', 'chmod'] as const;
const changes = names.map((name) => {
  const change = files[name] as (...parameters: unknown[]) => Promise<unknown>;
  return [
    name,
    async (...parameters: unknown[]) => {
      await point();
      return change(...parameters);
    },
  ];
});
Object.assign(files, Object.fromEntries(changes), {
  async writeFile(...parameters: Parameters<typeof writeFile>) {
    const [path, content, options] = parameters;
    await point();
    // The file exists without its content.
    await point(() => writeFile(path, '', options));
    await point(() => writeFile(path, half(content), options));
    return writeFile(...parameters);
  },
  async open(...parameters: Parameters<typeof open>) {
    await point();
    const file = await open(...parameters);
    const write = file.writeFile.bind(file);
    const sync = file.sync.bind(file);
    return Object.assign(file, {
      async writeFile(content: string | Iterable<string>) {
        const text = [...content].join('');
        await point(() => write(half(text)));
        return write(text);
      },
      async sync() {
        await point();
        return sync();
      },
    });
  },
});
// From here on, named imports of the module are the ones above.
syncBuiltinESMExports();

const { createMediaService } = await import('../../../src/service/index.ts');
const { fileStateStore } = await import('../../../src/usage/ledger/open-state-store.ts');
const { openRedisStore } = await import('./open-redis-store.ts');
const { reportUsage } = await import('../../../src/usage/report/report-usage.ts');

const jobs = JSON.parse(process.argv[2] ?? '') as readonly ReportJob[];
const ends = await Promise.all(jobs.map(end));
writeSync(1, JSON.stringify(ends));
if (ends.includes('SIGKILL')) {
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => {});
}

function end(job: ReportJob): Promise<ReportEnd | 'SIGKILL'> {
  const { promise: stopped, resolve } = Promise.withResolvers<'SIGKILL'>();
  const run: Run = {
    job,
    stop: () => resolve('SIGKILL'),
    points: 0,
    requests: 0,
    isStopped: false,
  };
  const ended = runs.run(run, report, run).then(
    (isDone) => ({ ended: isDone ? 0 : 4, points: run.points, errors: '' }),
    (error) => ({ ended: 1, points: run.points, errors: inspect(error) }),
  );
  return Promise.race([ended, stopped]);
}

/** Returns whether the report was complete. */
async function report(run: Run): Promise<boolean> {
  const { job } = run;
  const { manifest, fields, identity, token, windowSize, concurrency = 4 } = job;
  const service = createMediaService({
    baseUrl: identity.service,
    credentials: { kind: 'access-token', accessToken: token },
    async fetch(...parameters) {
      run.requests += 1;
      if (run.requests === job.killAtRequest) await stop(run);
      if (job.failAt === undefined) await point();
      const response = await fetch(...parameters);
      if (job.failAt === undefined) await point();
      return response;
    },
  });
  const { outcome } = await reportUsage({
    manifest,
    fields,
    service,
    identity,
    store: openStore(job),
    clock: Date.now,
    allowRemovals: true,
    windowSize,
    concurrency,
    serviceAnswered: true,
  });
  return outcome === 'done';
}

function openStore({ ledger, identity, kind = 'file', expiry = 60_000 }: ReportJob) {
  if (kind === 'file') return fileStateStore({ path: ledger, expiry });
  return openRedisStore({ url: ledger, identity, expiry });
}

function half(content: unknown): string {
  const text = String(content);
  return text.slice(0, text.length / 2);
}
