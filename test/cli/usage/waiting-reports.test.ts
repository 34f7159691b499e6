/** @module-tag slow */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { appending } from '../../support/ledger/service-model.ts';
import { childEnvironment } from '../../support/process/compile-cache.ts';
import { commandEntry } from '../../support/site/built-folder.ts';
import { flags, folder, server, token, useUsageProject } from './usage-project.ts';

useUsageProject({ semantics: appending });

let children: ChildProcess[];

beforeEach(async () => {
  children = [];
  for (const id of [4711, 4712]) await folder.page(`dist/${id}/index.html`, `Page ${id}`, id);
});

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts `media-asset report`. `waits` resolves once it says that it waits. */
function report(...words: string[]) {
  const child = spawn(
    process.execPath,
    [commandEntry, 'report', 'dist', '--yes', ...flags(), ...words],
    { cwd: folder.dir, env: { ...childEnvironment, ...token } },
  );
  children.push(child);
  const waits = Promise.withResolvers<void>();
  let stderr = '';
  child.stderr.on('data', (said) => {
    stderr += said;
    if (stderr.includes('Waiting up to')) waits.resolve();
  });
  const end = Promise.all([once(child, 'close'), text(child.stdout)]).then(
    ([[exitCode], stdout]) => ({ exitCode, stdout, stderr }),
  );
  return { child, waits: waits.promise, end };
}

test("of two concurrent reports, the later one waits until it's interrupted, and both end well", async () => {
  const arrival = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  server.treat = async () => {
    arrival.resolve();
    await gate.promise;
    return 'done' as const;
  };
  const first = report();
  await arrival.promise;
  await folder.page('dist/4712/index.html', 'Another name', 4712);
  const limited = report('--time-limit', '2');
  const interrupted = report();
  const second = report();
  await interrupted.waits;
  interrupted.child.kill('SIGINT');
  for (const { end } of [limited, interrupted]) {
    expect(await end).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('[ledger-busy]'),
    });
  }
  await second.waits;
  expect(server.log).toHaveLength(2);
  gate.resolve();
  expect(await first.end).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('2 usages reported'),
  });
  expect(await second.end).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('1 usage reported, 0 removed'),
  });
  expect(server.model.list()).toEqual([
    'https://harbour.example/4711/ 4711 Page 4711',
    'https://harbour.example/4712/ 4712 Another name',
  ]);
});
