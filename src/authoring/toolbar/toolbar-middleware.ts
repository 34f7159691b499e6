import type { IncomingMessage, ServerResponse } from 'node:http';
import { noticeOf } from '../../errors/author-words.ts';
import { type Code, isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { isLoopbackHost } from '../../service/http/addresses.ts';
import { readUpTo } from '../../service/http/read-answer.ts';

/** All paths of the toolbar start with this, below the site's base. */
const toolbarPath = '/_media-asset/';

/** The app sends this header. A page of another site can't, unless the dev server allows its origin. */
const ownHeader = 'x-media-asset-toolbar';

/** Public code, which a page of a CMS loads: the browser's request for it has no such header. */
const script = 'GET cms/decap.js';

/** In bytes. */
const longestBody = 64 * 1024;

/** @param given a POST's JSON, or the parameters of another request, whose body is unread */
type Reply = (given: unknown, body: AsyncIterable<Uint8Array>) => Promise<unknown>;

/** By method and file: `GET folders.json`. A `Buffer` is a WebP, and a text a script; without a result, `{}`. */
export type Replies = Readonly<Record<string, Reply>>;

type Next = (error?: unknown) => void;

/**
 * Answers the toolbar app: only pages of the dev server's own origin, in a browser on this machine. What
 * it writes runs as code, so no one else on the network may use it, also with `astro dev --host`.
 */
export function toolbarMiddleware(answers: Replies) {
  return (request: IncomingMessage, response: ServerResponse, next: Next) => {
    const url = new URL(request.url ?? '', 'http://toolbar');
    if (!url.pathname.startsWith(toolbarPath)) return next();
    answer(request, { url, answers })
      .then(
        (value) => send(response, 200, value),
        (thrown) => sendProblem(response, thrown),
      )
      .catch(next);
  };
}

async function answer(
  request: IncomingMessage,
  { url, answers }: { url: URL; answers: Replies },
): Promise<unknown> {
  const name = `${request.method} ${url.pathname.slice(toolbarPath.length)}`;
  assertAllowed(request, name === script);
  const handler = Object.hasOwn(answers, name) ? answers[name] : undefined;
  if (!handler) throw mediaAssetError('toolbar-request-invalid', { problem: 'unknown path' });
  const isPost = request.method === 'POST';
  return handler(isPost ? await readJson(request) : Object.fromEntries(url.searchParams), request);
}

/**
 * A proxy on this machine connects from here too, and says for whom. Another site's name can point to
 * this machine, so the host must be one that always does.
 */
function assertAllowed({ headers, httpVersion, socket }: IncomingMessage, isScript: boolean): void {
  // HTTP/2 has the host in a header of its own.
  const host = headers.host ?? headers[':authority'];
  const isHere =
    /^(?:::1|(?:::ffff:)?127\..*)$/.test(socket.remoteAddress ?? '') &&
    isLoopbackHost(URL.parse(`http://${host}`)?.hostname ?? '') &&
    // No browser uses HTTP/1.0, but nginx has long done so as a proxy, without a header of its own.
    httpVersion !== '1.0' &&
    !Object.keys(headers).some((name) => forwarding.test(name));
  if (!isHere) throw mediaAssetError('toolbar-remote', undefined);
  const site = headers['sec-fetch-site'];
  const isOwn =
    (site === undefined || site === 'same-origin') &&
    (headers.origin === undefined || URL.parse(headers.origin)?.host === host) &&
    (isScript || headers[ownHeader] !== undefined);
  if (!isOwn) throw mediaAssetError('toolbar-refused', undefined);
}

/** Headers with which proxies say for whom they ask. */
const forwarding =
  /^(?:forwarded|via|x-(?:forwarded|original|real|client)-.+|.+-client-ip|.+-connecting-ip)$/;

async function readJson(request: IncomingMessage): Promise<unknown> {
  const invalid = (problem: string) => mediaAssetError('toolbar-request-invalid', { problem });
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    throw invalid('no JSON');
  }
  const { bytes, isComplete } = await readUpTo(request, longestBody);
  if (!isComplete) throw invalid('more than 64 KB');
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw invalid('no JSON');
  }
}

const statuses: Partial<Record<Code, number>> = {
  'toolbar-refused': 403,
  'toolbar-remote': 403,
  'toolbar-request-invalid': 400,
};

function sendProblem(response: ServerResponse, thrown: unknown): void {
  const status = isMediaAssetError(thrown) ? (statuses[thrown.code] ?? 409) : 500;
  send(response, status, { error: noticeOf(thrown) });
}

function send(response: ServerResponse, status: number, value: unknown): void {
  const isImage = Buffer.isBuffer(value);
  const isText = typeof value === 'string';
  const body = isImage ? value : Buffer.from(isText ? value : JSON.stringify(value ?? {}));
  response.writeHead(status, {
    'Content-Type': isImage ? 'image/webp' : isText ? 'text/javascript' : 'application/json',
    'Content-Length': body.length,
    'Cache-Control': isImage ? 'private, no-cache' : 'no-store',
    'X-Content-Type-Options': 'nosniff',
    // What is left of a body that's too large isn't read.
    ...(status === 400 && { Connection: 'close' }),
  });
  response.end(body);
}
