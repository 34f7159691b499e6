import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createLiveSite } from '../../../src/cli/withdrawal/live-site.ts';
import type { Published } from '../../../src/usage/ledger/publication-history.ts';
import { startLocalServer } from '../../support/service/local-server.ts';
import { bytes } from './withdrawal-project.ts';

type Answer = readonly [status: number, body?: string | Buffer, headers?: object];

/** What a host has, by path. */
let online: Record<string, Answer | ((headers: IncomingHttpHeaders) => Answer)>;
const hosts = await Promise.all(
  ['own', 'other'].map((name) =>
    startLocalServer(({ url, headers: asked }, response) => {
      const found = online[`${name}${url}`] ?? [404];
      const [status, body = 'Not found', headers] =
        typeof found === 'function' ? found(asked) : found;
      response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
    }),
  ),
);
const [own = '', other = ''] = hosts.map(({ url }) => url);
afterAll(() => Promise.all(hosts.map((host) => host.close())));
beforeEach(() => {
  online = {};
});

const hashOf = (content: string) => createHash('sha256').update(content).digest('hex').slice(0, 16);

/** Each a day older than the one before it. */
const historyOf = (...entries: (Pick<Published, 'url'> & Partial<Published>)[]): Published[] =>
  entries.map((entry, age) => {
    const time = new Date(Date.UTC(2026, 2, 20 - age)).toISOString();
    return { kind: 'file', id: 4711, hash: '', first: time, last: time, ...entry };
  });
const stampOf = (url: string) => ({ kind: 'stamp' as const, id: 0, url, hash: hashOf('stamp') });
const stamp: Answer = [200, 'stamp'];

const look = (history: Published[]) => createLiveSite(history, `${own}/service`);
const fileState = (history: Published[]) => look(history).file(history[0] as Published);

describe('a file on another server that answers 404', () => {
  const lost = { url: `${own}/lost` };
  const nothingKnown = 'it proves nothing, because nothing else is known there';

  test.each<[what: string, known: (Pick<Published, 'url'> & Partial<Published>)[]]>([
    ['there is nothing else', []],
    ['only another URL of the same asset is there', [{ url: `${own}/image` }]],
    ['another asset is on another host', [{ url: `${other}/image`, id: 4712 }]],
    ['another asset is in a build', [{ url: `${own}/image`, id: 4712, hash: hashOf('image') }]],
    ['another asset is on a page', [{ url: `${own}/image`, id: 4712, kind: 'page' }]],
  ])('proves nothing if %s', async (_, known) => {
    online = { 'own/image': [200, bytes], 'other/image': [200, bytes] };
    expect(await fileState(historyOf(lost, ...known))).toEqual({
      ...{ status: 404, gone: false, reason: nothingKnown },
    });
  });

  test('is gone if the server gives out the image of another asset', async () => {
    const history = historyOf(lost, { url: `${own}/image`, id: 4712 });
    online = { 'own/image': [200, bytes] };
    expect(await fileState(history)).toEqual({ status: 404, gone: true });
    online = { 'own/image': [200, 'Please sign in'] };
    expect(await fileState(history)).toMatchObject({
      gone: false,
      reason: expect.stringContaining(`${own}/image answers 200 with something else`),
    });
  });

  test('is gone if one of the three newest other assets is online', async () => {
    const others = [1, 2, 3, 4].map((id) => ({ url: `${own}/${id}`, id }));
    const history = historyOf(lost, ...others);
    online = { 'own/3': [200, bytes] };
    expect(await fileState(history)).toMatchObject({ gone: true });
    online = { 'own/4': [200, bytes] };
    const { gone, reason } = await fileState(history);
    expect({ gone, asked: reason?.match(/\/\d answers 404/g) }).toEqual({
      gone: false,
      asked: ['/1 answers 404', '/2 answers 404', '/3 answers 404'],
    });
  });
});

test("a build's file that answers 404 is gone only if a stamp is online in its folder", async () => {
  const lost = { url: `${own}/_astro/lost`, hash: hashOf('lost') };
  const elsewhere = [{ url: `${own}/image`, id: 4712 }, stampOf(`${own}/other/stamp`)];
  online = { 'own/image': [200, bytes], 'own/other/stamp': stamp, 'own/_astro/stamp': stamp };
  expect(await fileState(historyOf(lost, ...elsewhere))).toMatchObject({ gone: false });
  const history = historyOf(lost, ...elsewhere, stampOf(`${own}/_astro/stamp`));
  expect(await fileState(history)).toEqual({ status: 404, gone: true });
});

describe('the body of a 404', () => {
  test.each<[what: string, gone: boolean, body: string | Buffer, type?: string]>([
    ['is a text of 1 MiB', true, ' '.repeat(1024 ** 2)],
    ['is longer than 1 MiB', false, ' '.repeat(1024 ** 2 + 1)],
    ['is a PDF', false, '%PDF-1.7\n'],
    ['is a file of an unknown type', false, Buffer.from([0, 1, 2, 3])],
    ['is called a video', false, 'Not found', 'video/mp4'],
    ['is called a sound', false, 'Not found', 'Audio/MPEG; x=y'],
  ])('%s: gone is %s', async (_, gone, body, type = 'text/html') => {
    const history = historyOf(
      { url: `${own}/_astro/lost`, hash: hashOf('lost') },
      stampOf(`${own}/_astro/stamp`),
    );
    online = {
      'own/_astro/lost': [404, body, { 'content-type': type }],
      'own/_astro/stamp': stamp,
    };
    expect(await fileState(history)).toMatchObject({ status: 404, gone });
  });
});

describe('a file that is online in some way', () => {
  const history = historyOf({ url: `${own}/image`, hash: hashOf('image') });

  test.each<[Answer, reason: string | undefined]>([
    [[200, bytes], undefined],
    [[304, ''], undefined],
    [[400], undefined],
    [[403], undefined],
    [[301, '', { location: '/other' }], 'it redirects to /other'],
    [[307, ''], 'it redirects to nowhere'],
  ])('has a reason only if it redirects: %j', async (answer, reason) => {
    online = { 'own/image': answer };
    const expected = { status: answer[0], gone: false, ...(reason && { reason }) };
    expect(await fileState(history)).toEqual(expected);
  });

  test.each([
    ['image', 'gzip', 'with the codings gzip'],
    ['image', undefined, 'with no coding'],
    [
      'document',
      'gzip, deflate, br, zstd',
      'to someone who opens it, with the codings gzip, deflate, br, zstd',
    ],
  ])('has the way as its reason: as %s, coded %s', async (kind, coding, reason) => {
    const isWay = (asked: IncomingHttpHeaders) =>
      asked['sec-fetch-dest'] === kind && asked['accept-encoding'] === coding;
    online = {
      'own/image': (asked) => (isWay(asked) ? [200, bytes] : [404]),
      'own/stamp': stamp,
    };
    const known = historyOf({ url: `${own}/image`, hash: hashOf('x') }, stampOf(`${own}/stamp`));
    expect(await fileState(known)).toEqual({ status: 200, gone: false, reason });
  });
});

describe('a page', () => {
  const page: Answer = [200, '<!doctype html><title>Harbour</title>'];
  const pageState = (...known: (Pick<Published, 'url'> & Partial<Published>)[]) =>
    look(historyOf(...known)).page(`${own}/`, 4711);

  test("isn't gone because another host has its build", async () => {
    online = { 'own/': page, 'other/stamp': stamp, 'own/stamp': stamp };
    expect(await pageState(stampOf(`${other}/stamp`))).toMatchObject({ gone: false });
    expect(await pageState(stampOf(`${own}/stamp`))).toEqual({ status: 200, gone: true });
  });

  test.each([
    ['text/html; charset="UTF-8"', undefined],
    ['application/xhtml+xml;charset=latin1', undefined],
    ['text/html; x=y; charset=utf-16', "its encoding utf-16 isn't read"],
    ['text/plain', "it isn't HTML, but text/plain"],
    ['', "it isn't HTML, but of no type"],
  ])('is read as %s: %s', async (type, reason) => {
    online = { 'own/': [200, page[1] ?? '', { 'content-type': type }], 'own/stamp': stamp };
    const expected = { status: 200, gone: reason === undefined, ...(reason && { reason }) };
    expect(await pageState(stampOf(`${own}/stamp`))).toEqual(expected);
  });

  test.each([
    [5, { status: 200, gone: true }],
    [6, { status: 301, gone: false, reason: 'it redirects to /6' }],
  ])('is read after %i permanent redirects: %o', async (count, expected) => {
    const moves = Array.from({ length: count }, (_, at) => [
      `own/${at || ''}`,
      [301, '', { location: `/${at + 1}` }] as const,
    ]);
    online = { ...Object.fromEntries(moves), [`own/${count}`]: page, 'own/stamp': stamp };
    expect(await pageState(stampOf(`${own}/stamp`))).toEqual(expected);
  });
});
