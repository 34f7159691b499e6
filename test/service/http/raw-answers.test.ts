import { createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tokenClient } from '../../support/service/token-client.ts';
import { failureOf } from '../scripted-service.ts';

/** A server that writes its own bytes after each request, and what follows is up to it. */
async function rawService(answer: (socket: Socket) => void) {
  const server = createServer((socket) => {
    let request = '';
    socket.setEncoding('latin1').on('error', () => {});
    socket.on('data', (text) => {
      request += text;
      if (!request.includes('\r\n\r\n')) return;
      request = '';
      answer(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
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
    ['its status is none of HTTP', Buffer.from(head('HTTP/1.1 999 No', image)), /^service-/],
  ])('%s', async (_, answer, code) => {
    const service = await rawService((socket) => socket.end(answer));
    const failure = (await failureOf(download(service))) as Error & { code: string };
    expect(failure.code).toMatch(code);
  });

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
    const service = await rawService((socket) => socket.end(answer(folders.subarray(0, -9))));
    expect(await failureOf(service.folders.tree())).toMatchObject({ code: 'service-unreachable' });
  });
});
