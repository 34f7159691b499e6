import type { AstroIntegrationLogger } from 'astro';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { beginBuild, stampOutput } from '../../../src/astro/build/build-mark.ts';
import { reportBuild } from '../../../src/astro/build/report-build.ts';
import { startUsageServer, type UsageServer } from '../../support/ledger/usage-server.ts';
import { type BuiltFolder, createBuiltFolder } from '../../support/site/built-folder.ts';
import { siteBuild } from '../../support/site/site-build.ts';

let folder: BuiltFolder;
let server: UsageServer;

beforeEach(async () => {
  for (const name of ['CI', 'GITHUB_ACTIONS', 'NETLIFY']) vi.stubEnv(name, undefined);
  folder = await createBuiltFolder();
  server = await startUsageServer();
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await server.close();
    await folder.delete();
  });
});

/** Builds pages with these assets and reports them. @returns what the build has logged, and its failure */
async function run(
  pages: Record<string, number[]>,
  options: object = {},
  parts: Parameters<typeof siteBuild>[1] = {},
) {
  const logged: string[] = [];
  const log = (level: string) => (text: string) => logged.push(`${level} ${text}`);
  const logger = { info: log('info'), warn: log('warn'), error: log('error') };
  const build = siteBuild(folder.dir, {
    options,
    service: server.client(),
    logger: logger as unknown as AstroIntegrationLogger,
    ...parts,
  });
  await folder.remove('dist');
  await beginBuild(build);
  for (const [path, ids] of Object.entries(pages))
    await folder.page(`dist${path}index.html`, `Page ${path}`, ...ids);
  await stampOutput(build, build.config.outDir);
  const failure = await reportBuild(build, folder.path('dist')).catch((error: unknown) => error);
  return { text: logged.join('\n'), failure };
}

const harbour = { '/': [1], '/quay/': [1, 2] };
const later = { report: 'deploy' };
const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`/${at + 10}/`, [1]]));

describe('a build that sends', () => {
  test('reports its pages, says that it had no ledger, and prints a summary', async () => {
    const { text, failure } = await run(harbour);
    expect(failure).toBeUndefined();
    expect(server.model.list()).toHaveLength(3);
    expect(text).toMatch(/^info .*\[ledger-missing\]$/m);
    expect(text).toMatch(/^info pages {7}2 scanned$/m);
    expect(text).toMatch(/^info usages {6}3 reported/m);
    expect(text).not.toContain('[service-not-configured]');
  });

  test('prints its summary before it fails, and leaves the failure to Astro', async () => {
    server.treat = () => ({ status: 400 });
    const { text, failure } = await run(many, { report: { when: 'always', onError: 'fail' } });
    expect(failure).toMatchObject({ code: 'usage-unsent' });
    expect(text).toContain('info pages       12 scanned');
    expect(text).not.toContain('[usage-unsent]');
  });

  test('is ended by the signal that interrupts it once its summary and what is unsent are printed', async () => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    onTestFinished(() => kill.mockRestore());
    server.treat = () => {
      process.emit('SIGTERM', 'SIGTERM');
      return 'done';
    };
    const { text, failure } = await run(many, { report: { when: 'always', onError: 'fail' } });
    expect(text).toContain('info pages       12 scanned');
    expect(failure).toMatchObject({ code: 'usage-unsent' });
    expect(text).toContain('[usage-unsent]');
    expect(kill.mock.calls).toEqual([[process.pid, 'SIGTERM']]);
  });
});

describe('a build that only plans', () => {
  test('shows no page of a local plan without a ledger, which has all of them', async () => {
    const { text } = await run(harbour, later);
    expect(text).toContain('info usages      not sent');
    expect(text).not.toContain('/quay/');
    expect(text).not.toContain('[ledger-missing]');
    expect(server.log).toEqual([]);
  });

  test('shows the pages of a plan on a host', async () => {
    vi.stubEnv('NETLIFY', 'true');
    expect((await run(harbour, later)).text).toContain('/quay/');
  });

  test('shows the pages that have changed since a local report', async () => {
    await run(harbour);
    expect((await run({ ...harbour, '/ferry/': [2] }, later)).text).toContain('/ferry/');
  });

  test("warns if its clock was wrong, which the plan's pages don't show", async () => {
    const { text } = await run(harbour, later, { startedAt: '2999-01-01T00:00:00.000Z' });
    expect(text).toMatch(/^warn .*\[clock-ahead\]$/m);
  });

  test.each([
    ['passes with a warning', 'deploy', undefined],
    ['fails if it sends', 'always', { code: 'store-unreachable' }],
  ])('without its store, %s, whatever outages do to a report', async (_, when, expected) => {
    const store = { redis: 'redis://127.0.0.1:9' };
    const { text, failure } = await run(harbour, { report: { when, store, onError: 'fail' } });
    if (expected) return expect(failure).toMatchObject(expected);
    expect(failure).toBeUndefined();
    expect(text).toMatch(/^warn .*\[store-unreachable\]$/m);
  });
});

test('a build without credentials plans nothing, and says what it lacks', async () => {
  const { text } = await run(harbour, { service: {} });
  expect(text).toContain('info usages      not planned');
  expect(text).toMatch(/^warn .*\[service-not-configured\]$/m);
});
