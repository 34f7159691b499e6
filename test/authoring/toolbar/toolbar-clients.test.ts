import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type Server,
} from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Notice } from '../../../src/authoring/toolbar/protocol.ts';
import {
  type Replies,
  toolbarMiddleware,
} from '../../../src/authoring/toolbar/toolbar-middleware.ts';

/** Everything that the toolbar answers. */
const paths = [
  'GET session.json',
  'GET folders.json',
  'GET assets.json',
  'GET asset.json',
  'GET image.webp',
  'PUT upload.json',
  'POST places.json',
  'POST save.json',
  'POST undo.json',
  'POST insert.json',
];
const answered: string[] = [];
const answers: Replies = Object.fromEntries(
  paths.map((path) => [path, async () => ({ answered: answered.push(path) })]),
);
const script = 'GET cms/decap.js';
const middleware = toolbarMiddleware({ ...answers, [script]: async () => '{}' });

let server: Server;
let port: number;

beforeEach(async () => {
  answered.length = 0;
  server = createServer((incoming, response) => middleware(incoming, response, () => {}));
  // As with `astro dev --host`.
  await once(server.listen(0, '0.0.0.0'), 'listening');
  ({ port } = server.address() as AddressInfo);
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const own = { 'x-media-asset-toolbar': '1', 'content-type': 'application/json' };

/** Sends any header, unlike `fetch`. `undefined` leaves one out. */
async function send(path: string, headers: OutgoingHttpHeaders, host = '127.0.0.1') {
  const [method, file] = path.split(' ');
  const given = Object.entries({ ...own, ...headers }).filter(([, value]) => value !== undefined);
  const url = `http://${host}:${port}/_media-asset/${file}`;
  const sent = request(url, { method, headers: Object.fromEntries(given) });
  sent.end(method === 'POST' ? '{}' : undefined);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body: { error?: Notice } = JSON.parse(await text(response));
  return { status: response.statusCode, code: body.error?.code };
}

describe('answers a browser', () => {
  test.each<[string, OutgoingHttpHeaders]>([
    ['at localhost', { host: 'localhost:4321', origin: 'http://localhost:4321' }],
    ['at a name below localhost', { host: 'quay.localhost', origin: 'http://quay.localhost' }],
    ['at 127.0.0.1', { host: '127.0.0.1:4321', origin: 'http://127.0.0.1:4321' }],
    ['at ::1', { host: '[::1]:4321', origin: 'https://[::1]:4321' }],
    ['on a page of the server', { 'sec-fetch-site': 'same-origin' }],
  ])('%s', async (_, headers) => {
    for (const path of paths) expect((await send(path, headers)).status).toBe(200);
    expect(answered).toEqual(paths);
  });

  test('over HTTP/2, which has the host in another header', async () => {
    const secure = createHttp2Server((incoming, response) =>
      middleware(incoming as never, response as never, () => {}),
    );
    await once(secure.listen(0, '127.0.0.1'), 'listening');
    const client = connectHttp2(`http://127.0.0.1:${(secure.address() as AddressInfo).port}`);
    const statusOf = async (authority: string) => {
      const stream = client.request({
        ...{ ':path': '/_media-asset/session.json', ':authority': authority },
        ...{ origin: 'http://localhost', ...own },
      });
      const [headers] = await once(stream, 'response');
      stream.close();
      return headers[':status'];
    };
    expect(await statusOf('localhost')).toBe(200);
    expect(await statusOf('evil.example')).toBe(403);
    client.close();
    secure.close();
  });
});

describe('refuses', () => {
  afterEach(() => {
    expect(answered).toEqual([]);
  });

  test.each<[string, 'toolbar-remote' | 'toolbar-refused', OutgoingHttpHeaders]>([
    ['another origin', 'toolbar-refused', { origin: 'https://evil.example' }],
    ['another port of this machine', 'toolbar-refused', { origin: 'http://127.0.0.1:1' }],
    ['a sandboxed frame', 'toolbar-refused', { origin: 'null' }],
    ['another site', 'toolbar-refused', { 'sec-fetch-site': 'cross-site' }],
    ['a site with the same domain', 'toolbar-refused', { 'sec-fetch-site': 'same-site' }],
    ['an opened address', 'toolbar-refused', { 'sec-fetch-site': 'none' }],
    ['an image or a form', 'toolbar-refused', { 'x-media-asset-toolbar': undefined }],
    [
      'a name that was made to point here',
      'toolbar-remote',
      { host: 'evil.example', origin: 'http://evil.example' },
    ],
    ['a name that ends alike', 'toolbar-remote', { host: 'notlocalhost' }],
    ['a host with a user', 'toolbar-remote', { host: 'localhost@evil.example' }],
    ['a host with a path', 'toolbar-remote', { host: 'evil.example/localhost' }],
    ['an address of the network', 'toolbar-remote', { host: '192.168.1.2:4321' }],
    ['X-Forwarded-For', 'toolbar-remote', { 'x-forwarded-for': '192.168.1.2' }],
    ['X-Forwarded-For with this machine', 'toolbar-remote', { 'x-forwarded-for': '127.0.0.1' }],
    ['an empty X-Forwarded-For', 'toolbar-remote', { 'x-forwarded-for': '' }],
    ['X-Forwarded-Host', 'toolbar-remote', { 'x-forwarded-host': 'localhost' }],
    ['X-Forwarded-Proto', 'toolbar-remote', { 'x-forwarded-proto': 'https' }],
    ['Forwarded', 'toolbar-remote', { forwarded: 'for=192.168.1.2' }],
    ['Via', 'toolbar-remote', { via: '1.1 proxy' }],
    ['X-Real-IP', 'toolbar-remote', { 'x-real-ip': '192.168.1.2' }],
    ['CF-Connecting-IP', 'toolbar-remote', { 'cf-connecting-ip': '192.168.1.2' }],
  ])('%s', async (_, code, headers) => {
    for (const path of paths) expect(await send(path, headers)).toEqual({ status: 403, code });
  });

  test('a proxy that speaks HTTP/1.0', async () => {
    const socket = connect(port, '127.0.0.1');
    const lines = ['GET /_media-asset/session.json HTTP/1.0', 'Host: localhost'];
    socket.end([...lines, 'X-Media-Asset-Toolbar: 1', '', ''].join('\r\n'));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 403[\s\S]*"toolbar-remote"/);
  });

  test('the preflight of another site', async () => {
    const url = `http://127.0.0.1:${port}/_media-asset/save.json`;
    const headers = { 'access-control-request-headers': 'x-media-asset-toolbar' };
    const response = await fetch(url, { method: 'OPTIONS', headers });
    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  test.each(['192.168.0.7', '::ffff:10.0.0.1', 'fe80::1', '::ffff:1.127.0.0', '', undefined])(
    'a client at %s',
    async (remoteAddress) => {
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      const headers = { ...own, host: 'localhost' };
      const incoming = { url: '/_media-asset/session.json', method: 'GET', headers };
      middleware(
        { ...incoming, socket: { remoteAddress } } as never,
        { writeHead: resolve, end() {} } as never,
        reject,
      );
      expect(await promise).toBe(403);
    },
  );

  /** An address of this machine in its network, which is the client's address too. */
  const address = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

  test.skipIf(address === undefined)('a client of the network, whatever it sends', async () => {
    const headers = { host: 'localhost', origin: 'http://localhost' };
    expect(await send('POST save.json', headers, address)).toEqual({
      ...{ status: 403, code: 'toolbar-remote' },
    });
  });
});

describe('the script for a CMS', () => {
  const element = { 'x-media-asset-toolbar': undefined, 'content-type': undefined };

  test('is answered to a page of the server, which can set no header', async () => {
    const headers = { ...element, 'sec-fetch-site': 'same-origin' };
    expect(await send(script, headers)).toEqual({ status: 200, code: undefined });
    const { headers: sent } = await fetch(`http://127.0.0.1:${port}/_media-asset/cms/decap.js`);
    expect(sent.get('content-type')).toBe('text/javascript');
    expect(sent.get('access-control-allow-origin')).toBeNull();
  });

  test.each<[string, string, string, OutgoingHttpHeaders]>([
    ['another site', script, 'toolbar-refused', { 'sec-fetch-site': 'cross-site' }],
    ['another origin', script, 'toolbar-refused', { origin: 'https://evil.example' }],
    ['a name that was made to point here', script, 'toolbar-remote', { host: 'evil.example' }],
    ['a proxy', script, 'toolbar-remote', { 'x-forwarded-for': '192.168.1.2' }],
    ['another method', 'POST cms/decap.js', 'toolbar-refused', {}],
  ])('is refused to %s', async (_, path, code, headers) => {
    expect(await send(path, { ...element, ...headers })).toEqual({ status: 403, code });
  });
});
