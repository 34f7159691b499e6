import { type Effect, type ServiceError, serviceError } from '../service-error.ts';
import { causeOf, type Redactor } from './redactor.ts';
import { IdleClosed } from './send-request.ts';
import { type Call, inCall } from './service-context.ts';
import type { Pause } from './timing.ts';

/** The error's code for an answer with a status of 400 or more. */
export function refusalCode({ kind }: Call, status: number, isAuthorized: boolean) {
  if (kind === 'token' && [400, 401, 403].includes(status)) return 'credentials-refused';
  if (status === 401 && isAuthorized) return 'request-unauthorized';
  if (status === 403) return 'request-forbidden';
  if (status === 429) return 'service-limited';
  // 408 and 425 mean that the same request may succeed later.
  const mayPass = status >= 500 || status === 408 || status === 425;
  return mayPass ? 'service-failed' : 'request-refused';
}

/** The error for JSON that reports a failure in spite of its status. */
export function statedFailure(
  call: Call,
  said: { status: number; answer: string; effect: Effect; isOwnRefusal?: boolean },
): ServiceError {
  const code = call.kind === 'token' ? 'credentials-refused' : 'request-refused';
  return serviceError(code, { ...inCall(call), ...said }, said);
}

export function limited(call: Call, { asked, status }: Pause): ServiceError {
  const details = { ...inCall(call), asked, status };
  return serviceError('service-limited', details, { status, effect: 'none' });
}

/** The error for a request without an answer. `thrown` comes from the sender or from the body. */
export function unreachable(
  call: Call,
  failure: { thrown: unknown; ranOut: number | undefined; redactor: Redactor },
): ServiceError {
  const { thrown, ranOut, redactor } = failure;
  const reason =
    ranOut === undefined ? redactor.redact(reasonOf(thrown)) : `no data arrived for ${ranOut} ms`;
  const effect: Effect = ranOut === undefined && neverArrived(thrown) ? 'none' : 'unknown';
  const cause = redactor.redactError(thrown);
  const state = { effect, wasIdle: thrown instanceof IdleClosed, cause };
  return serviceError('service-unreachable', { ...inCall(call), reason }, state);
}

/** If the signal has fired, throws its reason, or `call-ended` for calls that change something. */
export function throwIfEnded(call: Call, effect: Effect): void {
  const { signal, grace } = call;
  if (!signal?.aborted) return;
  if (grace === undefined) throw signal.reason;
  throw serviceError('call-ended', inCall(call), { effect, cause: signal.reason });
}

/** The message of the deepest cause, because `fetch failed` alone says nothing. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = causeOf(thrown);
  return (cause === undefined ? '' : reasonOf(cause)) || thrown.message || thrown.name;
}

const unreachedCodes: readonly string[] = [
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'CERT_HAS_EXPIRED'],
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID', 'SELF_SIGNED_CERT_IN_CHAIN'],
  ...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
];

/** Whether DNS, connection or certificate failed, before any byte of the request was sent. */
function neverArrived(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { code, syscall } = thrown as { code?: unknown; syscall?: unknown };
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true;
  if (typeof code === 'string' && unreachedCodes.includes(code)) return true;
  const cause = causeOf(thrown);
  return cause !== undefined && neverArrived(cause);
}

/** The error for an answer in a form that no one knows. */
export function unexpected(
  call: Call,
  details: { readonly problem: string; readonly came?: string | undefined },
  answer: { readonly status: number; readonly effect: Effect },
): ServiceError {
  return serviceError('answer-unexpected', { ...inCall(call), ...details }, answer);
}
