import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Code, isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import type { ProblemAnswer } from './protocol.ts';

/** All paths of the toolbar start with this, below the site's base. */
const toolbarPath = '/_media-asset/';

/** The header with the session's secret. */
const secretHeader = 'x-media-asset-toolbar';

/** In bytes. */
const longestBody = 64 * 1024;

/** @param query the request's parameters. @param body a POST's JSON */
type Answer = (query: URLSearchParams, body: unknown) => Promise<unknown>;

/** By method and file: `GET folders.json`. A result that is a `Buffer` is a WebP. */
export type Answers = Readonly<Record<string, Answer>>;

type Next = (error?: unknown) => void;

export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Answers the toolbar app. Only requests of the same origin with the session's secret get an answer.
 * The secret is in a header, so no other site can send it, and no URL has it.
 */
export function toolbarMiddleware(secret: string, answers: Answers) {
  return (request: IncomingMessage, response: ServerResponse, next: Next) => {
    const url = new URL(request.url ?? '', 'http://toolbar');
    if (!url.pathname.startsWith(toolbarPath)) return next();
    answer(request, { url, secret, answers })
      .then((value) => send(response, 200, value))
      .catch((thrown: unknown) => {
        const { status, problem } = problemOf(thrown);
        send(response, status, problem);
      })
      .catch(next);
  };
}

async function answer(
  request: IncomingMessage,
  { url, secret, answers }: { url: URL; secret: string; answers: Answers },
): Promise<unknown> {
  assertAllowed(request, secret);
  const handler = answers[`${request.method} ${url.pathname.slice(toolbarPath.length)}`];
  if (!handler) throw mediaAssetError('toolbar-request-invalid', { problem: 'unknown path' });
  return handler(url.searchParams, request.method === 'POST' ? await readJson(request) : undefined);
}

/** @throws `toolbar-refused` */
function assertAllowed({ headers }: IncomingMessage, secret: string): void {
  const site = headers['sec-fetch-site'];
  const given = Buffer.from(String(headers[secretHeader] ?? ''));
  const expected = Buffer.from(secret);
  const isOwn =
    (site === undefined || site === 'same-origin') &&
    (headers.origin === undefined || hostOf(headers.origin) === headers.host) &&
    given.length === expected.length &&
    timingSafeEqual(given, expected);
  if (!isOwn) throw mediaAssetError('toolbar-refused', undefined);
}

function hostOf(origin: string): string | undefined {
  return URL.parse(origin)?.host;
}

/** @throws `toolbar-request-invalid` */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const invalid = (problem: string) => mediaAssetError('toolbar-request-invalid', { problem });
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    throw invalid('no JSON');
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > longestBody) throw invalid('more than 64 KB');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    throw invalid('no JSON');
  }
}

const statuses: Partial<Record<Code, number>> = {
  'toolbar-refused': 403,
  'toolbar-request-invalid': 400,
  'source-outside': 403,
  'source-changed': 409,
  'source-computed': 409,
  'source-unreadable': 409,
};

function problemOf(thrown: unknown): { status: number; problem: ProblemAnswer } {
  if (!isMediaAssetError(thrown)) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return { status: 500, problem: { error: { code: 'toolbar-failed', message } } };
  }
  const { code, message, hint } = thrown;
  return { status: statuses[code] ?? 404, problem: { error: { code, message, hint } } };
}

function send(response: ServerResponse, status: number, value: unknown): void {
  const isImage = Buffer.isBuffer(value);
  const body = isImage ? value : Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    'Content-Type': isImage ? 'image/webp' : 'application/json',
    'Content-Length': body.length,
    'Cache-Control': isImage ? 'private, no-cache' : 'no-store',
    'X-Content-Type-Options': 'nosniff',
    // What is left of a body that's too large isn't read.
    ...(status === 400 && { Connection: 'close' }),
  });
  response.end(body);
}
