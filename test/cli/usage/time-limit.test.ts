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
const outOfTime = /The time limit of the run was reached\./;

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

test.each<[string, () => Treatment | Promise<Treatment>, RegExp]>([
  // No run waits this long, so this one may end before its limit.
  ['asks to wait for an hour', () => ({ status: 429, retryAfter: 3600 }), /\(429\)|time limit/],
  ['asks to wait for a minute', () => ({ status: 429, retryAfter: 60 }), outOfTime],
  ['fails, and asks to wait for a minute', () => ({ status: 503, retryAfter: 60 }), outOfTime],
  ['never answers', silence, outOfTime],
])(
  'with a service that %s, a report ends at its time limit of a second and keeps the rest',
  async (_, treat, reason) => {
    expect((await report()).exitCode).toBe(0);
    await editSite();
    server.treat = treat;
    const { exitCode, stdout } = await report('--json', '--time-limit', '1');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ reported: 0, removed: 0, unsent: 2 },
      findings: [{ code: 'usage-unsent', message: expect.stringMatching(reason) }],
    });
    expect(server.model.list()).toHaveLength(6);
    await expectCompletion();
  },
);

test('Ctrl-C ends a report that waits for a silent service', async () => {
  const asked = Promise.withResolvers<void>();
  server.treat = () => {
    asked.resolve();
    return silence();
  };
  const run = startReport({ words: ['--json'] });
  await asked.promise;
  run.end('SIGINT');
  expect(await run.ended).toMatchObject({
    ...{ exitCode: 4, signal: null },
    stdout: expect.stringContaining('The run was interrupted.'),
  });
  await editSite();
  await expectCompletion();
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
  const limited = startReport({ words: ['--time-limit', '2'] });
  const interrupted = startReport();
  const second = startReport();
  await interrupted.says('Waiting up to');
  interrupted.end('SIGINT');
  for (const { ended } of [limited, interrupted]) {
    expect(await ended).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('[ledger-busy]'),
    });
  }
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
