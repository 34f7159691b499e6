import type { ServiceError } from '../service-error.ts';

/**
 * How an attempt failed. `unreached`: the request never arrived (refused connection, unknown host).
 * `lost`: no answer came (reset, timeout). A number: the answer's status.
 */
type CallOutcome = 'unreached' | 'lost' | number;

/** Nothing was processed: the request was late or too early (408, 425), or one too many (429). */
const withoutEffect: ReadonlySet<CallOutcome> = new Set<CallOutcome>(['unreached', 408, 425, 429]);

/** `Retry-After` counts for the same statuses. 520 to 530 are a CDN's words for 502. */
export const everyTemporaryFailure: ReadonlySet<CallOutcome> = new Set<CallOutcome>([
  ...withoutEffect,
  ...(['lost', 500, 502, 503, 504] as const),
  ...Array.from({ length: 11 }, (_, index) => 520 + index),
]);

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

const minBackoff = 500;
const maxBackoff = 15_000;

/** Wait after the `attempt`th attempt (from 1), in ms: exponential, with full jitter. */
export function backoff(attempt: number, random: () => number): number {
  return Math.floor(random() * Math.min(maxBackoff, minBackoff * 2 ** (attempt - 1)));
}

export function isRetried(kind: CallKind, { code, effect, status }: ServiceError): boolean {
  // An answer below 400 only fails if it's unexpected, and a retry won't change that.
  const missing = effect === 'none' ? 'unreached' : 'lost';
  const isLost = code === 'service-unreachable' || code === 'download-corrupt';
  return retryTable[kind].has(isLost ? missing : (status ?? 0));
}

/**
 * The wait that a `Retry-After` header asks for, in ms; `undefined` if it's invalid (RFC 9110,
 * 10.2.3: seconds or an HTTP date). `now` is in ms since the epoch.
 */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  const value = header?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  const date = / GMT$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
