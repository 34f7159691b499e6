import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { PageAssets } from '../assets/page-assets.ts';

type Next = (error?: unknown) => void;

/** Serves the catalogue's renditions and files in dev. All other requests go on to Astro. */
export function devMiddleware(images: Pick<PageAssets, 'fileFor'>) {
  /** Whether it has answered. */
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const url = request.url ?? '';
    const readable = request.method === 'GET' || request.method === 'HEAD';
    const { contentType, bytes, path } = (readable && (await images.fileFor(url))) || {};
    if (!contentType) return false;
    response.setHeader('Content-Type', contentType);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    // The URL identifies the bytes, but dev tools should show what the server has now.
    response.setHeader('Cache-Control', 'no-cache');
    if (path) await sendFile(path, { request, response });
    if (!bytes) return true;
    response.setHeader('Content-Length', bytes.length);
    response.end(request.method === 'HEAD' ? undefined : bytes);
    return true;
  }

  return (request: IncomingMessage, response: ServerResponse, next: Next) =>
    void answer(request, response).then(
      (answered) => (answered ? undefined : next()),
      // Once the answer has started, the connection can only be closed.
      (thrown) => (response.headersSent ? response.destroy() : next(thrown)),
    );
}

/** Answers range requests: without them, visitors can't seek in videos. */
async function sendFile(
  path: string,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  const { size } = await stat(path);
  const range = readRange(request.headers.range, size);
  response.setHeader('Accept-Ranges', 'bytes');
  const { start, end } = range ?? { start: 0, end: size - 1 };
  response.statusCode = range ? 206 : 200;
  if (range) response.setHeader('Content-Range', `bytes ${start}-${end}/${size}`);
  response.setHeader('Content-Length', end - start + 1);
  if (request.method === 'HEAD') return void response.end();
  await pipeline(createReadStream(path, { start, end }), response).catch((thrown) => {
    // Players close the connection when they have enough.
    if (!request.destroyed && !response.destroyed) throw thrown;
  });
}

/** The bytes of a `Range` header (RFC 9110, 14.1.2), both ends included; else the whole file. */
function readRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | undefined {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === undefined) return undefined;
  const range = { start: Number(from), end: to ? Math.min(Number(to), size - 1) : size - 1 };
  return range.start <= range.end ? range : undefined;
}
