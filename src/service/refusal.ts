import { causeOf, type Redactor } from './redactor.ts';
import type { Call } from './service-context.ts';
import { type Effect, type ServiceError, serviceError } from './service-error.ts';

/**
 * The error for an answer with a status of 400 or more. `answer` is an excerpt of its body;
 * `authorized` tells whether the request carried a token, `isOwnRefusal` whether the service itself
 * gave the answer.
 */
export function refusal(
  call: Call,
  {
    status,
    answer,
    authorized,
    isOwnRefusal,
  }: { status: number; answer: string; authorized: boolean; isOwnRefusal: boolean },
): ServiceError {
  const effect = status < 500 ? 'none' : 'unknown';
  if (call.kind === 'token' && (status === 400 || status === 401 || status === 403)) {
    return serviceError('credentials-refused', { status, answer }, { status, effect });
  }
  if (status === 401 && authorized) {
    return serviceError('request-unauthorized', { call: call.name }, { status, effect });
  }
  switch (status) {
    case 403:
      return serviceError(
        'request-forbidden',
        { call: call.name, answer },
        { status, effect, isOwnRefusal },
      );
    case 429:
      return limited(call, status);
    // Both say that the same request may succeed later.
    case 408:
    case 425:
      return serviceError(
        'service-failed',
        { call: call.name, status, answer },
        { status, effect },
      );
    default:
      return serviceError(
        status < 500 ? 'request-refused' : 'service-failed',
        { call: call.name, status, answer },
        { status, effect, isOwnRefusal },
      );
  }
}

/** The error for a call that a limit of the service keeps from going out (again). */
export function limited(call: Call, status: number): ServiceError {
  return serviceError('service-limited', { call: call.name, status }, { status, effect: 'none' });
}

/** The error for a request without an answer: `thrown` is what `fetch` or its body threw. */
export function unreachable(
  call: Call,
  failure: { thrown: unknown; ranOut: number | undefined; redactor: Redactor },
): ServiceError {
  const { thrown, ranOut, redactor } = failure;
  const reason =
    ranOut === undefined ? redactor.redact(reasonOf(thrown)) : `nothing came for ${ranOut} ms`;
  return serviceError(
    'service-unreachable',
    { call: call.name, reason },
    {
      effect: ranOut === undefined && neverArrived(thrown) ? 'none' : 'unknown',
      cause: redactor.redactError(thrown),
    },
  );
}

/**
 * Throws where the caller's signal has fired: its reason, or `call-ended` for a call that changes
 * something.
 */
export function throwIfEnded({ name, signal, grace }: Call, effect: Effect): void {
  if (!signal?.aborted) return;
  if (grace === undefined) throw signal.reason;
  throw serviceError('call-ended', { call: name }, { effect, cause: signal.reason });
}

/** The message of the deepest cause that has one: `fetch failed` alone tells nothing. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = causeOf(thrown);
  return (cause === undefined ? '' : reasonOf(cause)) || thrown.message || thrown.name;
}

const unreachedCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Whether the failure is one of name, connection or certificate, before any byte of the request. */
function neverArrived(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { code, syscall } = thrown as { code?: unknown; syscall?: unknown };
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true;
  if (typeof code === 'string' && unreachedCodes.has(code)) return true;
  const cause = causeOf(thrown);
  return cause !== undefined && neverArrived(cause);
}
