import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { isIPv6, type LookupFunction } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/**
 * Sends an https request to the IP addresses that were checked. `fetch` would resolve the host name
 * again, and DNS may have changed by then. Otherwise like `fetch` with `redirect: 'manual'`.
 */
export type FetchPinned = (
  url: URL,
  request: {
    readonly addresses: readonly string[];
    /** @default 'GET' */
    readonly method?: string;
    readonly headers: Readonly<Record<string, string>>;
    /** The headers must hold its length. */
    readonly body?: string | ReadableStream<Uint8Array>;
    readonly signal: AbortSignal;
  },
) => Promise<Response>;

/** Reuses connections, but only to checked addresses. */
export function createFetchPinned(): FetchPinned {
  const agent = new Agent({ keepAlive: true });

  return (url, { addresses, method = 'GET', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
      const lookup: LookupFunction = (_host, { all }, done) => {
        if (all) done(null, found);
        else done(null, found[0]?.address ?? '', found[0]?.family);
      };
      const sent = request(url, {
        agent,
        method,
        headers: { accept: '*/*', 'user-agent': 'node', ...headers },
        signal,
        lookup,
      });
      sent.on('response', (incoming) => resolve(toResponse(incoming)));
      sent.on('error', reject);
      if (typeof body !== 'object') sent.end(body);
      // An error on either side ends the request.
      else pipeline(Readable.fromWeb(body as NodeReadableStream), sent, () => {});
    });
}

const decoders: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  br: createBrotliDecompress,
  deflate: createInflate,
  gzip: createGunzip,
};

const bodiless = new Set([204, 205, 304]);

function toResponse(incoming: IncomingMessage): Response {
  const { statusCode: status = 0, headers: received } = incoming;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  if (bodiless.has(status)) {
    incoming.resume();
    return new Response(null, { status, headers });
  }
  const decoder = decoders[received['content-encoding']?.trim().toLowerCase() ?? ''];
  // An error on either side reaches the reader of the body.
  const body = decoder ? pipeline(incoming, decoder(), () => {}) : incoming;
  return new Response(Readable.toWeb(body as Readable) as ReadableStream<Uint8Array>, {
    status,
    headers,
  });
}
