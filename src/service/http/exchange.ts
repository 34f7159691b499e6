import { ServiceError, serviceError } from '../service-error.ts';
import { checkRedirect, maxRedirects, type Redirect, redirectTarget } from './check-redirect.ts';
import { isLocator, locate } from './locate-download.ts';
import { limited, throwIfEnded, unreachable } from './refusal.ts';
import type { Call, ServiceContext } from './service-context.ts';
import { createTimeLimit, type TimeLimit } from './time-limit.ts';

/** An answer whose headers have arrived. The code that reads its body ends `limit`. */
export interface Arrival {
  readonly response: Response;
  /** Origin of the answer, after redirects. */
  readonly origin: string;
  /** Whether the answered request carried the token. */
  readonly authorized: boolean;
  readonly limit: TimeLimit;
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a call once. A download follows redirects. Each request first waits until its host accepts
 * requests again. Returns a failure that can be retried.
 *
 * @throws `service-limited` if a host asks for a wait past `deadline` (in ticks); what
 * `beforeAttempt` throws; what `throwIfEnded` throws once the caller's signal fires
 */
export async function exchange(
  context: ServiceContext,
  call: Call,
  { token, deadline }: { token: string | undefined; deadline: number },
): Promise<Arrival | ServiceError> {
  const { method, headers, body } = call.request;
  const service = new URL(call.request.url);
  const limit = createTimeLimit(call.signal, call.grace);
  let sent = false;
  let answered = false;
  let url = service;
  let bearer = token;
  let { addresses } = call;
  let located = context.downloads === 'bytes';
  try {
    for (let redirects = 0; ; redirects += 1) {
      await awaitTurn(context, call, { origin: url.origin, deadline });
      throwIfEnded(call, 'none');
      sent = true;
      limit.start(Math.max(1, Math.min(context.timeLimit, deadline - context.ticks())));
      const request = {
        method,
        headers: bearer === undefined ? headers : authorized(headers, bearer),
        signal: limit.signal,
      };
      const content = open(body, () => answered || limit.start(context.timeLimit));
      const response = await context.send(url, { ...request, ...content, addresses });
      answered = true;
      const { status } = response;
      let location: string | null;
      if (redirectStatuses.has(status)) {
        location = response.headers.get('location');
        await response.body?.cancel();
      } else if (!located && call.kind === 'download' && isLocator(response)) {
        located = true;
        location = await locate(context, call, response);
      } else return { response, origin: url.origin, authorized: bearer !== undefined, limit };
      const next = await follow(context, call, { status, location, from: url, service, redirects });
      if (next instanceof ServiceError) {
        limit.end();
        return next;
      }
      // A dropped token stays dropped, even if a foreign host redirects back.
      if (!next.sameOrigin) {
        bearer = undefined;
        addresses = next.addresses;
      }
      url = next.url;
    }
  } catch (thrown) {
    limit.end();
    throwIfEnded(call, sent ? 'unknown' : 'none');
    if (!sent || thrown instanceof ServiceError) throw thrown;
    if (typeof body === 'object' && body.failure !== undefined) throw body.failure;
    return unreachable(call, { thrown, ranOut: limit.ranOut, redactor: context.redactor });
  }
}

function authorized(headers: Readonly<Record<string, string>>, bearer: string) {
  return { ...headers, authorization: `Bearer ${bearer}` };
}

/** A streamed body has no total time limit. Each read starts the limit again. */
function open(body: Call['request']['body'], onRead: () => unknown) {
  if (body === undefined) return {};
  return { body: typeof body === 'string' ? body : body.open(onRead) };
}

/** Waits until the host accepts requests, then for `beforeAttempt`. */
async function awaitTurn(
  { pauses, ticks }: ServiceContext,
  call: Call,
  { origin, deadline }: { origin: string; deadline: number },
): Promise<void> {
  do {
    const refusing = pauses.outlasting(origin, deadline);
    if (refusing !== undefined) throw limited(call, refusing);
    await pauses.wait(origin, call.signal);
    await call.beforeAttempt?.();
    // Another call may have been rate-limited in the meantime.
  } while (call.beforeAttempt && pauses.outlasting(origin, ticks()) !== undefined);
}

async function follow(
  context: ServiceContext,
  call: Call,
  hop: {
    readonly status: number;
    readonly location: string | null;
    readonly from: URL;
    readonly service: URL;
    readonly redirects: number;
  },
): Promise<Extract<Redirect, { followed: true }> | ServiceError> {
  const { status, location } = hop;
  const refuse = (target: string, reason: string) =>
    serviceError(
      'redirect-refused',
      { call: call.name, target, reason },
      { status, effect: 'unknown' },
    );
  if (call.kind !== 'download') {
    return refuse(redirectTarget(location, hop.from), 'only downloads may redirect');
  }
  const redirect = await checkRedirect({
    location,
    from: hop.from,
    service: hop.service,
    lookup: context.lookup,
  });
  if (!redirect.followed) return refuse(redirect.target, redirect.reason);
  if (hop.redirects >= maxRedirects) {
    return refuse(redirect.url.origin, `${maxRedirects} redirects came before it`);
  }
  return redirect;
}
