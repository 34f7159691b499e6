/** @module-tag slow */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import { appending } from '../../support/ledger/service-model.ts';
import type { Treatment } from '../../support/ledger/usage-server.ts';
import { childEnvironment } from '../../support/process/compile-cache.ts';
import { commandEntry } from '../../support/site/built-folder.ts';
import { command, flags, folder, server, token, useUsageProject } from './usage-project.ts';

useUsageProject({ semantics: appending });

beforeEach(async () => {
  for (const number of [1, 2, 3, 4, 5, 6]) {
    await folder.page(`dist/p${number}/index.html`, `Page ${number}`, 4711);
  }
});

const report = (...words: string[]) => command('report', 'dist', '--yes', '--json', ...words);

const silence = () => new Promise<never>(() => {});
const outOfTime = /The time limit of the run was reached\./;
/** How the service behaves, and why a run with a time limit leaves usages unsent. */
const answers: [string, () => Treatment | Promise<Treatment>, RegExp][] = [
  // No run waits this long, so this one may end before its limit.
  ['asks to wait for an hour', () => ({ status: 429, retryAfter: 3600 }), /\(429\)|time limit/],
  ['asks to wait for a minute', () => ({ status: 429, retryAfter: 60 }), outOfTime],
  ['fails, and asks to wait for a minute', () => ({ status: 503, retryAfter: 60 }), outOfTime],
  ['never answers', silence, outOfTime],
];

/** The next run sends the rest once the service works. */
async function expectCompletion(): Promise<void> {
  server.treat = () => 'done';
  expect(JSON.parse((await report()).stdout)).toMatchObject({ unsent: 0 });
  expect(server.model.list()).toEqual(
    [1, 2, 4, 5, 6, 7].map((number) => `https://harbour.example/p${number}/ 4711 Page ${number}`),
  );
}

describe.each(answers)('with a service that %s', (_, treat, reason) => {
  beforeEach(async () => {
    expect((await report()).exitCode).toBe(0);
    await folder.remove('dist/p3');
    await folder.page('dist/p7/index.html', 'Page 7', 4711);
    server.treat = treat;
  });

  test('a report ends at its time limit of a second and keeps the rest', async () => {
    const { exitCode, stdout } = await report('--time-limit', '1');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ reported: 0, removed: 0, unsent: 2 },
      findings: [{ code: 'usage-unsent', message: expect.stringMatching(reason) }],
    });
    expect(server.model.list()).toHaveLength(6);
    await expectCompletion();
  });
});

test('Ctrl-C ends a report that waits for a silent service', async () => {
  const asked = Promise.withResolvers<void>();
  server.treat = () => {
    asked.resolve();
    return silence();
  };
  const words = [commandEntry, 'report', 'dist', ...flags(), '--yes', '--json'];
  const env = { ...childEnvironment, ...token };
  const child = spawn(process.execPath, words, { cwd: folder.dir, env });
  const output = text(child.stdout);
  child.stderr.resume();
  await asked.promise;
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([4, null]);
  expect(await output).toContain('The run was interrupted.');
  await folder.remove('dist/p3');
  await folder.page('dist/p7/index.html', 'Page 7', 4711);
  await expectCompletion();
});
