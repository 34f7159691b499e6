/** @module-tag slow */
import { beforeEach, expect, test } from 'vitest';
import { appending } from '../../support/ledger/service-model.ts';
import type { Treatment } from '../../support/ledger/usage-server.ts';
import { folder, report, server, startReport, useUsageProject } from './usage-project.ts';

useUsageProject({ semantics: appending });

beforeEach(async () => {
  for (const number of [1, 2, 3, 4, 5, 6]) {
    await folder.page(`dist/p${number}/index.html`, `Page ${number}`, 4711);
  }
});

const silence = () => new Promise<never>(() => {});

/** Removes a page and adds another. */
async function editSite(): Promise<void> {
  await folder.remove('dist/p3');
  await folder.page('dist/p7/index.html', 'Page 7', 4711);
}

/** The next run sends the rest once the service works. */
async function expectCompletion(): Promise<void> {
  server.treat = () => 'done';
  expect(JSON.parse((await report('--json')).stdout)).toMatchObject({ unsent: 0 });
  expect(server.model.list()).toEqual(
    [1, 2, 4, 5, 6, 7].map((number) => `https://harbour.example/p${number}/ 4711 Page ${number}`),
  );
}

test.each<[string, NodeJS.Signals, () => Treatment | Promise<Treatment>]>([
  ['asks to wait for a minute', 'SIGTERM', () => ({ status: 429, retryAfter: 60 })],
  ['fails, and asks to wait for a minute', 'SIGTERM', () => ({ status: 503, retryAfter: 60 })],
  ['never answers', 'SIGTERM', silence],
  ['never answers', 'SIGINT', silence],
])('with a service that %s, %s ends a report, which keeps the rest', async (_, signal, treat) => {
  expect((await report()).exitCode).toBe(0);
  await editSite();
  const asked = Promise.withResolvers<void>();
  server.treat = () => {
    asked.resolve();
    return treat();
  };
  const run = startReport({ words: ['--json'] });
  await asked.promise;
  run.end(signal);
  // GNU `timeout` sends it twice.
  if (signal === 'SIGTERM') run.end(signal);
  const ended = await run.ended;
  expect(ended).toMatchObject({ exitCode: 4, signal: null });
  expect(ended.stderr).toContain('Finishing the current requests.');
  expect(JSON.parse(ended.stdout)).toMatchObject({
    ...{ reported: 0, removed: 0, unsent: 2 },
    findings: [{ code: 'usage-unsent', message: '2 usages unsent: The run was interrupted.' }],
  });
  expect(server.model.list()).toHaveLength(6);
  await expectCompletion();
});

test("doesn't wait for an hour, however long a service asks for that", async () => {
  server.treat = () => ({ status: 429, retryAfter: 3600 });
  const { exitCode, stdout } = await report('--json');
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ reported: 0, unsent: 6 },
    findings: [
      { code: 'ledger-missing' },
      { code: 'usage-unsent', message: expect.stringContaining('(429)') },
    ],
  });
});

test("of two concurrent reports, the later one waits until it's interrupted, and both end well", async () => {
  const arrival = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  server.treat = async () => {
    arrival.resolve();
    await gate.promise;
    return 'done' as const;
  };
  const first = startReport();
  await arrival.promise;
  await editSite();
  const interrupted = startReport();
  const second = startReport();
  await interrupted.says('Waiting up to');
  interrupted.end('SIGINT');
  expect(await interrupted.ended).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('[ledger-busy]'),
  });
  await second.says('Waiting up to');
  expect(server.log.filter(({ page }) => page.includes('/p7/'))).toEqual([]);
  gate.resolve();
  expect(await first.ended).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('6 usages reported'),
  });
  expect(await second.ended).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('1 usage reported, 1 removed'),
  });
  await expectCompletion();
});
