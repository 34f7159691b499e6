import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { appending } from '../../support/ledger/service-model.ts';
import { runCommand } from '../../support/process/run-command.ts';
import { flags, folder, report, server, token, useUsageProject } from './usage-project.ts';

useUsageProject({ semantics: appending });

const silence = () => new Promise<never>(() => {});
const assets = [4711, 4712, 4713];

let before: { ledger: string; listed: string[] };

beforeEach(async () => {
  for (const id of assets) await folder.page(`dist/${id}/index.html`, `Page ${id}`, id);
  await report();
  await folder.page('dist/4713/index.html', 'Another name', 4713);
  before = { ledger: await ledger(), listed: server.model.list() };
  server.log.length = 0;
});

async function ledger(): Promise<string> {
  const names = await readdir(folder.path('.media-asset'));
  const name = names.find((one) => one.startsWith('ledger-')) ?? '';
  return readFile(folder.path(join('.media-asset', name)), 'utf8');
}

/** Makes the service answer a number of listings, and none after that. */
function answerListings(most: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let count = 0;
  server.list = () => {
    count += 1;
    if (count <= most) return 'records';
    resolve();
    return silence();
  };
  return promise;
}

/** Runs a command. Once `interrupt` resolves, ends it like Ctrl-C. */
function run(words: readonly string[], interrupt?: Promise<void>) {
  const ended = new AbortController();
  void interrupt?.then(() => ended.abort());
  return runCommand([...words, ...flags()], {
    directory: folder.dir,
    environment: token,
    signal: ended.signal,
  });
}

async function expectNothingChanged(): Promise<void> {
  expect(server.log).toEqual([]);
  expect(server.model.list()).toEqual(before.listed);
  expect(await ledger()).toBe(before.ledger);
  expect(await readdir(folder.path('.media-asset'))).toHaveLength(2);
}

describe.each<[string, number, string[]]>([
  ['a later listing', 2, ['reconcile', 'dist', '--yes', '--json']],
  ['the listing of the repair', 4, ['reconcile', 'dist', '--yes']],
])("reconcile, if the service doesn't answer %s", (_, answered, words) => {
  test('is ended by Ctrl-C, changes nothing and says so', async () => {
    const ended = await run(words, answerListings(answered));
    expect(ended.exitCode).toBe(4);
    if (words.includes('--json')) {
      expect(JSON.parse(ended.stdout)).toMatchObject({ error: { code: 'listing-ended' } });
    } else expect(ended.stdout).toBe('');
    expect(ended.stderr).toMatch(
      /The run ended before the service had listed everything.*\[listing-ended\]/s,
    );
    await expectNothingChanged();
  });
});

test('a reconcile after an interrupted one repairs everything', async () => {
  const asked = answerListings(4);
  expect(await run(['reconcile', 'dist', '--yes'], asked)).toMatchObject({ exitCode: 4 });
  server.list = () => 'records';
  expect(await run(['reconcile', 'dist', '--yes'])).toMatchObject({ exitCode: 0 });
  expect(server.model.list()).toEqual([
    'https://harbour.example/4711/ 4711 Page 4711',
    'https://harbour.example/4712/ 4712 Page 4712',
    'https://harbour.example/4713/ 4713 Another name',
  ]);
});

test('Ctrl-C ends a waiting retire, and the next one removes the rest', async () => {
  const asked = Promise.withResolvers<void>();
  server.treat = (_, index) => {
    if (index === 0) return 'done';
    asked.resolve();
    return silence();
  };
  const { exitCode, stdout } = await run(['retire', '--yes', '--json'], asked.promise);
  expect(exitCode).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({ removed: 1, unsent: 2 });
  server.treat = () => 'done';
  expect(await run(['retire', '--yes'])).toMatchObject({ exitCode: 0 });
  expect(server.model.list()).toEqual([]);
});
