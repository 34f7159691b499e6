import { HttpError } from '../../../../src/emulator/calls/http-error.ts';
import type { Fault } from './faults.ts';
import type { Waits } from './waits.ts';

const message = 'The request failed.';

/** The body of an error answer. */
export type ErrorBody = NonNullable<Fault<'status'>['body']>;

export function statusAnswer(status: number, body: ErrorBody = 'json'): Response {
  switch (body) {
    case 'json':
      return new HttpError(status, 'fault', message).getResponse();
    case 'text':
      return new Response(message, { status, headers: { 'Content-Type': 'text/plain' } });
    case 'html':
      return maintenancePage(status);
    case 'empty':
      return new Response(null, { status, headers: { 'Content-Length': '0' } });
  }
}

export function maintenancePage(status: number): Response {
  const page =
    '<!doctype html>\n<html lang="en"><title>Maintenance</title><h1>We will be back soon.</h1></html>\n';
  return new Response(page, { status, headers: { 'Content-Type': 'text/html; charset=utf-8' } });
}

/** A `Retry-After` date is rounded up to a whole second. */
export function limitAnswer({ status = 429, retryAfter, form }: Fault<'limit'>): Response {
  const date = (seconds: number): string =>
    new Date((Math.ceil(Date.now() / 1000) + seconds) * 1000).toUTCString();
  const header = form === 'date' ? date : String;
  const headers = retryAfter === undefined ? {} : { 'Retry-After': header(retryAfter) };
  return new HttpError(status, 'limit', 'Too many requests.', headers).getResponse();
}

const endless = {
  json: { type: 'application/json', start: '{"files":["', more: 'a' },
  image: { type: 'image/jpeg', start: '\xff\xd8\xff\xe0', more: '\0' },
} as const;

/** Ends only when the emulator closes or the client disconnects. `cut` ends the connection. */
export function endlessAnswer(
  { body = 'json', ms = 0 }: Fault<'endless'>,
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
