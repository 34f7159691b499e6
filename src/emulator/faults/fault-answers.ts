import type { MiddlewareHandler } from 'hono';
import { answerHttpError, HttpError } from '../calls/http-error.ts';
import type { CallEnvironment, EmulatorState } from '../emulator-state.ts';
import type { Fault } from './fault-schema.ts';
import type { Waits } from './fault-waits.ts';
import { replaceAnswer } from './send-answer.ts';

/** Page on the second host that `redirect` faults lead to. */
export const elsewhere = '/elsewhere';

const message = 'The request failed.';

export function statusAnswer({
  status,
  body,
}: Pick<Extract<Fault, { kind: 'status' }>, 'status' | 'body'>): Response {
  switch (body) {
    case 'json':
      return answerHttpError(new HttpError(status, 'fault', message));
    case 'text':
      return new Response(message, { status, headers: { 'Content-Type': 'text/plain' } });
    case 'html':
      return maintenancePage(status);
    case 'empty':
      return new Response(null, { status, headers: { 'Content-Length': '0' } });
  }
}

/** A `Retry-After` date is rounded up to a whole second. `now` is in ms since 1970. */
export function limitAnswer(
  { status, retryAfter, form }: Extract<Fault, { kind: 'limit' }>,
  now: number,
): Response {
  const date = (seconds: number): string =>
    new Date((Math.ceil(now / 1000) + seconds) * 1000).toUTCString();
  const header = form === 'date' ? date : String;
  return answerHttpError(
    new HttpError(
      status,
      'limit',
      'Too many requests.',
      retryAfter === undefined ? {} : { 'Retry-After': header(retryAfter) },
    ),
  );
}

export function redirectAnswer(
  { status, to }: Extract<Fault, { kind: 'redirect' }>,
  { url, otherHost }: { url: string; otherHost: string },
): Response {
  const places: Readonly<Record<string, string>> = {
    'other-host': `${otherHost}${elsewhere}`,
    itself: url,
  };
  return new Response(null, {
    status,
    headers: { Location: places[to] ?? to, 'Content-Length': '0' },
  });
}

const endless = {
  json: { type: 'application/json', start: '{"files":["', more: 'a' },
  html: { type: 'text/html; charset=utf-8', start: '<!doctype html>\n<p>', more: 'a' },
  image: { type: 'image/jpeg', start: '\xff\xd8\xff\xe0', more: '\0' },
} as const;

/** Ends only when the emulator closes or the client disconnects. `cut` ends the connection. */
export function endlessAnswer(
  { body, ms }: Extract<Fault, { kind: 'endless' }>,
  { waits, cut }: { waits: Waits; cut: () => void },
): Response {
  const { type, start, more } = endless[body];
  const piece = Buffer.alloc(65_536, more, 'latin1');
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from(start, 'latin1'));
    },
    async pull(controller) {
      if (ms > 0) await waits.pause(ms);
      if (waits.closed()) cut();
      else controller.enqueue(piece);
    },
  });
  return new Response(stream, { headers: { 'Content-Type': type } });
}

export function maintenancePage(status: number): Response {
  const page =
    '<!doctype html>\n<html lang="en"><title>Maintenance</title><h1>We will be back soon.</h1></html>\n';
  return new Response(page, { status, headers: { 'Content-Type': 'text/html; charset=utf-8' } });
}

export function bendErrorBodies({
  settings,
}: Pick<EmulatorState, 'settings'>): MiddlewareHandler<CallEnvironment> {
  return async (c, next) => {
    await next();
    const { errorBody } = settings();
    const { status } = c.res;
    if (status < 400 || errorBody === 'json') return;
    const answer = statusAnswer({ status, body: errorBody });
    const headers = new Headers(c.res.headers);
    for (const name of ['Content-Type', 'Content-Length']) headers.delete(name);
    for (const [name, value] of answer.headers) headers.set(name, value);
    await replaceAnswer(c, new Response(answer.body, { status, headers }));
  };
}
