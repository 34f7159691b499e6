/** @module-tag slow */
/** @module-tag any-astro */
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LocalServer, startLocalServer } from '../../support/service/local-server.ts';
import { serveBuilt } from '../../support/site/serve-folder.ts';
import {
  downloads,
  outputOf,
  type Snapshot,
  useSite,
} from '../../support/site/site-with-service.ts';

const setup = useSite('main-job');
/** Answers for the live site. */
let answer: RequestListener;
let host: LocalServer;
/** The paths of requests to the live site, without those for its witness. */
let asked: string[];
let live: string;
let renditions: Record<string, string>;
/** The state before the first build. */
let sources: Snapshot;
/** The state in another checkout that has nothing but the sources and `.media-asset`. */
let checkout: Snapshot;

const folder = 'dist/_astro/media-asset';
const statusOf = (request: string) => request.slice(0, 3);

/** An integration that changes the files of a build, as those that compress images do. */
const compressing = `
import { appendFileSync, readdirSync } from 'node:fs';
const compressing = {
  name: 'compressing',
  hooks: {
    'astro:build:done'({ dir }) {
      const folder = new URL('_astro/media-asset/', dir);
      for (const name of readdirSync(folder)) appendFileSync(new URL(name, folder), 'x');
    },
  },
};`;

async function builtRenditions(): Promise<Record<string, string>> {
  const dir = setup.site.path(folder);
  const names = (await readdir(dir)).sort();
  const bytes = names.map(async (name) => [name, await readFile(join(dir, name), 'base64')]);
  return Object.fromEntries(await Promise.all(bytes));
}

beforeAll(async () => {
  host = await startLocalServer((request, response) => {
    const { url = '' } = request;
    if (!url.startsWith('/media-asset.json')) asked.push(url);
    answer?.(request, response) ?? response.writeHead(404).end();
  });
  await setup.site.edit('astro.config.mjs', 'https://harbour.example', host.url);
  sources = await setup.snapshot();
  await setup.site.edit('astro.config.mjs', '()', "({ images: { placeholder: 'blur' } })");
  await setup.build();
  renditions = await builtRenditions();
  live = `${setup.site.dir}-live`;
  await cp(setup.site.dist, live, { recursive: true });
  for (const made of ['dist', 'node_modules/.astro'])
    await rm(setup.site.path(made), { recursive: true });
  checkout = await setup.snapshot();
});

afterAll(async () => {
  await host.close();
  await rm(live, { recursive: true });
});

beforeEach(async () => {
  await setup.restore(checkout);
  setup.requests();
  asked = [];
  answer = serveBuilt(live);
});

describe('a build without a cache', () => {
  test('takes all images from the live site, and downloads no original', async () => {
    const { output } = await setup.build();
    expect(output).toMatch(/renditions +0 made, 0 reused, 8 from the live site/);
    expect(output).toMatch(/service +3 checks, 0 downloads/);
    expect(downloads(setup.requests()).map(statusOf)).toEqual(['304', '304', '304']);
    expect(asked).toHaveLength(8);
    expect(await builtRenditions()).toEqual(renditions);
    expect(output).not.toMatch(/warn/i);

    const again = await setup.build();
    expect(again.output).toMatch(/renditions +0 made, 8 reused\n/);
    expect(downloads(setup.requests()).map(statusOf)).toEqual(['304', '304', '304']);
  });

  test('works in an outage of the service', async () => {
    await setup.stopService();
    const output = await outputOf(setup.build());
    expect(output).toMatch(/0 made, 0 reused, 8 from the live site/);
    expect(output).toContain('3 assets stale');
    expect(await builtRenditions()).toEqual(renditions);
  });

  test('makes an image that the site has with other bytes', async () => {
    const [name = ''] = Object.keys(renditions);
    const path = join(live, folder.replace('dist/', ''), name);
    const bytes = await readFile(path);
    await writeFile(path, Buffer.concat([bytes, Buffer.from('x')]));
    const { output } = await setup.build();
    await writeFile(path, bytes);
    expect(output).toMatch(/1 made, 0 reused, 7 from the live site/);
    expect(await builtRenditions()).toEqual(renditions);
  });

  test("makes the images of an original that has changed, and of one that's new on a page", async () => {
    await setup.replaceAsset('quay.png', await setup.assetBytes('tower.jpg'));
    await setup.site.edit('src/pages/quay.astro', '4713', '4714');
    const { output } = await setup.build();
    expect(output).toMatch(/renditions +4 made, 0 reused, 4 from the live site/);
    const replaced = await builtRenditions();

    // What it has learned counts for later builds, not what it has started with.
    await setup.site.remove('node_modules/.astro');
    await setup.stopService();
    await rename(setup.site.dist, `${live}-replaced`);
    answer = serveBuilt(`${live}-replaced`);
    const later = await setup.build();
    expect(later.output).toMatch(/0 made, 0 reused, 8 from the live site/);
    expect(await builtRenditions()).toEqual(replaced);
    await rm(`${live}-replaced`, { recursive: true });
  });

  test('makes an image again if a later step has compressed the published one', async () => {
    await setup.restore(sources);
    await setup.site.edit('astro.config.mjs', '[mediaAsset()]', '[mediaAsset(), compressing]');
    await setup.site.edit('astro.config.mjs', 'export default', `${compressing}\nexport default`);
    await setup.build();
    answer = serveBuilt(`${live}-smaller`);
    await cp(setup.site.dist, `${live}-smaller`, { recursive: true });
    await setup.site.remove('node_modules/.astro');
    const { output } = await setup.build();
    await rm(`${live}-smaller`, { recursive: true });
    expect(output).toMatch(/8 made, 0 reused\n/);
    expect(asked).toEqual([]);
  });

  test.each<[name: string, respond: RequestListener, problem: string]>([
    ['is protected', (_, response) => response.writeHead(401).end(), 'status 401'],
    [
      'redirects to a sign-in page',
      (_, response) => response.writeHead(302, { location: '/login' }).end(),
      'status 302',
    ],
    [
      'answers with a page',
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('Hello'),
      'an HTML page',
    ],
    ['is down', (request) => request.socket.destroy(), 'no answer'],
    ['has none of them', (_, response) => response.writeHead(404).end(), ''],
  ])('makes all images if the site %s', async (_, respond, problem) => {
    answer = respond;
    const output = await outputOf(setup.build());
    expect(output).toMatch(/8 made, 0 reused\n/);
    expect(output.includes('live-site-unusable')).toBe(problem !== '');
    expect(output).toContain(problem);
    expect(await builtRenditions()).toEqual(renditions);
  });

  test('knows what was reported after the deploy', async () => {
    await setup.restore(sources);
    await setup.site.edit('astro.config.mjs', '()', "({ report: 'deploy' })");
    await setup.build({ MEDIA_ASSET_REPORT: undefined });
    await setup.command('report', 'dist', '--yes');
    await rm(setup.site.path('node_modules/.astro'), { recursive: true });
    const { output } = await setup.build({ MEDIA_ASSET_REPORT: undefined });
    expect(output).toMatch(/0 made, 0 reused, 8 from the live site/);
  });

  test('asks nothing of the site if `reuse` is off', async () => {
    await setup.site.edit('astro.config.mjs', 'images:', 'reuse: false, images:');
    expect((await setup.build()).output).toMatch(/8 made, 0 reused\n/);
    expect(asked).toEqual([]);
  });
});
