/**
 * Installs no Astro:
 * @module-tag any-astro
 * @module-tag slow
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { childEnvironment } from '../../support/process/compile-cache.ts';
import { blockOf } from '../../support/site/doc-blocks.ts';
import {
  ceilingWithoutAstro,
  installPackages,
  packPackage,
  weighInstall,
} from '../../support/site/packed-package.ts';
import { type Run, run, type Site, siteIn } from '../../support/site/site.ts';

const hasHugo = spawnSync('hugo', ['version']).status === 0;
if (!hasHugo) {
  const missing = 'There is no hugo on the PATH (Debian: apt-get install hugo).';
  if (process.env.REQUIRE_HUGO === '1') throw new Error(missing);
  console.warn(`${missing} The test of its guide is skipped.`);
}

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));

let folder: string;
let tarball: string;
const emulators: ChildProcess[] = [];

/** A project with nothing but the packed package. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'without-astro-'));
  tarball = await packPackage(folder);
  await installPackages(folder, { 'astro-media-asset': `file:${tarball}` });
});

afterAll(async () => {
  for (const emulator of emulators) {
    emulator.kill();
    if (emulator.exitCode === null) await once(emulator, 'exit');
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});

const entry = () => join(folder, 'node_modules/astro-media-asset/dist/cli/main.js');

/** Runs the installed command. */
const command = (site: Site, ...words: string[]): Promise<Run> =>
  run(site.dir, entry(), words, { HOME: folder });

/** A folder of the project, whose `.env` has the lines that the installed emulator prints. */
async function withEmulator(name: string, words: readonly string[] = []): Promise<Site> {
  const site = siteIn(join(folder, name));
  await mkdir(site.dir, { recursive: true });
  const options = { cwd: site.dir, env: { ...childEnvironment, HOME: folder } };
  const started = spawn(process.execPath, [entry(), 'emulator', '--port', '0', ...words], options);
  emulators.push(started);
  const [greeting] = await once(started.stdout, 'data');
  await site.write(
    '.env',
    String(greeting)
      .match(/^ {2}MEDIA_ASSET_\w+=\S+$/gm)
      ?.join('\n') ?? '',
  );
  return site;
}

/** Runs the `media-asset` commands of a guide's block. Each must succeed. */
async function runCommands(site: Site, block: string): Promise<void> {
  for (const line of block
    .trim()
    .split('\n')
    .filter((line) => /^npx --no media-asset /.test(line))) {
    const done = await command(site, ...line.split(' ').slice(3));
    expect(done.exitCode, done.output).toBe(0);
  }
}

/** The pages that the service lists for an asset. */
async function pagesOf(site: Site, asset: string): Promise<unknown> {
  const { stdout } = await command(site, 'usages', asset, '--json');
  const { usages } = JSON.parse(stdout) as { usages: { page: string; pageName: string }[] };
  return usages.map(({ page, pageName }) => `${page} ${pageName}`);
}

test('an install in a project without Astro stays light, and installs no Astro', async () => {
  const { packages, MB } = await weighInstall(folder);
  expect(packages).toBeLessThanOrEqual(ceilingWithoutAstro.packages);
  expect(MB).toBeLessThanOrEqual(ceilingWithoutAstro.MB);
  const installed = await readdir(join(folder, 'node_modules'));
  expect(installed).toContain('astro-media-asset');
  expect(installed).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(astro|vite)$/)]));
});

test('commands for any folder of HTML work without Astro', async () => {
  const site = await withEmulator('html');
  await site.write('public/index.html', blockOf('guides/other-generators', 'page'));
  await runCommands(site, blockOf('guides/other-generators', 'commands'));
  const name = ['--site', 'https://www.example.org'];
  for (const words of [
    ['--help'],
    ['doctor'],
    ['status', ...name],
    ['audit', 'public', ...name],
    ['reconcile', 'public', '--yes', ...name],
    ['search', 'dawn'],
    ['record', '4711'],
  ]) {
    const done = await command(site, ...words);
    expect(done.exitCode, `${words.join(' ')}: ${done.output}`).toBe(0);
  }
  expect(await pagesOf(site, '4711')).toEqual(['https://www.example.org/ The harbour']);
});

test('commands that need Astro say so', async () => {
  const site = await withEmulator('astro');
  const init = await command(site, 'init', '--yes');
  expect(init.output).toContain('Run init in the folder of an Astro site.');
  await site.write('astro.config.mjs', 'export default {};\n');
  const record = await command(site, 'record', '4711');
  expect(record).toMatchObject({ exitCode: 1 });
  expect(record.output).toContain(
    "The command needs Astro to load astro.config.mjs, but Astro isn't installed here.",
  );
});

test('the client, the emulator and their types work without Astro', async () => {
  const site = siteIn(folder);
  await site.write(
    'client.mts',
    `import { startEmulator } from 'astro-media-asset/emulator';
import { createMediaService } from 'astro-media-asset/service';
console.log(typeof createMediaService, typeof startEmulator);
`,
  );
  expect((await run(folder, site.path('client.mts'), [], {})).stdout).toBe('function function\n');
  const types = ['--types', 'node', '--typeRoots', join(modules, '@types')];
  const words = ['--noEmit', '--strict', '--module', 'nodenext', ...types, 'client.mts'];
  const checked = await run(folder, join(modules, 'typescript/lib/tsc.js'), words, {});
  expect(checked.output).toBe('');
});

test.runIf(hasHugo)('the guide leads from nothing to a reported usage of a Hugo site', async () => {
  const install = 'npm install --save-dev astro-media-asset';
  const block = blockOf('guides/other-generators', 'new hugo site');
  expect(block).toContain(install);
  // The package is installed already, next to the site.
  const script = block.replace(install, 'ln -s ../node_modules node_modules');
  const made = spawnSync('sh', ['-ec', script], { cwd: folder, encoding: 'utf8' });
  expect(made.status, made.stderr).toBe(0);
  const service = blockOf('guides/other-generators', 'hugo service').trim().split(' ');
  expect(service.slice(0, 4).join(' ')).toBe('npx --no media-asset emulator');
  const site = await withEmulator('harbour', service.slice(4));
  const shortcode = blockOf('guides/other-generators', 'hugo shortcode');
  const layout = blockOf('guides/other-generators', 'hugo layout');
  // The guide's commands have made the folders.
  await writeFile(site.path('layouts/shortcodes/asset.html'), shortcode);
  await writeFile(site.path('layouts/_default/single.html'), layout);
  await writeFile(site.path('content/quay.md'), blockOf('guides/other-generators', 'hugo page'));
  const commands = blockOf('guides/other-generators', 'hugo commands');
  const [build = ''] = commands.split('\n');
  const built = spawnSync('sh', ['-c', build], { cwd: site.dir, encoding: 'utf8' });
  expect(built.status, built.stderr).toBe(0);
  await runCommands(site, commands);

  expect(await site.read('public/quay/index.html')).toContain(
    '<img data-media-asset="4711" src="/images/quay.jpg" alt="The quay at dawn">',
  );
  expect(await site.files('public/images/*')).toEqual(['public/images/quay.jpg']);
  expect(await pagesOf(site, '4711')).toEqual(['https://www.example.org/quay/ The quay']);
});

test('the guide leads to a reported usage of an Eleventy site', async () => {
  const site = await withEmulator('eleventy');
  const packages = { 'astro-media-asset': `file:${tarball}`, '@11ty/eleventy': '^3.1.0' };
  await installPackages(folder, packages);
  await site.write('eleventy.config.mjs', blockOf('guides/other-generators', 'eleventy config'));
  const content = blockOf('guides/other-generators', 'eleventy content');
  await site.write('quay.md', `<title>The quay</title>\n\n${content}`);
  const commands = blockOf('guides/other-generators', 'eleventy commands');
  expect(commands.split('\n')[0]).toBe('npx @11ty/eleventy');
  const built = await run(site.dir, join(folder, 'node_modules/@11ty/eleventy/cmd.cjs'), [], {});
  expect(built.exitCode, built.output).toBe(0);
  await runCommands(site, commands);
  expect(await pagesOf(site, '4711')).toEqual(['https://www.example.org/quay/ The quay']);
});
