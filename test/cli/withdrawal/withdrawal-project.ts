import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, onTestFinished } from 'vitest';
import { formatWitness } from '../../../src/usage/ledger/live-witness.ts';
import { type LocalServer, startLocalServer } from '../../support/service/local-server.ts';
import { builtRules } from '../../support/site/built-folder.ts';
import { folder, server, useUsageProject } from '../usage/usage-project.ts';

export const hash = (character: string) => character.repeat(16);
export const image = `_astro/media-asset/4711-${hash('a')}-${hash('b')}-harbour.webp`;
export const other = `_astro/media-asset/4712-${hash('a')}-${hash('b')}-quay.webp`;
export const text = 'a,b\n';
const textHash = createHash('sha256').update(text).digest('hex').slice(0, 16);
export const file = `_astro/media-asset/4711-${textHash}-file/plan.csv`;

/** Answers a request itself, or leaves it to the files (`false`). */
export type Host = (request: IncomingMessage, response: ServerResponse) => boolean;

const blank = { create: { width: 8, height: 8, channels: 3 as const, background: 'teal' } };
export const bytes = await sharp(blank).webp().toBuffer();

export let live: LocalServer;
/** The files that are online, by path. */
export let online: Map<string, Buffer | string>;
/** What a test may set: how the host answers, and the base URL of the service. */
export let given: { host: Host; service: string };
let builds: number;

/** Opens a project, its service and its live site before each test of a file, and closes them after it. */
export function useWithdrawals(): void {
  useUsageProject();
  beforeEach(async () => {
    online = new Map();
    given = { host: () => false, service: server.url };
    builds = 0;
    live = await startLocalServer((request, response) => {
      if (given.host(request, response)) return;
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      const found = online.get(pathname.endsWith('/') ? `${pathname}index.html` : pathname);
      const type = pathname.endsWith('.webp') ? 'image/webp' : 'text/html';
      response.writeHead(found === undefined ? 404 : 200, { 'content-type': type }).end(found);
    });
  });
  afterEach(() => live.close());
}

export const page = (body: string) => `<!doctype html><title>Harbour</title>${body}`;
export const withAsset = page(`<img data-media-asset="4711" src="/${image}">`);
export const without = page('<p>Nothing.</p>');

/** A finished build: its pages and our files. The first one says that nothing was published before. */
export async function build(files: Record<string, string | Buffer>, rules: object = {}) {
  await write(files, rules);
  const { exitCode, output } = await report(...(builds === 1 ? ['--first'] : []));
  expect(exitCode, output).toBe(0);
}

/** A finished build that isn't reported. Its witness is online at once, and its files are after `deploy`. */
export async function write(files: Record<string, string | Buffer>, rules: object = {}) {
  builds += 1;
  const startedAt = `2026-03-0${builds}T08:00:00.000Z`;
  const own = { build: `${builds}`, startedAt, history: 'harbour', ...rules };
  const online = formatWitness({ history: own.history, build: own.build, startedAt });
  await folder.remove('dist');
  await folder.build({
    ...{ site: live.url, service: given.service, finished: true, output: 'dist' },
    ...{ witness: await witness(), ...own },
  });
  const stampText = `${builtRules.stamp}: a build\n`;
  const marks = { [builtRules.stamp]: stampText, 'media-asset.json': online };
  for (const [path, content] of Object.entries({ ...marks, ...files })) {
    await folder.write(join('dist', path), content as string);
  }
  setWitness(online);
}

/** What a build reads when it begins. */
async function witness() {
  const { version: _, ...read } = JSON.parse(String(online.get('/media-asset.json') ?? '{}'));
  return read.build ? { kind: 'read', ...read } : { kind: 'unread', problem: 'status 404' };
}

export const setWitness = (text: string) => void online.set('/media-asset.json', text);

export const report = (...words: string[]) => command('report', 'dist', '--yes', ...words);

const environment = () => ({
  MEDIA_ASSET_ACCESS_TOKEN: 'lantern',
  MEDIA_ASSET_BASE_URL: given.service,
});

/** Another server, until the end of the test. */
export async function serve(respond: (request: IncomingMessage, response: ServerResponse) => void) {
  const started = await startLocalServer(respond);
  onTestFinished(() => started.close());
  return started;
}

/** One that has the image at every URL. */
export const serveImage = () => serve((_, response) => answer(response, 200, bytes, 'image/webp'));

export const historyFile = async () => {
  const names = await readdir(folder.path('.media-asset'));
  return `.media-asset/${names.find((name) => /^history-.*\.json$/.test(name))}`;
};
export const readHistory = async () => readFile(folder.path(await historyFile()), 'utf8');

/** Puts the last build's files online. Those of earlier builds go. */
export async function deploy() {
  online = new Map();
  for (const path of await fastGlob('**/*', { cwd: folder.path('dist'), dot: true })) {
    online.set(`/${path}`, await readFile(folder.path(join('dist', path))));
  }
}

export const command = (...words: string[]) => folder.command(words, environment());

export async function withdraw(...words: string[]) {
  const { exitCode, stdout } = await command('withdraw', '4711', '--json', ...words);
  return { exitCode, ...JSON.parse(stdout) };
}

/** A build with the asset was online, and one without it is. */
export async function takeDown() {
  await build({ 'index.html': withAsset, [image]: bytes, [file]: text, [other]: bytes });
  await build({ 'index.html': without, [other]: bytes });
  await deploy();
}

/** Whether a request is for a file of asset 4711. */
export const isImage = ({ url }: IncomingMessage) => url?.includes('/media-asset/4711-') ?? false;
export const isHome = ({ url }: IncomingMessage) => url === '/';
export const isBrowser = ({ headers }: IncomingMessage) =>
  /Chrome\//.test(headers['user-agent'] ?? '') && headers['sec-fetch-dest'] !== undefined;

export function answer(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  type = 'text/html',
): true {
  response.writeHead(status, { 'content-type': type }).end(body);
  return true;
}
