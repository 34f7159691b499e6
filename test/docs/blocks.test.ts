import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import type { Command } from 'commander';
import fastGlob from 'fast-glob';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/command-line.ts';
import { resolveOptions } from '../../src/config/options.ts';
import { formatMediaAddress, parseMediaAddress } from '../../src/index.ts';
import { createBuiltFolder } from '../support/site/built-folder.ts';
import { blockNames, blockOf, blocksRunBy, docBlocks } from '../support/site/doc-blocks.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFile(join(root, path), 'utf8');

describe('every code block of the README, the tutorial and the guides is run by a test', async () => {
  const pages = new Set(docBlocks.map(({ page }) => page));
  const tests = await fastGlob('test/**/*.test.ts', { cwd: root });
  const code = (await Promise.all(tests.map(read))).join('\n');

  test.each([...pages].filter((page) => /^(README|tutorial|guides\/.*)$/.test(page)))(
    '%s',
    (page) => {
      const blocks = blocksRunBy('named', page).map(({ line, language }) => `${line} ${language}`);
      const names: readonly string[] = Reflect.get(blockNames, page) ?? [];
      expect(blocks, `tests take ${names.join(', ')}`).toHaveLength(names.length);
      expect(names.filter((name) => !code.includes(`blockOf('${page}', '${name}')`))).toEqual([]);
      // The recipe of a CI host is its section's first block of a language.
      const recipes = blocksRunBy('host', page).map(
        (block) => `${block.section} ${block.language}`,
      );
      expect(recipes).toEqual([...new Set(recipes)]);
      for (const recipe of recipes)
        expect(recipe).toMatch(/^(## GitHub Pages)? (yaml|toml|json|js|sh)$/);
    },
  );
});

test.each(blocksRunBy('options', '').map(({ page, line, text }) => [`${page}:${line}`, text]))(
  'the options of %s are valid',
  (_, text) => {
    const options = new Function('mediaAsset', `return ${text}`)((given: unknown) => given);
    expect(() => resolveOptions(options, {})).not.toThrow();
  },
);

test('addresses are written and read as the guide shows', () => {
  const calls = blockOf('guides/markdown', 'address').matchAll(/^(\w+\(.*?\));\n\/\/ ([^\n]*)$/gms);
  const results = Array.from(calls, ([, call, result]) => {
    const run = new Function('formatMediaAddress', 'parseMediaAddress', `return ${call}`);
    const value: unknown = run(formatMediaAddress, parseMediaAddress);
    return { value: typeof value === 'string' ? value : inspect(value), result };
  });
  expect(results).toHaveLength(2);
  for (const { value, result } of results) expect(value).toBe(result);
});

test('a mistake in Markdown has the message that the guide shows', () => {
  const [shown = ''] = blockOf('guides/markdown', 'mistake').split(' …\n');
  const place = { file: 'src/content/notes/knot.md', line: 5 };
  expect(() => parseMediaAddress('media:4711?corp=1', { place })).toThrow(shown);
});

test("an asset in the URL of a host's image service is a usage", async () => {
  const folder = await createBuiltFolder();
  const image = blockOf('guides/css-open-graph-feeds', 'host image');
  await folder.write('out/index.html', image.replace('…', '0123456789abcdef-0123456789abcdef'));
  const words = ['scan', 'out', '--site', 'https://www.example.org', '--json'];
  const { stdout } = await folder.command(words);
  expect(JSON.parse(stdout).pages['https://www.example.org/'].assets).toEqual([4711]);
  await folder.delete();
});

test('every command and flag in the docs exists', async () => {
  const program = createProgram(() => async () => {}, { out() {}, note() {} });
  const unknown: string[] = [];
  for (const path of await fastGlob(['README.md', 'docs/**/*.md'], { cwd: root })) {
    const calls = (await read(path)).matchAll(
      /(?:`|^ *)(?:npx (?:--no )?)?(media-asset (?!help )[a-z][^`\n]*)/gm,
    );
    for (const [, call = ''] of calls) {
      let command: Command | undefined = program;
      for (const word of call.split(' ').slice(1)) {
        if (command?.commands.length) command = command.commands.find((one) => one.name() === word);
        else if (
          /^--?[a-z]/.test(word) &&
          !command?.options.some(({ short, long }) => [short, long].includes(word))
        )
          command = undefined;
      }
      if (!command || command.commands.length > 0) unknown.push(`${path}: ${call}`);
    }
  }
  expect(unknown).toEqual([]);
});

test('commands that can see secrets never come from the registry', async () => {
  const wanted = ['README.md', 'docs/**/*.md', 'templates/**', '.github/**/*.yml'];
  const found: string[] = [];
  for (const path of await fastGlob(wanted, { cwd: root, dot: true })) {
    const calls = (await read(path)).matchAll(/npx media-asset (?!emulator\b).*/g);
    found.push(...Array.from(calls, ([call]) => `${path}: ${call}`));
  }
  expect(found).toEqual([]);
});
