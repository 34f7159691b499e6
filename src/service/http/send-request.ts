import * as http from 'node:http';
import * as https from 'node:https';
import { isIPv6, type LookupFunction } from 'node:net';
import { addAbortSignal, pipeline, Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { createGunzip, type Gunzip } from 'node:zlib';

/**
 * Sends one request and returns its answer, like `fetch` with `redirect: 'manual'`. Rejects with the
 * errors of `node:http`. Reading a body that ends early fails.
 *
 * Node's own `fetch` can't be used. If a server closes the connection after a body that is read slowly,
 * it throws an assertion that no code can catch (nodejs/undici#5360, in Node 22 and 24). It also
 * accepts a gzip body that ends early.
 */
export type SendRequest = (
  url: URL,
  request: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    /** If it's a stream, the headers must hold its length. */
    readonly body?: string | ReadableStream<Uint8Array>;
    readonly signal: AbortSignal;
    /** Whether to open a new connection, because the host closes idle ones. */
    readonly isFresh?: boolean;
    /**
     * The only IP addresses to connect to. They were checked, and DNS may have changed since. Only for
     * https, whose certificate proves the host. @default those that DNS names
     */
    readonly addresses?: readonly string[] | undefined;
  },
) => Promise<Response>;

/** Reuses connections, but only to checked addresses. */
const pinnedAgent = new https.Agent({ keepAlive: true });

/**
 * A connection that had been idle was closed before a byte of an answer came. Servers close idle ones
 * while a request is on its way, so it may never have arrived.
 */
export class IdleClosed extends Error {}

export const sendRequest: SendRequest = (url, request) =>
  new Promise((resolve, reject) => {
    const { addresses, method = 'GET', headers, body, signal, isFresh } = request;
    const { request: send, globalAgent } = url.protocol === 'https:' ? https : http;
    // Other agents than the global ones would ignore the proxy of NODE_USE_ENV_PROXY.
    const agent = addresses ? pinnedAgent : globalAgent;
    if (isFresh) closeIdle(agent, url);
    const settings = {
      method,
      headers: { accept: '*/*', 'user-agent': 'node', ...headers },
      ...{ signal, agent },
      ...(addresses && { lookup: lookupIn(addresses) }),
    };
    const sent = send(url, settings);
    let before = 0;
    sent.on('socket', ({ bytesRead }) => {
      before = bytesRead;
    });
    sent.on('response', (incoming) => {
      try {
        failWhenCut(addAbortSignal(signal, incoming));
        resolve(toResponse(incoming, method));
      } catch (thrown) {
        incoming.destroy();
        reject(thrown);
      }
    });
    sent.on('error', (cause: NodeJS.ErrnoException) => {
      const isClosed = /^(?:ECONNRESET|EPIPE)$/.test(cause.code ?? '') && sent.reusedSocket;
      if (!isClosed || sent.socket?.bytesRead !== before) return reject(cause);
      closeIdle(agent, url);
      reject(new IdleClosed('the idle connection was closed', { cause }));
    });
    sent.on('upgrade', (_incoming, socket) => {
      socket.destroy();
      reject(new Error('the server answered with 101'));
    });
    if (typeof body !== 'object') {
      sent.end(body);
      return;
    }
    // An error on either side ends the request. What the body throws isn't an error of the connection.
    const source = Readable.fromWeb(body as NodeReadableStream).on('error', reject);
    pipeline(source, sent, () => {});
  });

function closeIdle({ freeSockets }: http.Agent, { protocol, hostname, port }: URL): void {
  const host = hostname.replace(/[[\]]/g, '');
  const name = `${host}:${port || (protocol === 'https:' ? 443 : 80)}:`;
  for (const [key, sockets = []] of Object.entries(freeSockets))
    if (key.startsWith(name)) for (const socket of sockets) socket.destroy();
}

export const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * A body that only the end of its connection ends counts as complete in Node after a reset too. This
 * fails it before Node hears of the reset.
 */
function failWhenCut(incoming: http.IncomingMessage): void {
  const { socket } = incoming;
  const fail = (error: Error) => incoming.destroy(error);
  socket.prependListener('error', fail);
  incoming.once('close', () => socket.off('error', fail));
}

function lookupIn(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_host, { all }, done) => {
    if (all) done(null, found);
    else done(null, found[0]?.address ?? '', found[0]?.family);
  };
}

/** The content coding of an answer, if it has one. `x-gzip` is `gzip` (RFC 9110, 8.4.1.3). */
export function codingOf(headers: Headers): string | undefined {
  const coding = headers.get('content-encoding')?.trim().toLowerCase();
  if (coding === 'x-gzip') return 'gzip';
  return coding === 'identity' ? undefined : coding || undefined;
}

/** Like `createGunzip()`, but no bytes are an empty body. Some servers label that as gzip, too. */
function createUnzip(): Gunzip {
  const unzip = createGunzip();
  const flush = unzip._flush;
  unzip._flush = (done) => (unzip.bytesWritten === 0 ? done() : flush.call(unzip, done));
  return unzip;
}

const bodiless = new Set([204, 205, 304]);

/** @throws `RangeError` for a status that HTTP doesn't have, such as 999 */
function toResponse(incoming: http.IncomingMessage, method: string): Response {
  const { statusCode: status = 0 } = incoming;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  if (bodiless.has(status) || method === 'HEAD' || headers.get('content-length') === '0') {
    incoming.resume();
    return new Response(null, { status, headers });
  }
  // An error on either side reaches the reader of the body.
  const body =
    codingOf(headers) === 'gzip' ? pipeline(incoming, createUnzip(), () => {}) : incoming;
  return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, { status, headers });
}
