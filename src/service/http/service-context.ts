import type { Finding } from '../../errors/errors.ts';
import type { ResolvedServiceOptions } from '../service-options.ts';
import type { Lookup } from './addresses.ts';
import type { Redactor } from './redactor.ts';
import type { CallKind } from './retry-table.ts';
import type { SendRequest } from './send-request.ts';
import type { Clock, Pauses, Sleep } from './timing.ts';

type Limit = 'timeLimit' | 'deadline' | 'attempts' | `max${'Answer' | 'Download'}Bytes`;

/** What the calls of a client share. */
export interface ServiceContext
  extends Pick<ResolvedServiceOptions, Limit | 'downloadTimeLimit' | 'downloads'> {
  readonly send: SendRequest;
  readonly clock: Clock;
  /** Ms from a monotonic clock, for durations. */
  readonly ticks: Clock;
  readonly sleep: Sleep;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly lookup: Lookup;
  readonly pauses: Pauses;
  readonly redactor: Redactor;
  readonly onFinding: (finding: Finding) => void;
}

/** A request without its Authorization header. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | StreamedBody;
}

export interface StreamedBody {
  /** Opens a new stream for each attempt. Calls `onRead` for each part. */
  open(onRead: () => unknown): ReadableStream<Uint8Array>;
  readonly failure: unknown;
}

export interface Call {
  readonly kind: CallKind;
  /** Used in messages. Holds no secret. */
  readonly name: string;
  /** The asset that it's about, by ID. */
  readonly asset?: number;
  readonly request: WireRequest;
  /** Checked IP addresses of the host. Only these are used. */
  readonly addresses?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Only for calls that change something: how long an attempt in progress may go on after `signal`
   * fires, in ms. These calls then throw `call-ended` with their effect. All other calls throw the
   * signal's reason at once.
   */
  readonly grace?: number;
  readonly beforeAttempt?: (() => Promise<void>) | undefined;
}

/** The details of an error in a call. */
export function inCall({ name, asset }: Call): { call: string; id: number | undefined } {
  return { call: name, id: asset };
}

const jsonAnswer = { accept: 'application/json', 'accept-encoding': 'gzip' };

export function getJson(url: string): WireRequest {
  return { method: 'GET', url, headers: jsonAnswer };
}

export function sendJson(method: 'POST' | 'PUT', url: string, body: unknown): WireRequest {
  const headers = { ...jsonAnswer, 'content-type': 'application/json' };
  return { method, url, headers, body: JSON.stringify(body) };
}
