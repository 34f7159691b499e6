import type { MiddlewareHandler } from 'hono';
import { badRequest } from './calls/http-error.ts';
import { readBody } from './calls/read-body.ts';
import { type CallContext, type CallEnvironment, hadEffect } from './emulator-state.ts';
import { isUpload } from './faults/fault-call.ts';
import { resetConnection, sendNothing, sendPart } from './faults/send-answer.ts';
import type { Ending, RequestLog } from './request-log.ts';

/**
 * Logs each request when it arrives, and its outcome just before it happens.
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
    await end(c, (ending) => log.ended(sequence, ending));
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

async function end(c: CallContext, note: (ending: Ending) => void): Promise<void> {
  const fault = c.get('fault') ?? null;
  const effect = hadEffect(c);
  switch (fault) {
    case 'reset-before':
    case 'reset-after':
      note({ status: null, outcome: 'reset', effect, fault, retryAfter: null, bytes: 0 });
      resetConnection(c);
      return sendNothing(c);
    case 'late':
      note({ status: null, outcome: 'late', effect, fault, retryAfter: null, bytes: 0 });
      return sendNothing(c);
  }
  const { status } = c.res;
  const retryAfter = c.res.headers.get('Retry-After');
  if (fault === 'endless')
    return note({ status, outcome: 'endless', effect, fault, retryAfter, bytes: 0 });
  const whole = fault === 'truncate' && c.res.ok ? await c.res.clone().bytes() : new Uint8Array();
  if (whole.length > 0) {
    const part = whole.subarray(0, Math.floor(whole.length / 2));
    note({ status, outcome: 'truncated', effect, fault, retryAfter, bytes: part.length });
    return sendPart(c, part, whole.length);
  }
  const bytes = await measure(c);
  note({ status, outcome: 'answered', effect, fault, retryAfter, bytes });
}

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
