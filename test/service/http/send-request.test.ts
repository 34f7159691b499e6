import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { setDefaultCACertificates } from 'node:tls';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sendRequest } from '../../../src/service/http/send-request.ts';
import { startLocalServer } from '../../support/service/local-server.ts';
import { tokenClient } from '../../support/service/token-client.ts';
import { bodyOf, failureOf, scriptedClient, usage } from '../scripted-service.ts';

/** The port of a TCP server. It closes its connections after the test. */
async function listen(
  onConnection: (socket: Socket) => void,
  address = '127.0.0.1',
): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A server that writes its own bytes after each request, and what follows is up to it. */
async function rawService(answer: (socket: Socket) => void) {
  const port = await listen((socket) => {
    let request = '';
    socket.setEncoding('latin1').on('error', () => {});
    socket.on('data', (text) => {
      request += text;
      if (!request.includes('\r\n\r\n')) return;
      request = '';
      answer(socket);
    });
  });
  return tokenClient(`http://127.0.0.1:${port}`, 'token', { attempts: 1 });
}

const megabyte = Buffer.alloc(1024 ** 2, 'harbour ');
const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;
const answerOf = (lines: readonly string[], ...body: Buffer[]) =>
  Buffer.concat([Buffer.from(head('HTTP/1.1 200 OK', ...lines)), ...body]);
const closing = 'Connection: close';
const chunked = 'Transfer-Encoding: chunked';
const image = 'Content-Type: image/png';
const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
const lastChunk = Buffer.from('0\r\n\r\n');

/** Reads a body slowly, so that the server has closed its connection long before the end. */
async function readSlowly(body: ReadableStream<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const part of body) {
    bytes += part.byteLength;
    await setTimeout(2);
  }
  return bytes;
}

async function download(service: Awaited<ReturnType<typeof rawService>>) {
  const received = await service.files.original(4711);
  if (received.status !== 'received') throw new Error('The download has no body.');
  return readSlowly(received.body);
}

describe('a download that is read slowly is whole if the service', () => {
  test.each<[string, Buffer]>([
    [
      'closes the connection after each answer',
      answerOf([image, `Content-Length: ${megabyte.length}`, closing], megabyte),
    ],
    ['ends the body by closing the connection (HTTP/1.1)', answerOf([image, closing], megabyte)],
    ['speaks HTTP/1.0', Buffer.concat([Buffer.from(head('HTTP/1.0 200 OK', image)), megabyte])],
    ['sends chunks and closes', answerOf([image, chunked, closing], chunk(megabyte), lastChunk)],
  ])('%s', async (_, answer) => {
    const service = await rawService((socket) => socket.end(answer));
    const sizes = await Promise.all(Array.from({ length: 8 }, () => download(service)));
    expect(sizes).toEqual(sizes.map(() => megabyte.length));
  });
});

describe('a download fails if', () => {
  const half = megabyte.subarray(0, megabyte.length / 2);
  const zipped = gzipSync(Buffer.from('%PDF-1.7'));
  test.each<[string, Buffer, RegExp]>([
    ['its last chunk is missing', answerOf([image, chunked], chunk(half)), /^service-unreachable/],
    [
      "it has a content coding that wasn't asked for",
      answerOf([image, 'Content-Encoding: gzip', `Content-Length: ${zipped.length}`], zipped),
      /^answer-unexpected/,
    ],
    [
      'its connection would become another protocol',
      Buffer.from(head('HTTP/1.1 101 Yes', 'Connection: Upgrade', 'Upgrade: websocket')),
      /^service-unreachable/,
    ],
    ['its status is 101', Buffer.from(head('HTTP/1.1 101 Yes')), /^service-unreachable/],
  ])('%s', async (_, answer, code) => {
    const service = await rawService((socket) => socket.end(answer));
    const failure = (await failureOf(download(service))) as Error & { code: string };
    expect(failure.code).toMatch(code);
  });

  test('its status is none of HTTP, and closes the connection', async () => {
    const closed = Promise.withResolvers<void>();
    const service = await rawService((socket) => {
      socket.on('close', () => closed.resolve());
      socket.write(head('HTTP/1.1 999 No', image, 'Content-Length: 8'));
    });
    expect(await failureOf(download(service))).toMatchObject({ code: 'service-unreachable' });
    await closed.promise;
  }, 10_000);

  test('its connection is reset before the end that only closing shows', async () => {
    const service = await rawService((socket) => {
      socket.write(head('HTTP/1.1 200 OK', image));
      socket.write(half, () => socket.resetAndDestroy());
    });
    expect(await failureOf(download(service))).toMatchObject({ code: 'service-unreachable' });
  });

  test('it takes longer than its time limit, however often bytes arrive', async () => {
    const service = await rawService((socket) => {
      socket.write(head('HTTP/1.1 200 OK', image));
      const drip = setInterval(() => socket.write('x'), 5);
      socket.on('close', () => clearInterval(drip));
    });
    const limited = tokenClient(service.baseUrl, 'token', { attempts: 1, downloadTimeLimit: 100 });
    expect(await failureOf(download(limited))).toMatchObject({
      code: 'service-unreachable',
      message: expect.stringContaining('took longer than 100 ms'),
    });
  });
});

describe('a list in gzip', () => {
  const folders = gzipSync(JSON.stringify([{ id: 1, name: 'Harbour', depth: 0 }]));
  const answer = (body: Buffer) =>
    answerOf(['Content-Type: application/json', 'Content-Encoding: gzip', closing], body);

  test('is read', async () => {
    const service = await rawService((socket) => socket.end(answer(folders)));
    expect(await service.folders.tree()).toMatchObject([{ id: 1, name: 'Harbour' }]);
  });

  test('is an error if it ends early', async () => {
    for (const kept of [1, 9, folders.length - 9]) {
      const service = await rawService((socket) => socket.end(answer(folders.subarray(0, kept))));
      const failure = await failureOf(service.folders.tree());
      expect([kept, failure]).toMatchObject([kept, { code: 'service-unreachable' }]);
    }
  });
});

describe('an answer with a content coding', () => {
  const zipped = gzipSync('{"ok":true}');
  const gzip = 'Content-Encoding: gzip';
  test.for<[string, Buffer]>([
    ['gzip', answerOf([gzip, `Content-Length: ${zipped.length}`], zipped)],
    ['x-gzip', answerOf(['Content-Encoding: x-gzip', closing], zipped)],
    [
      'X-GZip, in chunks',
      answerOf(['Content-Encoding: X-GZip', chunked], chunk(zipped), lastChunk),
    ],
    ['gzip, and no body', answerOf([gzip, 'Content-Length: 0'])],
    ['gzip, and no chunk', answerOf([gzip, chunked], lastChunk)],
    ['gzip, and nothing before the end', answerOf([gzip, closing])],
    ['br, and no body', answerOf(['Content-Encoding: br', 'Content-Length: 0'])],
    ['gzip, of nothing', answerOf([gzip, closing], gzipSync(''))],
    ['gzip, in parts', answerOf([gzip, closing], gzipSync('{"ok":'), gzipSync('true}'))],
  ])('%s is read', async ([, answer]) => {
    const service = await rawService((socket) => socket.end(answer));
    await service.usages.report(usage);
  });

  test('br is refused, because no request asks for it', async () => {
    const service = await rawService((socket) =>
      socket.end(answerOf(['Content-Encoding: br', closing], brotliCompressSync('{"ok":true}'))),
    );
    const failure = await failureOf(service.usages.report(usage));
    expect(failure).toMatchObject({ code: 'answer-unexpected', effect: 'unknown' });
  });
});

test('every request but a download takes gzip, also for a token and of an upload', async () => {
  const asked: [method: string, url: string, coding: unknown][] = [];
  const { url } = await startLocalServer((request, response) => {
    const { method = '', url: path = '', headers } = request;
    asked.push([method, path, headers['accept-encoding']]);
    if (path.includes('/download/')) return void response.end('x');
    const answer = { access_token: 'fresh', id: 4711, uploadURL: '/1/upload/4711' };
    response.setHeader('content-encoding', 'gzip');
    request.resume().on('end', () => response.end(gzipSync(JSON.stringify(answer))));
  });
  for (const tokenEncoding of ['form', 'json', 'query'] as const)
    await scriptedClient(url, { tokenEncoding }).usages.report(usage);
  const client = scriptedClient(url);
  const metadata = { filename: 'quay.txt', folder: 1, fields: { alttext: 'A quay' } };
  await client.files.upload(Buffer.from('bytes'), metadata);
  await bodyOf(client.files.original(4711));
  const upload = ['POST /1/file', 'POST /1/upload/4711', 'PUT /1/file/4711'];
  const calls = asked.map(([method, path]) => `${method} ${path}`);
  expect(calls).toEqual(expect.arrayContaining(upload));
  const expected = asked.map(([, path]) => (path.includes('/download/') ? 'identity' : 'gzip'));
  expect(asked.map(([, , coding]) => coding)).toEqual(expected);
});

// This name only resolves through pinning.
const host = 'cdn.media-asset.invalid';
const { signal } = new AbortController();
const pinned = { addresses: ['127.0.0.1'], headers: { 'if-none-match': '"1"' }, signal };

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

test.each(['127.0.0.1', ...(hasIpv6 ? ['::1'] : [])])(
  "requests the checked address %s with the host's name",
  async (address) => {
    const hello = Promise.withResolvers<string>();
    const port = await listen((socket) => {
      socket.once('data', (bytes) => {
        hello.resolve(bytes.toString('latin1'));
        socket.destroy();
      });
    }, address);
    const url = new URL(`https://${host}:${port}/x`);
    expect(await failureOf(sendRequest(url, { ...pinned, addresses: [address] }))).toMatchObject({
      code: 'ECONNRESET',
    });
    expect(await hello.promise).toContain(host);
  },
);

const openssl = spawnSync('openssl', ['version']).status === 0;

describe.skipIf(!openssl)('with TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];

  beforeAll(() => {
    execFileSync('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-keyout', key, '-out', cert, '-days', '2', '-subj', `/CN=${host}`],
      ...['-addext', `subjectAltName=DNS:${host},DNS:localhost`],
    ]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function serveTls(respond: RequestListener) {
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, respond);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    return { server, url: new URL(`https://${host}:${port}/signed?s=1`) };
  }

  test('refuses an untrusted certificate', async () => {
    const { url } = await serveTls((_, response) => void response.end());
    expect(await failureOf(sendRequest(url, pinned))).toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
  });

  describe('with a trusted certificate', () => {
    beforeAll(() => setDefaultCACertificates([readFileSync(cert, 'utf8')]));

    test('answers like fetch', async () => {
      const { url } = await serveTls((request, response) => {
        const { host, 'if-none-match': tag } = request.headers;
        response.writeHead(200, { 'content-type': 'text/plain', etag: '"2"' });
        response.end(`${host} ${request.url} ${tag}`);
      });
      const response = await sendRequest(url, pinned);
      expect(response.status).toBe(200);
      expect(response.headers.get('etag')).toBe('"2"');
      expect(await response.text()).toBe(`${url.host} /signed?s=1 "1"`);
    });

    test("doesn't follow redirects, and accepts an answer without a body", async () => {
      for (const status of [302, 304, 204]) {
        const { url } = await serveTls((_, response) =>
          response.writeHead(status, { location: 'https://10.0.0.1/' }).end(),
        );
        const response = await sendRequest(url, pinned);
        expect(response.status).toBe(status);
        expect(await response.text()).toBe('');
      }
    });

    test('ends when the signal fires', async () => {
      const { url } = await serveTls(() => {});
      const signal = AbortSignal.timeout(50);
      expect(await failureOf(sendRequest(url, { ...pinned, signal }))).toMatchObject({
        name: 'AbortError',
      });
    });

    test('uses no connection whose address is not checked', async () => {
      const { server, url } = await serveTls((_, response) => void response.end('x'));
      let connections = 0;
      server.on('secureConnection', () => {
        connections += 1;
      });
      url.hostname = 'localhost';
      for (const addresses of [undefined, ['127.0.0.1'], undefined, ['127.0.0.1']])
        await (await sendRequest(url, { addresses, signal })).text();
      expect(connections).toBe(2);
    });

    test('reuses a connection, unless a request needs a new one', async () => {
      const { server, url } = await serveTls((_, response) => void response.end('x'));
      let connections = 0;
      server.on('secureConnection', () => {
        connections += 1;
      });
      for (let turn = 0; turn < 3; turn += 1) await (await sendRequest(url, pinned)).text();
      expect(connections).toBe(1);
      await (await sendRequest(url, { ...pinned, isFresh: true })).text();
      expect(connections).toBe(2);
    });
  });
});
