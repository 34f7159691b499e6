import type { ServiceError } from '../service-error.ts';

/**
 * How an attempt failed. `unreached`: the request never arrived (refused connection, unknown host).
 * `lost`: no answer came (reset, timeout). A number: the answer's status.
 */
type CallOutcome = 'unreached' | 'lost' | number;

/** `Retry-After` counts for the same statuses. */
export const everyTemporaryFailure: ReadonlySet<CallOutcome> = new Set<CallOutcome>([
  ...(['unreached', 'lost'] as const),
  ...[408, 425, 429, 500, 502, 503, 504],
]);

const withoutEffect: ReadonlySet<CallOutcome> = new Set<CallOutcome>(['unreached', 429]);

/**
 * Outcomes that are retried, per call. A usage report and an upload's record request are retried
 * only if they had no effect, because a second request may create a second record.
 */
const retryTable = {
  token: everyTemporaryFailure,
  download: everyTemporaryFailure,
  read: everyTemporaryFailure,
  list: everyTemporaryFailure,
  'usage-report': withoutEffect,
  'usage-removal': everyTemporaryFailure,
  record: withoutEffect,
  upload: everyTemporaryFailure,
  update: everyTemporaryFailure,
} satisfies Record<string, ReadonlySet<CallOutcome>>;

export type CallKind = keyof typeof retryTable;

export const defaultAttempts = 4;

const minBackoff = 500;
const maxBackoff = 15_000;

/** Wait after the `attempt`th attempt (from 1), in ms: exponential, with full jitter. */
export function backoff(attempt: number, random: () => number): number {
  return Math.floor(random() * Math.min(maxBackoff, minBackoff * 2 ** (attempt - 1)));
}

export function isRetried(kind: CallKind, { code, effect, status }: ServiceError): boolean {
  // An answer below 400 only fails if it's unexpected, and a retry won't change that.
  const missing = effect === 'none' ? 'unreached' : 'lost';
  return retryTable[kind].has(code === 'service-unreachable' ? missing : (status ?? 0));
}

/**
 * The wait that a `Retry-After` header asks for, in ms; `undefined` if it's invalid (RFC 9110,
 * 10.2.3: seconds or an HTTP date). `now` is in ms since the epoch.
 */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  const value = header?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  if (!/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i.test(value)) return undefined;
  // asctime, the oldest date format, is in GMT but doesn't say so.
  const date = Date.parse(/ GMT$/i.test(value) ? value : `${value} GMT`);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
