import type { MiddlewareHandler } from 'hono';
import { badRequest } from './calls/http-error.ts';
import { readBody } from './calls/read-body.ts';
import type { CallContext, CallEnvironment } from './emulator-state.ts';
import type { RequestLog } from './request-log.ts';

/**
 * Logs each request when it arrives, and its answer just before it's sent.
 *
 * @param maxBodyBytes reading stops after this
 */
export function logRequests(
  log: RequestLog,
  maxBodyBytes: number,
): MiddlewareHandler<CallEnvironment> {
  return async (c, next) => {
    const { sequence, whole } = await logArrival({ c, log, maxBodyBytes });
    if (!whole) throw badRequest('body-cut-short', 'The body ended too early.');
    c.set('sequence', sequence);
    await next();
    const bytes = await measure(c);
    log.ended(sequence, { status: c.res.status, bytes });
  };
}

async function logArrival({
  c,
  log,
  maxBodyBytes,
}: {
  c: CallContext;
  log: RequestLog;
  maxBodyBytes: number;
}): Promise<{ sequence: number; whole: boolean }> {
  const { method = '', url = '', headers } = c.env.incoming;
  const question = url.indexOf('?');
  // An upload's content is streamed to disk and not logged.
  const { body, whole } = isUpload({ method, path: c.req.path })
    ? { body: new Uint8Array(), whole: true }
    : await readBody(c.req.raw, maxBodyBytes);
  c.set('body', body);
  const sequence = log.arrived({
    method,
    path: question < 0 ? url : url.slice(0, question),
    query: question < 0 ? '' : url.slice(question + 1),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, String(value)]),
    ),
    body,
  });
  return { sequence, whole };
}

/** Whether a request is an upload's second step. Its body is a file's content. */
export function isUpload({ method, path }: { method: string; path: string }): boolean {
  return method === 'POST' && /^\/1\/upload\/-?\d+$/.test(path);
}

/** The size of an answer's body, in bytes. */
async function measure(c: CallContext): Promise<number> {
  if (c.res.body !== null && !c.res.headers.has('Content-Length')) {
    const body = await c.res.arrayBuffer();
    const headers = new Headers(c.res.headers);
    headers.set('Content-Length', String(body.byteLength));
    c.res = new Response(body, { status: c.res.status, headers });
  }
  const hasBody = c.res.body !== null && c.req.method !== 'HEAD';
  return hasBody ? Number(c.res.headers.get('Content-Length')) : 0;
}
