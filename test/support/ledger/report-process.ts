/**
 * Makes one real report and exits with 0 if it was complete. With `killAt` it ends itself with
 * SIGKILL at that point, counted from 1: before each change of a file, in the middle of each write,
 * and before and after each request. With `failAt`, the disk is full once at that point. Prints the
 * number of points.
 */
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import type { ReportJob } from './start-report.ts';

const job = JSON.parse(process.argv[2] ?? '') as ReportJob;
let points = 0;
let requests = 0;

/** Never returns at the chosen point, or fails there. */
async function point(before?: () => Promise<unknown>): Promise<void> {
  points += 1;
  if (points === job.failAt) {
    await before?.();
    const full = new Error('ENOSPC: no space left on device, write');
    throw Object.assign(full, { code: 'ENOSPC', syscall: 'write' });
  }
  if (points !== job.killAt) return;
  await before?.();
  await die();
}

async function die(): Promise<void> {
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => {});
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
const { redisStateStore } = await import('../../../src/usage/ledger/open-state-store.ts');
const { reportUsage } = await import('../../../src/usage/report/report-usage.ts');

const { manifest, fields, identity, token, windowSize, concurrency = 4 } = job;
const service = createMediaService({
  baseUrl: identity.service,
  credentials: { kind: 'access-token', accessToken: token },
  async fetch(...parameters) {
    requests += 1;
    if (requests === job.killAtRequest) await die();
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
process.stdout.write(`${points}\n`);
process.exitCode = outcome === 'done' ? 0 : 4;

function openStore({ ledger, kind = 'file', expiry = 60_000 }: ReportJob) {
  if (kind === 'file') return fileStateStore({ path: ledger, expiry });
  return redisStateStore({ url: ledger, identity, expiry });
}

function half(content: unknown): string {
  const text = String(content);
  return text.slice(0, text.length / 2);
}
