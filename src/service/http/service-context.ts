import type { Finding } from '../../errors/errors.ts';
import type { FetchPinned } from './fetch-pinned.ts';
import type { Clock, Pauses, Sleep } from './pauses.ts';
import type { Redactor } from './redactor.ts';
import type { CallKind } from './retry-table.ts';

export interface ServiceContext {
  readonly fetch: typeof fetch;
  readonly fetchPinned: FetchPinned;
  readonly clock: Clock;
  /** Milliseconds since some moment: measures durations, which no set clock may change. */
  readonly ticks: Clock;
  readonly sleep: Sleep;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  /** All IP addresses of a host name. */
  readonly lookup: (hostname: string) => Promise<readonly string[]>;
  /** Milliseconds. */
  readonly timeLimit: number;
  /** Milliseconds. */
  readonly deadline: number;
  readonly attempts: number;
  readonly downloads: 'bytes' | 'url';
  readonly maxAnswerBytes: number;
  readonly maxDownloadBytes: number;
  readonly pauses: Pauses;
  readonly redactor: Redactor;
  readonly onFinding: (finding: Finding) => void;
}

/** A request as it goes out, apart from the Authorization header. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | StreamedBody;
}

export interface StreamedBody {
  /** Begins it anew, for one attempt; `onRead` is called for each part that is taken. */
  open(onRead: () => unknown): ReadableStream<Uint8Array>;
  readonly failure: unknown;
}

export interface Call {
  readonly kind: CallKind;
  /** As messages name it. Holds no secret. */
  readonly name: string;
  readonly request: WireRequest;
  /** The addresses of a host that was looked up and judged: it is reached at these alone. */
  readonly addresses?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * For a call that changes something: how long an attempt under way may go on once `signal` fires,
   * in ms. Such a call ends with `call-ended`, which tells its effect; others, at once, with the
   * signal's reason.
   */
  readonly grace?: number;
  readonly beforeAttempt?: (() => Promise<void>) | undefined;
}

export function getJson(url: string): WireRequest {
  return { method: 'GET', url, headers: { accept: 'application/json' } };
}

export function sendJson(method: 'POST' | 'PUT', url: string, body: unknown): WireRequest {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  return { method, url, headers, body: JSON.stringify(body) };
}
