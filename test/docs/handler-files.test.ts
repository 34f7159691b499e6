import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../support/process/free-port.ts';
import { blockOf } from '../support/site/doc-blocks.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const variables = {
  MEDIA_ASSET_BASE_URL: 'https://dam.example',
  MEDIA_ASSET_CLIENT_ID: 'museum',
  MEDIA_ASSET_CLIENT_SECRET: 'a secret',
  MEDIA_COOKIE_SECRET: 'a secret with at least 32 characters',
};
const files = {
  'media.config.mjs': blockOf('guides/cms', 'media config'),
  'astro.config.mjs': blockOf('guides/cms', 'media integration'),
  'media.handler.mjs': blockOf('guides/cms', 'media handler'),
  'netlify/functions/media.mjs': blockOf('guides/cms', 'netlify'),
  'api/media.mjs': blockOf('guides/cms', 'vercel'),
  'vercel.json': blockOf('guides/cms', 'vercel rewrite'),
  'worker.mjs': blockOf('guides/cms', 'worker'),
  'wrangler.json': blockOf('guides/cms', 'wrangler'),
  'server.mjs': blockOf('guides/cms', 'node'),
  'src/pages/api/media/[...path].ts': blockOf('guides/cms', 'endpoint'),
};

type Answer = (given: never) => Promise<Response>;

describe("the guide's files for a handler", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'handler-'));
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    }
    await mkdir(join(folder, 'node_modules/@hono'), { recursive: true });
    await symlink(root, join(folder, 'node_modules/astro-media-asset'));
    for (const name of ['astro', '@hono/node-server'])
      await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  });

  afterAll(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });

  const load = (file: string) => import(pathToFileURL(join(folder, file)).href);
  const request = (path: string) =>
    new Request(`https://www.example.org/api/media/_media-asset/${path}`);

  test.each<[string, (module: Record<string, never>) => Answer]>([
    ['netlify/functions/media.mjs', ({ default: handler = undefined as never }) => handler],
    ['api/media.mjs', ({ GET = undefined as never }) => GET],
    ['worker.mjs', (module) => Reflect.get(module.default as never, 'fetch')],
  ])('%s answers', async (file, answerOf) => {
    const answer = answerOf(await load(file));
    const started = await answer(request('sign-in') as never);
    expect(started.status).toBe(303);
    const callback = 'https://www.example.org/api/media/_media-asset/callback';
    const location = new URL(started.headers.get('location') ?? '');
    expect(location.searchParams.get('redirect_uri')).toBe(callback);
    expect(await readFile(join(root, 'docs/guides/cms.md'), 'utf8')).toContain(`\`${callback}\``);
    expect((await answer(request('folders.json') as never)).status).toBe(403);
  });

  test('the endpoint of Astro answers', async () => {
    const { ALL, prerender } = await load('src/pages/api/media/[...path].ts');
    expect(prerender).toBe(false);
    expect((await ALL({ request: request('sign-in') })).status).toBe(303);
  });

  test('the server of Node answers', async () => {
    const port = await freePort();
    const env = { ...process.env, ...variables, PORT: String(port) };
    const server = spawn(process.execPath, ['server.mjs'], { cwd: folder, env, stdio: 'ignore' });
    onTestFinished(() => void server.kill());
    const address = `http://127.0.0.1:${port}/api/media/_media-asset/sign-in`;
    const ask = async () =>
      (await fetch(address, { redirect: 'manual' }).catch(() => undefined))?.status;
    await expect.poll(ask, { timeout: 100_000 }).toBe(303);
  });

  test('the settings of hosts send all paths of the handler to it', async () => {
    const [rewrite] = JSON.parse(files['vercel.json']).rewrites;
    expect('/api/media/_media-asset/folders.json').toMatch(new RegExp(`^${rewrite.source}$`));
    const { main, assets, compatibility_flags } = JSON.parse(files['wrangler.json']);
    expect([main, compatibility_flags]).toEqual(['worker.mjs', ['nodejs_compat']]);
    const { config } = await load('netlify/functions/media.mjs');
    expect([...assets.run_worker_first, config.path]).toEqual(['/api/media/*', '/api/media/*']);
  });

  test('the Astro config has the options of the handler', async () => {
    const { default: config } = await load('astro.config.mjs');
    expect(config.i18n).toEqual((await load('media.config.mjs')).i18n);
  });
});
