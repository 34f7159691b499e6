import { lookup } from 'node:dns/promises';
import type { Finding } from '../../errors/errors.ts';
import type { ResolvedServiceOptions } from '../service-options.ts';
import type { Lookup } from './addresses.ts';
import { createRedactor } from './redactor.ts';
import type { CallKind } from './retry-table.ts';
import { type SendRequest, sendRequest } from './send-request.ts';
import { createPauses, sleepOnTimer } from './timing.ts';

export type ServiceContext = Readonly<ReturnType<typeof createContext>>;

/** What the calls of a client share. No text shows one of `secrets`. */
export function createContext(options: ResolvedServiceOptions, secrets: readonly string[]) {
  const { downloads, timeLimit, deadline, attempts, maxAnswerBytes, maxDownloadBytes } = options;
  const { clock = Date.now, sleep = sleepOnTimer, random = Math.random, fetch: own } = options;
  // A custom `fetch`, such as one for a proxy, chooses its own address.
  const send: SendRequest = own
    ? (url, { addresses: _, ...request }) =>
        own(url.href, { ...request, redirect: 'manual', duplex: 'half' } as RequestInit)
    : sendRequest;
  const resolve: Lookup = async (host) =>
    (await lookup(host, { all: true })).map(({ address }) => address);
  /** Ms from a monotonic clock, for durations. */
  const ticks = options.clock ?? (() => performance.now());
  return {
    ...{ send, clock, ticks, sleep, random, downloads, timeLimit, deadline, attempts },
    ...{ maxAnswerBytes, maxDownloadBytes, downloadTimeLimit: options.downloadTimeLimit },
    lookup: options.lookup ?? resolve,
    pauses: createPauses({ clock: ticks, sleep }),
    redactor: createRedactor(secrets),
    onFinding: reportOnce(options.onFinding ?? emitWarning),
  };
}

function reportOnce(report: (finding: Finding) => void): (finding: Finding) => void {
  const reported = new Set<string>();
  return (finding) => {
    if (reported.has(finding.message)) return;
    reported.add(finding.message);
    report(finding);
  };
}

function emitWarning({ code, message, hint }: Finding): void {
  process.emitWarning(`${message} ${hint}`, { type: 'MediaAssetWarning', code });
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
