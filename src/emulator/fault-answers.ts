import type { Fault } from './fault.ts';
import { answerRefusal, Refusal } from './refusal.ts';

const message = 'A fault that was asked for.';

/** The answer of a `status` fault, in the form that it names. */
export function statusAnswer({ status, body }: Extract<Fault, { kind: 'status' }>): Response {
  switch (body) {
    case 'json':
      return answerRefusal(new Refusal(status, 'fault', message));
    case 'text':
      return new Response(message, { status, headers: { 'Content-Type': 'text/plain' } });
    case 'html':
      return maintenancePage(status);
    case 'empty':
      return new Response(null, { status, headers: { 'Content-Length': '0' } });
  }
}

/**
 * The answer of a `limit` fault. A `Retry-After` date is no earlier than the seconds say.
 *
 * @param now Milliseconds since 1970.
 */
export function limitAnswer(
  { status, retryAfter, form }: Extract<Fault, { kind: 'limit' }>,
  now: number,
): Response {
  const date = (seconds: number): string =>
    new Date((Math.ceil(now / 1000) + seconds) * 1000).toUTCString();
  const header = form === 'date' ? date : String;
  return answerRefusal(
    new Refusal(
      status,
      'limit',
      'Too many requests, as was asked for.',
      retryAfter === undefined ? {} : { 'Retry-After': header(retryAfter) },
    ),
  );
}

/** What a gateway shows to people while the service behind it is away. */
export function maintenancePage(status: number): Response {
  const page =
    '<!doctype html>\n<html lang="en"><title>Maintenance</title><h1>We will be back soon.</h1></html>\n';
  return new Response(page, { status, headers: { 'Content-Type': 'text/html; charset=utf-8' } });
}
