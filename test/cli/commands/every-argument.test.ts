import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProgram } from '../../../src/cli/command-line.ts';
import { runInterrupted } from '../../support/process/run-command.ts';
import { type BuiltFolder, createBuiltFolder } from '../../support/site/built-folder.ts';

const site = ['--site', 'https://harbour.example', '--service', 'http://127.0.0.1:9'];

/** The start of a valid command line for each command. */
const rightWords: Readonly<Record<string, readonly string[]>> = {
  scan: ['dist', ...site],
  plan: ['dist', ...site],
  report: ['dist', ...site, '--yes'],
  status: site,
  reconcile: ['dist', ...site],
  retire: [...site, '--yes'],
  folders: [],
  files: ['1'],
  search: ['quay'],
  record: ['4711'],
  import: ['images', '--folder', '1'],
  usages: ['4711'],
  unused: ['dist', '--folder', '1', ...site],
  rights: ['dist', ...site],
  watch: [],
  withdraw: ['4711', ...site],
  audit: ['dist', ...site],
  crops: [],
  login: [],
  logout: [],
  init: [],
  explain: ['site-missing'],
  doctor: [],
  emulator: ['--media', 'media', '--data', 'data'],
};

let folder: BuiltFolder;

beforeAll(async () => {
  folder = await createBuiltFolder();
  await folder.page('dist/index.html', 'Harbour', 4711);
  await folder.write('quay.jpg', 'a picture');
});

afterAll(() => folder.delete());

/** All commands with their arguments and options that take a value. */
const program = createProgram(() => async () => {}, { out() {}, note() {} });
const commands = program.commands.map((command) => [command.name(), command] as const);

/** The valid command line with one value replaced. */
function* wordsWith(name: string, command: Command, value: string) {
  const words = [name, ...(rightWords[name] ?? [])];
  for (const [index, argument] of command.registeredArguments.entries()) {
    yield { what: argument.name(), words: words.toSpliced(index + 1, 1, value) };
  }
  for (const { long, required, optional } of command.options) {
    if (long && (required || optional)) yield { what: long, words: [...words, `${long}=${value}`] };
  }
}

test('covers every command', () => {
  expect(commands.map(([name]) => name)).toEqual(Object.keys(rightWords));
});

describe.each(commands)('%s', (name, command) => {
  test.each(['', ' '])('refuses %j as any argument', async (value) => {
    for (const { what, words } of wordsWith(name, command, value)) {
      const { exitCode, stdout, stderr } = await runInterrupted(words, { directory: folder.dir });
      expect({ what, exitCode, stdout }).toEqual({ what, exitCode: 2, stdout: '' });
      expect(stderr, what).toMatch(/\[command-usage\]|Allowed choices are /);
      expect(stderr.length, what).toBeLessThan(500);
      expect(stderr, what).not.toContain('s3cr3t');
    }
  });
});
