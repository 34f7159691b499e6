import { isMediaAssetError } from '../../errors/errors.ts';
import { type Effect, ServiceError, serviceError, withEffect } from '../service-error.ts';
import { checkRedirect, maxRedirects, redirectTarget } from './addresses.ts';
import { findContent, isKnown } from './known-answers.ts';
import * as answers from './read-answer.ts';
import { createRedactor } from './redactor.ts';
import {
  limited,
  refusalCode,
  statedFailure,
  throwIfEnded,
  unexpected,
  unreachable,
} from './refusal.ts';
import { backoff, everyTemporaryFailure, isRetried, readRetryAfter } from './retry-table.ts';
import { codingOf, IdleClosed, redirectStatuses } from './send-request.ts';
import { type Call, inCall, type ServiceContext, type WireRequest } from './service-context.ts';
import { createTimeLimit } from './timing.ts';

/** Reads an answer below 400, or returns its body. Returns failures as values. */
export type Receive<T> = (arrival: Arrival) => Promise<T | ServiceError>;

export interface TokenProvider {
  /** Returns a token that hasn't expired. Concurrent callers share one request. */
  current(signal?: AbortSignal): Promise<string>;
  /** Replaces a token that the service has refused. `undefined` if there's no other. */
  renewed(refused: string, signal?: AbortSignal): Promise<string | undefined>;
}

const defaultHeaders: WireRequest['headers'] = { 'accept-encoding': 'gzip' };

/** Maximum size of an error's body, in bytes. Enough for an excerpt. */
const refusalBytes = 64 * 1024;

/**
 * Makes a call, with retries by the retry table, until the deadline. After a 401, renews the token
 * once. Throws a ServiceError whose `effect` covers all attempts.
 */
export async function sendCall<T>(
  context: ServiceContext,
  call: Call,
  { tokens, receive }: { tokens?: TokenProvider; receive: Receive<T> },
): Promise<T> {
  const { ticks, pauses } = context;
  const { origin } = new URL(call.request.url);
  const deadline = ticks() + context.deadline;
  let effect: Effect = 'none';
  let renewed = false;
  let askedAgain = false;

  async function attempt(token: string | undefined): Promise<T | ServiceError> {
    const arrival = await exchange(context, call, { token, deadline });
    if (arrival instanceof ServiceError) return arrival;
    if (arrival.response.status >= 400) {
      const refusal = await refuse(context, call, arrival);
      if (!arrival.isLed || askedAgain || isRetried(call.kind, refusal)) return refusal;
      // A signed URL can have expired.
      askedAgain = true;
      return attempt(token);
    }
    return (await refuseCoding(call, arrival)) ?? receive(arrival);
  }

  async function attemptAuthorized(): Promise<T | ServiceError> {
    const token = await tokens?.current(call.signal);
    const result = await attempt(token);
    const stale = result instanceof ServiceError && result.code === 'request-unauthorized';
    if (!stale || renewed || token === undefined) return result;
    renewed = true;
    const fresh = await tokens?.renewed(token, call.signal);
    return fresh === undefined ? result : attempt(fresh);
  }

  try {
    for (let count = 1; ; count += 1) {
      const result = await attemptAuthorized();
      if (!(result instanceof ServiceError)) return result;
      if (result.effect === 'unknown') effect = 'unknown';
      if (count >= context.attempts || !isRetried(call.kind, result)) throw result;
      pauses.current(origin, deadline, (pause) => limited(call, pause));
      const wait = backoff(count, context.random);
      if (ticks() + wait >= deadline) throw result;
      await context.sleep(wait, call.signal);
    }
  } catch (thrown) {
    // The signal fired during a wait between attempts. Requests in progress throw this themselves.
    if (call.signal && thrown === call.signal.reason) throwIfEnded(call, effect);
    const worse = effect === 'unknown' && thrown instanceof ServiceError;
    throw worse ? withEffect(thrown, effect) : thrown;
  }
}

/** Bytes in a coding that the call didn't ask for would be stored as they are. */
async function refuseCoding(
  call: Call,
  { response, limit }: Arrival,
): Promise<ServiceError | undefined> {
  const coding = response.body ? codingOf(response.headers) : undefined;
  const { 'accept-encoding': asked } = { ...defaultHeaders, ...call.request.headers };
  if (coding === undefined || coding === asked) return undefined;
  limit.end();
  await response.body?.cancel().catch(() => undefined);
  const problem = `its content coding is ${coding.slice(0, 40)}, which wasn't asked for`;
  return unexpected(call, { problem }, { status: response.status, effect: 'unknown' });
}

async function refuse(
  { clock, pauses }: ServiceContext,
  call: Call,
  { response, origin, authorized, limit, redact }: Arrival,
): Promise<ServiceError> {
  const { status, headers } = response;
  const wait = readRetryAfter(headers.get('retry-after'), clock());
  if (wait !== undefined && everyTemporaryFailure.has(status)) {
    pauses.extend(origin, { asked: wait, status });
  }
  let received: answers.Answer | undefined;
  try {
    received = await answers.readBody(response, refusalBytes);
  } catch {
    // What was cut may have been a proxy's page.
    throwIfEnded(call, 'unknown');
  } finally {
    limit.end();
  }
  const isOwn = origin === new URL(call.request.url).origin;
  const state = {
    status,
    effect: status < 500 ? 'none' : 'unknown',
    answer: received ? answers.excerpt(received, redact) : '',
    isOwnRefusal: isOwn && received !== undefined && received.kind !== 'html',
  } as const;
  const code = refusalCode(call, status, authorized);
  return serviceError(code, { ...inCall(call), ...state }, state);
}

/** An answer whose headers have arrived. The code that reads its body ends `limit`. */
export type Arrival = Exclude<Awaited<ReturnType<typeof exchange>>, ServiceError>;

/**
 * Sends a call once. A download follows redirects. Each request first waits until its host accepts
 * requests again. Returns a failure that can be retried.
 */
async function exchange(
  context: ServiceContext,
  call: Call,
  { token, deadline }: { token: string | undefined; deadline: number },
) {
  const { method, headers, body } = call.request;
  const { closesIdle, pauses, sleep, ticks } = context;
  const service = new URL(call.request.url);
  const limit = createTimeLimit(call.signal, call.grace);
  let sent = false;
  let answered = false;
  let url = service;
  let bearer = token;
  let { addresses } = call;
  /** Whether the service has answered with JSON that holds the URL. */
  let located = false;

  /** Waits until the host accepts requests, then for `beforeAttempt`. */
  async function awaitTurn({ origin }: URL): Promise<void> {
    const current = () => pauses.current(origin, deadline, (pause) => limited(call, pause));
    do {
      // Another call may extend the pause, and timers can fire early.
      for (let pause = current(); pause; pause = current()) {
        await sleep(pause.until - ticks(), call.signal);
        call.signal?.throwIfAborted();
      }
      await call.beforeAttempt?.();
    } while (current());
  }

  async function follow(status: number, location: string | null, redirects: number) {
    const refuse = (target: string, reason: string) => {
      const details = { ...inCall(call), target, reason };
      return serviceError('redirect-refused', details, { status, effect: 'unknown' });
    };
    if (call.kind !== 'download')
      return refuse(redirectTarget(location, url), 'only downloads may redirect');
    const redirect = await checkRedirect({ location, from: url, service, lookup: context.lookup });
    if (!redirect.followed) return refuse(redirect.target, redirect.reason);
    if (redirects < maxRedirects) return redirect;
    return refuse(redirect.url.origin, `${maxRedirects} redirects came before it`);
  }

  try {
    for (let redirects = 0; ; redirects += 1) {
      await awaitTurn(url);
      throwIfEnded(call, 'none');
      sent = true;
      limit.start(Math.max(1, Math.min(context.timeLimit, deadline - ticks())));
      const request = {
        method,
        headers: {
          ...defaultHeaders,
          ...headers,
          ...(bearer && { authorization: `Bearer ${bearer}` }),
        },
        signal: limit.signal,
        // An idle connection can lose a request that isn't sent again, or each of its attempts. Usages are
        // many, so they share connections that their host keeps open.
        isFresh:
          call.kind === 'record' || (call.kind.startsWith('usage-') && closesIdle.has(url.origin)),
      };
      // A streamed body has no total time limit. Each read starts the limit again.
      const onRead = () => answered || limit.start(context.timeLimit);
      const content = body && { body: typeof body === 'function' ? body(onRead) : body };
      const response = await context.send(url, { ...request, ...content, addresses });
      answered = true;
      const { status, headers: answer } = response;
      const isRedirect = redirectStatuses.has(status);
      let location = isRedirect ? answer.get('location') : null;
      const mayLocate = !located && context.downloads === 'url' && call.kind === 'download';
      if (isRedirect) {
        await response.body?.cancel();
      } else if (mayLocate && status === 200 && answers.isJsonType(answer.get('content-type'))) {
        located = true;
        location = await locate(context, call, response);
      } else {
        /** Whether the answered request carried the token. */
        const authorized = bearer !== undefined;
        /** Whether a redirect or such an answer led to the URL. */
        const isLed = url !== service;
        const signature = isLed ? url.search.slice(1) : '';
        /** Masks secrets, and the query of an address that the service has led to: it can be a signature. */
        const redact = (text: string) =>
          context.redactor.redact(signature ? createRedactor([signature]).redact(text) : text);
        return { response, origin: url.origin, authorized, located, isLed, limit, redact };
      }
      const next = await follow(status, location, redirects);
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
    // Also what a streamed body throws.
    if (!sent || isMediaAssetError(thrown)) throw thrown;
    if (thrown instanceof IdleClosed) closesIdle.add(url.origin);
    return unreachable(call, { thrown, ranOut: limit.ranOut(), redactor: context.redactor });
  }
}

/** In bytes. */
const maxLocatorBytes = 64 * 1024;

/** Returns the download's URL. It may be a secret. Throws `answer-unexpected` unless it's unique. */
async function locate(
  { redactor }: ServiceContext,
  call: Call,
  response: Response,
): Promise<string> {
  const state = { status: response.status, effect: 'none' } as const;
  const answer = await answers.readBody(response, maxLocatorBytes);
  const { kind, json } = answer;
  if (answers.statesFailure(json, { records: true, levels: 3 })) {
    throw statedFailure(call, { ...state, answer: answers.excerpt(answer, redactor.redact) });
  }
  const isAddress = (value: unknown) =>
    typeof value === 'string' && /^(?:https?:\/\/|\/)\S+$/i.test(value) ? value : undefined;
  const found = findContent(json, 'download', isAddress);
  let mark: string | undefined;
  // Wherever it stands, it's about this download.
  JSON.stringify(json, (name, value) => {
    const isSet = answers.holdsSomething(value) && !/^(?:0|no|none)$/i.test(String(value));
    if (isSet && isKnown(name, 'lesser')) mark = name;
    return value;
  });
  if (mark !== undefined) {
    const said = `it offers only a preview, or a version with a watermark (\`${mark}\`)`;
    throw statedFailure(call, { ...state, answer: said, isOwnRefusal: true });
  }
  const addresses = found.map(({ content }) => content);
  const [address] = addresses;
  if (address !== undefined && new Set(addresses).size === 1) return address;
  const problem = 'expected JSON with one download URL';
  const came = kind === 'json' ? answers.describeAnswer(answer, redactor.redact) : kind;
  throw unexpected(call, { problem, came }, state);
}
