import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { formatWitness, readLiveWitness } from '../../../src/usage/ledger/live-witness.ts';
import { startLocalServer } from '../../support/service/local-server.ts';

const own = { history: 'h', build: 'b', startedAt: '2026-03-01T08:00:00.000Z' };
const text = formatWitness(own);

type Respond = (request: IncomingMessage, response: ServerResponse) => unknown;

async function siteOf(respond: Respond): Promise<string> {
  const server = await startLocalServer((request, response) => void respond(request, response));
  onTestFinished(() => server.close());
  return `${server.url}/docs/`;
}

const answering =
  (status: number, body: string, headers = {}): Respond =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

test('the witness of a site is below its base, and asked for past every cache', async () => {
  const asked: IncomingMessage[] = [];
  const site = await siteOf((request, response) => {
    asked.push(request);
    response.end(text.padStart(16 * 1024));
  });
  expect(await readLiveWitness(site)).toEqual({ kind: 'read', ...own });
  expect(await readLiveWitness(site)).toEqual({ kind: 'read', ...own });
  const urls = asked.map(({ url }) => url);
  expect(urls[0]).toMatch(/^\/docs\/media-asset\.json\?\w+$/);
  expect(urls[0]).not.toBe(urls[1]);
  expect(asked[0]?.headers['cache-control']).toBe('no-cache');
});

test.each<[string, Respond, string]>([
  ['404', answering(404, text), 'status 404'],
  ['a sign-in wall', answering(401, text), 'status 401'],
  ['a refusal', answering(403, text), 'status 403'],
  ['a redirect', answering(302, text, { location: '/elsewhere.json' }), 'status 302'],
  ['HTML for everything', answering(200, '<!doctype html><p>Hello'), "isn't a build's witness"],
  ['an unknown version', answering(200, text.replace('1', '2')), "isn't a build's witness"],
  ['another JSON', answering(200, '{"version":1}'), "isn't a build's witness"],
  ['too much', answering(200, text.padStart(16 * 1024 + 2)), "isn't a build's witness"],
  ['a coding that nobody asked for', answering(200, text, { 'content-encoding': 'gzip' }), ''],
  ['an ended connection', ({ socket }) => socket.destroy(), 'no answer'],
  ['silence', () => {}, 'no answer'],
  ['half an answer, and silence', (_, response) => response.write(text.slice(0, 20)), 'no answer'],
])('%s is not known', async (_, respond, problem) => {
  const site = await siteOf(respond);
  expect(await readLiveWitness(site, { timeout: 300 })).toEqual({
    kind: 'unread',
    problem: expect.stringContaining(problem),
  });
});

test.each([
  [100, 'read'],
  [101, 'unread'],
])('names of %i characters: %s', async (length, kind) => {
  const name = 'n'.repeat(length);
  for (const long of [{ history: name }, { build: name }]) {
    const site = await siteOf(answering(200, formatWitness({ ...own, ...long })));
    expect(await readLiveWitness(site)).toMatchObject({ kind });
  }
});

test('a site without https is asked on this machine only', async () => {
  const send = () => Promise.reject(new Error('It was asked.'));
  const ask = (site: string) => readLiveWitness(site, { send });
  expect(await ask('http://harbour.example/')).toMatchObject({ problem: "it isn't https" });
  expect(await ask('http://localhost/')).toMatchObject({ problem: 'no answer: It was asked.' });
});

test('the file of docs/background/ledger.md is a witness', async () => {
  const docs = await readFile(
    new URL('../../../docs/background/ledger.md', import.meta.url),
    'utf8',
  );
  const [, block = ''] = /```json\n(.*?)```/s.exec(docs) ?? [];
  expect(Object.keys(JSON.parse(block))).toEqual(Object.keys(JSON.parse(text)));
});
