import { type Effect, ServiceError, serviceError, withEffect } from '../service-error.ts';
import { excerpt } from './excerpt.ts';
import { type Arrival, exchange } from './exchange.ts';
import { readAnswer, readText } from './read-answer.ts';
import { limited, refusal, throwIfEnded } from './refusal.ts';
import { backoff, everyTemporaryFailure, isRetried, readRetryAfter } from './retry-table.ts';
import { codingOf } from './send-request.ts';
import type { Call, ServiceContext } from './service-context.ts';

/** Reads an answer below 400, or returns its body. Returns failures as values. */
export type Receive<T> = (arrival: Arrival) => Promise<T | ServiceError>;

export interface TokenProvider {
  /** Returns a token that hasn't expired. Concurrent callers share one request. */
  current(signal?: AbortSignal): Promise<string>;
  /** Replaces a token that the service has refused. `undefined` if there's no other. */
  renewed(refused: string, signal?: AbortSignal): Promise<string | undefined>;
}

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

  async function attempt(token: string | undefined): Promise<T | ServiceError> {
    const arrival = await exchange(context, call, { token, deadline });
    if (arrival instanceof ServiceError) return arrival;
    if (arrival.response.status >= 400) return refuse(context, call, arrival);
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
      const refusing = pauses.outlasting(origin, deadline);
      if (refusing !== undefined) throw limited(call, refusing);
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
  { name, request }: Call,
  { response, limit }: Arrival,
): Promise<ServiceError | undefined> {
  const coding = codingOf(response.headers);
  if (coding === undefined || request.headers['accept-encoding'] === coding) return undefined;
  limit.end();
  await response.body?.cancel().catch(() => undefined);
  const problem = `its content coding is ${coding.slice(0, 40)}, which wasn't asked for`;
  const { status } = response;
  return serviceError('answer-unexpected', { call: name, problem }, { status, effect: 'unknown' });
}

async function refuse(
  { clock, ticks, pauses, redactor }: ServiceContext,
  call: Call,
  { response, origin, authorized, limit }: Arrival,
): Promise<ServiceError> {
  const { status, headers } = response;
  const wait = readRetryAfter(headers.get('retry-after'), clock());
  if (wait !== undefined && everyTemporaryFailure.has(status)) {
    pauses.extend(origin, ticks() + wait, status);
  }
  const contentType = headers.get('content-type') ?? undefined;
  let text = '';
  try {
    ({ text } = await readText(response, refusalBytes));
  } catch {
    // The status is enough. Only the message is lost.
    throwIfEnded(call, 'unknown');
  } finally {
    limit.end();
  }
  const received = { status, contentType, text };
  const isOwn = origin === new URL(call.request.url).origin;
  const isOwnRefusal = isOwn && readAnswer(received).kind !== 'html';
  const answer = excerpt(received, redactor.redact);
  return refusal(call, { status, answer, authorized, isOwnRefusal });
}
