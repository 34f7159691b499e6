/** @module-tag slow */
/** @module-tag any-astro */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { childEnvironment } from '../../support/process/compile-cache.ts';
import { startDevServer } from '../../support/site/dev-server.ts';
import { blockOf } from '../../support/site/doc-blocks.ts';
import { createSite, type Site } from '../../support/site/site.ts';

let site: Site;
let emulator: ChildProcess;
let url: string;

beforeAll(async () => {
  site = await createSite('bare', { sharedAstro: true });
  expect(blockOf('tutorial', 'service')).toBe('npx media-asset emulator\n');
  const entry = site.path('node_modules/astro-media-asset/dist/cli/main.js');
  // The tutorial's port may be in use on this machine.
  const words = [entry, 'emulator', '--port', '0'];
  const env = { ...childEnvironment, HOME: site.dir };
  emulator = spawn(process.execPath, words, { cwd: site.dir, env });
  const [greeting] = await once(emulator.stdout as NodeJS.ReadableStream, 'data');
  url = /http:\S+/.exec(`${greeting}`)?.[0] ?? '';
  const variables = blockOf('tutorial', 'env').replace('http://127.0.0.1:4710', url);
  for (const line of variables.split('\n').slice(1)) expect(`${greeting}`).toContain(line);
  await site.write('.env', variables);
  await site.write('astro.config.mjs', blockOf('tutorial', 'config'));
  await site.write('src/pages/index.astro', blockOf('tutorial', 'page'));
});

afterAll(async () => {
  emulator.kill();
  await once(emulator, 'exit');
  await site.delete();
});

/** The text of the tutorial as a reader sees it. */
const assetPage = async () => (await fetch(`${url}/asset/4711`)).text();

test("Git ignores the tutorial's secrets, service and ledger", async () => {
  await promisify(execFile)('sh', ['-c', blockOf('tutorial', 'ignored')], { cwd: site.dir });
  expect((await site.read('.gitignore')).trim().split('\n')).toEqual([
    ...['.env', '.emulator/', '.media-asset/'],
  ]);
});

test('the tutorial leads to a cropped image and its usage, and removes the usage with the image', async () => {
  // The scripts of the template: `astro dev` and `astro build`.
  expect(blockOf('tutorial', 'dev')).toBe('npm run dev\n');
  const dev = await startDevServer({ site, emulator: { env: {} } });
  const page = await (await fetch(dev.url)).text();
  const image = /src="(\/_astro\/media-asset\/[^"]+)"/.exec(page)?.[1];
  expect((await fetch(dev.url + image)).headers.get('content-type')).toMatch(/^image/);
  await dev.stop();

  expect(blockOf('tutorial', 'build')).toBe('npm run build\n');
  const first = await site.build();
  expect(first.exitCode, first.output).toBe(0);
  expect(await assetPage()).toContain('<bdi>The harbour</bdi>');
  const ledgerLines = first.output.split('\n').filter((line) => /ledger/i.test(line));
  expect(ledgerLines).toEqual([
    expect.stringMatching(
      /No ledger yet: all usages are reported\. In CI, keep it from build to build\./,
    ),
  ]);
  expect(await site.files('dist/_astro/media-asset/4711-*.webp')).toHaveLength(4);

  await site.edit('src/pages/index.astro', /<MediaAsset.*?\/>/s, '');
  expect(blockOf('tutorial', 'again')).toBe('npm run build\n');
  const second = await site.build();
  expect(second.exitCode, second.output).toBe(0);
  expect(await assetPage()).not.toContain('The harbour');
});

test("the README's example, config and variables work with the emulator", async () => {
  const values: Readonly<Record<string, string>> = {
    MEDIA_ASSET_BASE_URL: url,
    MEDIA_ASSET_CLIENT_ID: 'emulator',
    MEDIA_ASSET_CLIENT_SECRET: 'emulator-secret',
    MEDIA_ASSET_REFRESH_TOKEN: 'emulator-refresh-token',
  };
  const variables = blockOf('README', 'variables');
  const env = variables.replace(/^(\w+)=.*$/gm, (_, name) => `${name}=${values[name]}`);
  await site.write('.env', env);
  await site.write('astro.config.mjs', blockOf('README', 'config'));
  await site.write('src/pages/index.astro', blockOf('README', 'example'));
  const { exitCode, output } = await site.build();
  expect(exitCode, output).toBe(0);
  expect(await site.files('dist/_astro/media-asset/4711-*.webp')).toHaveLength(4);
});

test('the commands that need a registry or a clone match the package', async () => {
  const create = blockOf('tutorial', 'create').trim().split('\n');
  expect(create[0]).toMatch(/^npm create astro@latest my-site -- /);
  expect(create.slice(1)).toEqual(['cd my-site', 'npm install astro-media-asset']);
  expect(blockOf('README', 'start')).toBe(
    'npm install astro-media-asset\nnpx media-asset emulator\n',
  );
  const { name, keywords, scripts } = JSON.parse(
    await site.read('node_modules/astro-media-asset/package.json'),
  );
  expect(name).toBe('astro-media-asset');
  expect(blockOf('README', 'add')).toBe('npx astro add astro-media-asset\n');
  // `astro add` takes a package for an integration by it.
  expect(keywords).toContain('astro-integration');
  expect(scripts).toMatchObject({ playground: expect.any(String) });
  // `package.test.ts` builds the examples.
  const template = /examples\/(\w+) --install --git\ncd my-site\nnpm run dev\n$/;
  expect(template.exec(blockOf('README', 'create'))?.[1]).toBe('minimal');
});
