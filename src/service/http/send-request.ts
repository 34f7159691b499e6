import { type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent, request as requestHttps } from 'node:https';
import { isIPv6, type LookupFunction } from 'node:net';
import { addAbortSignal, pipeline, Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { createGunzip } from 'node:zlib';
import { maxRedirects } from './addresses.ts';

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
    /**
     * The only IP addresses to connect to. They were checked, and DNS may have changed since. Only for
     * https, whose certificate proves the host. @default those that DNS names
     */
    readonly addresses?: readonly string[] | undefined;
  },
) => Promise<Response>;

/** Reuses connections, but only to checked addresses. */
const pinnedAgent = new Agent({ keepAlive: true });

export const sendRequest: SendRequest = (url, request) =>
  new Promise((resolve, reject) => {
    const { addresses, method = 'GET', headers, body, signal } = request;
    const settings = {
      method,
      headers: { accept: '*/*', 'user-agent': 'node', ...headers },
      signal,
      ...(addresses && { agent: pinnedAgent, lookup: lookupIn(addresses) }),
    };
    // Other agents than the global ones would ignore the proxy of NODE_USE_ENV_PROXY.
    const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, settings);
    sent.on('response', (incoming) => {
      try {
        failWhenCut(addAbortSignal(signal, incoming));
        resolve(toResponse(incoming, method));
      } catch (thrown) {
        incoming.destroy();
        reject(thrown);
      }
    });
    sent.on('error', reject);
    sent.on('upgrade', (_incoming, socket) => {
      socket.destroy();
      reject(new Error('the server answered with 101'));
    });
    if (typeof body !== 'object') sent.end(body);
    // An error on either side ends the request.
    else pipeline(Readable.fromWeb(body as NodeReadableStream), sent, () => {});
  });

export const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Requests a page as a visitor does, with redirects. Sends no credentials. */
export async function visit(
  url: string,
  { signal, method = 'GET' }: { signal: AbortSignal; method?: string },
): Promise<Response> {
  for (let at = new URL(url), redirects = 0; ; redirects += 1) {
    const response = await sendRequest(at, { method, signal });
    const target = URL.parse(response.headers.get('location') ?? '', at.href);
    const isRedirect = redirectStatuses.has(response.status);
    if (!isRedirect || !target || redirects === maxRedirects) return response;
    await response.body?.cancel();
    at = target;
  }
}

/**
 * A body that only the end of its connection ends counts as complete in Node after a reset too. This
 * fails it before Node hears of the reset.
 */
function failWhenCut(incoming: IncomingMessage): void {
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

/** The content coding of an answer; `undefined` if it has none. */
export function codingOf(headers: Headers): string | undefined {
  const coding = headers.get('content-encoding')?.trim().toLowerCase();
  return coding === 'identity' ? undefined : coding || undefined;
}

const bodiless = new Set([204, 205, 304]);

/** @throws `RangeError` for a status that HTTP doesn't have, such as 999 */
function toResponse(incoming: IncomingMessage, method: string): Response {
  const { statusCode: status = 0 } = incoming;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  if (bodiless.has(status) || method === 'HEAD') {
    incoming.resume();
    return new Response(null, { status, headers });
  }
  // An error on either side reaches the reader of the body.
  const body =
    codingOf(headers) === 'gzip' ? pipeline(incoming, createGunzip(), () => {}) : incoming;
  return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, { status, headers });
}
