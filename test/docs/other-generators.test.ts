import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Emulator, startEmulator } from '../../src/emulator/index.ts';
import { type BuiltFolder, createBuiltFolder } from '../support/site/built-folder.ts';
import { blockOf } from '../support/site/doc-blocks.ts';

/** The generators aren't installed: the tests write the folders that Hugo, Eleventy and Next.js make. */

const samples = fileURLToPath(new URL('../../samples', import.meta.url));

let emulator: Emulator;
let folder: BuiltFolder;

beforeAll(async () => {
  emulator = await startEmulator({ media: samples });
});

beforeEach(async () => {
  emulator.reset();
  folder = await createBuiltFolder();
  return () => folder.delete();
});

afterAll(() => emulator.close());

/** Runs the guide's commands for the folder, and returns what the service lists afterwards. */
async function listedAfter(commands: string): Promise<string[]> {
  for (const line of commands.trim().split('\n')) {
    const [npx, program, ...words] = line
      .replaceAll("'", '')
      .replace('npx --no ', 'npx ')
      .split(' ');
    if (program !== 'media-asset') continue;
    expect(npx).toBe('npx');
    const { exitCode, output } = await folder.command(words, { ...emulator.environment });
    expect(exitCode, output).toBe(0);
  }
  return emulator.usages().map(({ asset, page, pageName }) => `${asset} ${page} ${pageName}`);
}

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${body}</body></html>`;

test('the commands report what a page names', async () => {
  await folder.write('public/index.html', blockOf('guides/other-generators', 'page'));
  const usages = await listedAfter(blockOf('guides/other-generators', 'commands'));
  expect(usages).toEqual(['4711 https://www.example.org/ The harbour']);
});

test('the variables are enough for the doctor', async () => {
  const values: Readonly<Record<string, string>> = {
    MEDIA_ASSET_BASE_URL: emulator.url,
    MEDIA_ASSET_CLIENT_ID: 'emulator',
    MEDIA_ASSET_CLIENT_SECRET: 'emulator-secret',
    MEDIA_ASSET_REFRESH_TOKEN: 'emulator-refresh-token',
  };
  const variables = blockOf('guides/other-generators', 'variables');
  const env = variables.replace(/^(\w+)=.*$/gm, (_, name) => `${name}=${values[name]}`);
  await folder.write('.env', env);
  const { exitCode, output } = await folder.command(['doctor']);
  expect(exitCode, output).toBe(0);
});

test('a shortcode of Hugo names its asset, and an alias page reports nothing', async () => {
  const content = blockOf('guides/other-generators', 'hugo content');
  const parameters = new Map(
    Array.from(content.matchAll(/(\w+)="([^"]*)"/g), ([, name = '', value = '']) => [name, value]),
  );
  const image = blockOf('guides/other-generators', 'hugo shortcode').replaceAll(
    /\{\{ \.Get "(\w+)"( \| relURL)? \}\}/g,
    (_, name, isUrl) => `${isUrl ? '/' : ''}${parameters.get(name)}`,
  );
  await folder.write('public/quay/index.html', page('The quay', image));
  await folder.write(
    'public/old-quay/index.html',
    `<meta http-equiv="refresh" content="0; url=https://www.example.org/quay/">${image}`,
  );
  expect(await listedAfter(blockOf('guides/other-generators', 'hugo commands'))).toEqual([
    '4711 https://www.example.org/quay/ The quay',
  ]);
});

test('a shortcode of Eleventy names its asset', async () => {
  const config = blockOf('guides/other-generators', 'eleventy config');
  await folder.write('eleventy.config.mjs', config);
  const { default: configure } = await import(join(folder.dir, 'eleventy.config.mjs'));
  const shortcodes = new Map<string, (...parameters: unknown[]) => string>();
  configure({
    addPassthroughCopy() {},
    addShortcode: (name: string, render: () => string) => shortcodes.set(name, render),
  });
  const [, name = '', parameters] =
    /\{% (\w+) (.*) %\}/.exec(blockOf('guides/other-generators', 'eleventy content')) ?? [];
  const image = shortcodes.get(name)?.(...JSON.parse(`[${parameters}]`)) ?? '';
  await folder.write('_site/quay/index.html', page('The quay', image));
  expect(await listedAfter(blockOf('guides/other-generators', 'eleventy commands'))).toEqual([
    '4711 https://www.example.org/quay/ The quay',
  ]);
});

test('a component of Next.js names its asset, and its error pages report nothing', async () => {
  const config = blockOf('guides/other-generators', 'next config');
  expect(config).toContain("{ output: 'export', trailingSlash: true }");
  const render = (tag: unknown, { children, ...props }: Readonly<Record<string, unknown>>) => {
    if (typeof tag === 'function') return tag(props);
    const attributes = Object.entries(props).map(([name, value]) => `${name}="${value}"`);
    return `<${tag} ${attributes.join(' ')}>`;
  };
  const code = [
    blockOf('guides/other-generators', 'next component'),
    blockOf('guides/other-generators', 'next page').replace(/^import .*$/m, ''),
  ].join('\n');
  const script = ts.transpile(code.replaceAll(/^export (default )?/gm, ''), {
    jsx: ts.JsxEmit.React,
    jsxFactory: 'render',
    target: ts.ScriptTarget.ESNext,
  });
  const { image, title } = new Function(
    'render',
    `${script}; return { image: Page(), title: metadata.title };`,
  )(render);
  await folder.write('out/quay/index.html', page(title, image));
  for (const file of ['404.html', '404/index.html', '_not-found/index.html'])
    await folder.write(`out/${file}`, page('404: This page could not be found.', ''));
  expect(await listedAfter(blockOf('guides/other-generators', 'next commands'))).toEqual([
    '4711 https://www.example.org/quay/ The quay',
  ]);
});
