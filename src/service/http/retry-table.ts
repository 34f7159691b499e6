import type { ServiceError } from '../service-error.ts';

/** What a call is for, which decides when it may be repeated. */
export type CallKind =
  | 'token'
  | 'download'
  | 'read'
  | 'list'
  | 'usage-report'
  | 'usage-removal'
  | 'record'
  | 'upload'
  | 'update';

/**
 * How an attempt ended without success: `unreached` where the request certainly never arrived (a
 * refused connection, a name that does not resolve), `lost` where the answer did not come (a reset,
 * a time-out), or the status of the answer.
 */
export type CallOutcome = 'unreached' | 'lost' | number;

/** Also the statuses whose `Retry-After` is heeded. */
export const everyTemporaryFailure: ReadonlySet<CallOutcome> = new Set<CallOutcome>([
  'unreached',
  'lost',
  408,
  425,
  429,
  500,
  502,
  503,
  504,
]);

const withoutEffect: ReadonlySet<CallOutcome> = new Set<CallOutcome>(['unreached', 429]);

/**
 * The outcomes after which a call is made again. A usage report, and the request that makes a
 * file's record, only where they certainly had no effect: a second one may make a second record.
 */
export const retryTable: Readonly<Record<CallKind, ReadonlySet<CallOutcome>>> = {
  token: everyTemporaryFailure,
  download: everyTemporaryFailure,
  read: everyTemporaryFailure,
  list: everyTemporaryFailure,
  'usage-report': withoutEffect,
  'usage-removal': everyTemporaryFailure,
  record: withoutEffect,
  upload: everyTemporaryFailure,
  update: everyTemporaryFailure,
};

/** Attempts of one call, the first one included. */
export const defaultAttempts = 4;

const firstBackoff = 500;
const longestBackoff = 15_000;

/** Milliseconds to wait after the `attempt`th attempt (from 1): exponential, with full jitter. */
export function backoff(attempt: number, random: () => number): number {
  return Math.floor(random() * Math.min(longestBackoff, firstBackoff * 2 ** (attempt - 1)));
}

export function isRetried(kind: CallKind, error: ServiceError): boolean {
  const outcome = outcomeOf(error);
  return outcome !== undefined && retryTable[kind].has(outcome);
}

function outcomeOf({ code, effect, status }: ServiceError): CallOutcome | undefined {
  if (code === 'service-unreachable') return effect === 'none' ? 'unreached' : 'lost';
  // An answer below 400 is an error only where it fits nothing, which no repetition mends.
  return status !== undefined && status >= 400 ? status : undefined;
}

/**
 * The wait that a `Retry-After` header asks for, in milliseconds from `now`; undefined where it
 * holds neither of its forms (RFC 9110, 10.2.3: seconds, or an HTTP date). `now` is in
 * milliseconds since the epoch.
 */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  const value = header?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  if (!/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i.test(value)) return undefined;
  // The oldest of the three date forms (asctime) means GMT without saying so.
  const date = Date.parse(/ GMT$/i.test(value) ? value : `${value} GMT`);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
