import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, type Site } from '../support/site/site.ts';

const documentation = (name: string) =>
  readFile(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8');
const tutorial = await documentation('docs/tutorial.md');
const readme = await documentation('README.md');

let site: Site;
let emulator: ChildProcess;
let url: string;

beforeAll(async () => {
  site = await createSite('bare');
  expect(commandsOf(tutorial)).toContain('npx media-asset emulator');
  const entry = site.path('node_modules/astro-media-asset/dist/cli/main.js');
  // The tutorial's port may be taken on this machine.
  const words = [entry, 'emulator', '--port', '0'];
  const env = { PATH: process.env.PATH, HOME: site.dir };
  emulator = spawn(process.execPath, words, { cwd: site.dir, env });
  const [greeting] = await once(emulator.stdout as NodeJS.ReadableStream, 'data');
  url = /http:\S+/.exec(`${greeting}`)?.[0] ?? '';
  for (const line of (fileOf(tutorial, '.env') ?? '').split('\n').slice(1)) {
    expect(`${greeting}`).toContain(line.replace('http://127.0.0.1:4710', url));
  }
  for (const file of ['astro.config.mjs', 'src/pages/index.astro', '.env']) {
    const text = fileOf(tutorial, file) ?? '';
    await site.write(file, text.replace('http://127.0.0.1:4710', url));
  }
});

afterAll(async () => {
  emulator.kill();
  await once(emulator, 'exit');
  await site.delete();
});

/** The code block that names a file in its first comment. */
function fileOf(page: string, file: string): string | undefined {
  const blocks = [...page.matchAll(/```\w+\n(.*?)```/gs)].map(([, text = '']) => text);
  return blocks.find((text) => /(?:#|\/\/) (\S+)\n/.exec(text)?.[1] === file);
}

function commandsOf(page: string): string[] {
  const blocks = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, text = '']) => text);
  return blocks.flatMap((text) => text.split('\n'));
}

/** As the tutorial's reader sees it. */
const assetPage = async () => (await fetch(`${url}/asset/4711`)).text();

test('the tutorial leads to a cropped image and its usage, and to no usage once it is gone', async () => {
  const first = await site.build();
  expect(first.exitCode, first.output).toBe(0);
  expect(await assetPage()).toContain('<bdi>The harbor</bdi>');
  const ledgerLines = first.output.split('\n').filter((line) => /ledger/i.test(line));
  expect(ledgerLines).toEqual([
    expect.stringMatching(
      /No ledger yet: all usages are reported\. In CI, keep it from build to build\./,
    ),
  ]);
  expect(await site.files('dist/_astro/media-asset/4711-*/*.webp')).toHaveLength(2);

  await site.edit('src/pages/index.astro', /<MediaAsset.*?\/>/s, '');
  const second = await site.build();
  expect(second.exitCode, second.output).toBe(0);
  expect(await assetPage()).not.toContain('The harbor');
});

test('the first example of the README works with the first image of the emulator', async () => {
  const [, example = ''] = /```astro\n(.*?)```/s.exec(readme) ?? [];
  await site.write('src/pages/index.astro', example);
  const { exitCode, output } = await site.build();
  expect(exitCode, output).toBe(0);
  expect(await site.files('dist/_astro/media-asset/4711-*/*.webp')).toHaveLength(2);
});
