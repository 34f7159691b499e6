/**
 * Installs Astro itself:
 * @module-tag any-astro
 * @module-tag slow
 */

import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { startEmulator } from '../../../src/emulator/index.ts';
import { copyExample } from '../../support/site/example-site.ts';
import {
  ceilingWithoutAstro,
  installPackages,
  packPackage,
  weighInstall,
} from '../../support/site/packed-package.ts';
import { run, type Site, siteIn, type Variables } from '../../support/site/site.ts';
import { outputOf, useSite } from '../../support/site/site-with-service.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const setup = useSite('bare');
let folder: string;
let site: Site;

/** A user's project with nothing but Astro and the packed package from the registry. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'package-'));
  const tarball = await packPackage(folder);
  const dir = join(folder, 'site');
  await cp(join(root, 'fixtures/sites/bare'), dir, { recursive: true });
  await installPackages(dir, {
    astro: manifest.devDependencies.astro,
    'astro-media-asset': `file:${tarball}`,
  });
  site = siteIn(dir);
});

afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

/** Runs the installed command. */
function command(environment: Variables, ...words: string[]) {
  const entry = site.path('node_modules/astro-media-asset/dist/cli/main.js');
  return run(site.dir, entry, words, environment);
}

test('the packed package works in a bare Astro site', async () => {
  const environment = { ...setup.emulator.env, MEDIA_ASSET_REPORT: 'always' };
  const output = await outputOf(site.build(environment));

  expect(output).toContain('2 reported, 0 removed');
  const html = await site.read('dist/index.html');
  const addresses = html.match(/\/_astro\/media-asset\/[^"') ]+/g) ?? [];
  expect(addresses.length).toBeGreaterThanOrEqual(3);
  for (const address of addresses) expect(await site.readOutput(address)).not.toHaveLength(0);
  expect(setup.pairs()).toEqual(['4711 https://bare.example/', '4712 https://bare.example/']);
});

test('an install with Astro is above the ceiling of one without', async () => {
  const { packages, MB } = await weighInstall(site.dir);
  expect(packages).toBeGreaterThan(ceilingWithoutAstro.packages);
  expect(MB).toBeGreaterThan(ceilingWithoutAstro.MB);
});

test('its command and its client work there', async () => {
  const { stdout } = await command({}, 'scan', 'dist', '--json');
  expect(JSON.parse(stdout).pages).toEqual({
    'https://bare.example/': { pageName: 'Bare', assets: [4711, 4712] },
  });

  await site.write(
    'client.mjs',
    "import { createMediaService } from 'astro-media-asset/service';\nconsole.log(typeof createMediaService);\n",
  );
  const client = await run(site.dir, site.path('client.mjs'), [], {});
  expect(client.stdout).toBe('function\n');
});

test('it says what to install if an option needs another package', async () => {
  const environment = { MEDIA_ASSET_STATE_URL: 'redis://127.0.0.1:9' };
  const { output } = await command(environment, 'status');
  expect(output).toContain('run `npm install redis`.');
});

test('its emulator runs there, and leaves nothing behind', async () => {
  await site.write(
    'emulator.mjs',
    `import { existsSync } from 'node:fs';
import { startEmulator } from 'astro-media-asset/emulator';
const emulator = await startEmulator();
const { status } = await fetch(emulator.url);
await emulator.close();
console.log(status, existsSync(emulator.media));
`,
  );
  const { stdout } = await run(site.dir, site.path('emulator.mjs'), [], {});
  expect(stdout).toBe('200 false\n');
});

describe.each([
  // Their services start alike.
  { name: 'minimal', pages: 1, usages: 1, again: true },
  { name: 'blog', pages: 4, usages: 6, again: false },
  { name: 'decap', pages: 3, usages: 3, again: false },
])('examples/$name', ({ name, pages, usages, again }) => {
  let example: Site;

  /** The files that `npm create astro` gets from the repository, and another port. */
  beforeAll(async () => {
    example = await copyExample(name, site.path(`examples/${name}`));
    await symlink(site.path('node_modules'), example.path('node_modules'), 'junction');
  });

  test('names the packages that it is tested with', async () => {
    const { dependencies } = JSON.parse(await example.read('package.json'));
    const { astro } = manifest.devDependencies;
    expect(dependencies).toEqual({ astro, 'astro-media-asset': `^${manifest.version}` });
  });

  test('builds with the service that its config starts, and reports to it', async () => {
    const first = await outputOf(example.build());
    expect(first).toContain(`${pages} scanned`);
    expect(first).toContain(`${usages} reported, 0 removed`);
    expect(first).not.toMatch(/\[(?:WARN|ERROR)\]/);
  });

  test.runIf(again)('builds next to another process that runs the service', async () => {
    const service = await startEmulator({
      media: example.path('node_modules/astro-media-asset/samples'),
      data: example.path('.emulator'),
      port: Number(/127\.0\.0\.1:(\d+)/.exec(await example.read('.env'))?.[1]),
    });
    onTestFinished(() => service.close());
    expect(service.usages()).not.toEqual([]);
    expect(await outputOf(example.build())).toContain('nothing changed, no request sent');
  });
});

test('it contains what it needs and nothing else', async () => {
  const files = await site.files('node_modules/astro-media-asset/**');
  const folders = new Set(files.map((file) => file.split('/').slice(2, 4).join('/')));
  expect([...folders].filter((name) => !/^(dist|docs)\//.test(name)).sort()).toEqual([
    'LICENSE',
    'README.md',
    'package.json',
    'samples/dawn.jpg',
    'samples/quay.jpg',
    'samples/schooner.jpg',
    'src/components',
    'templates/crops.html',
    'templates/gitlab.yml',
  ]);
});
