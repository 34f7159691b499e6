import { type Finding, finding } from '../../errors/errors.ts';
import { oneDay } from '../../storage/day.ts';
import type { ResolvedServiceOptions } from '../service-options.ts';
import { resolveHost } from './addresses.ts';
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
  /** Ms from a monotonic clock, for durations. */
  const ticks = options.clock ?? (() => performance.now());
  const onFinding = reportOnce(options.onFinding ?? emitWarning);
  let ahead = 0;

  /** Compares the service's clock with this machine's. A difference within a day is none. */
  function noteDate({ headers }: Response): void {
    // A cache can repeat an old answer, and says for how many seconds it has kept it.
    const age = 1000 * Number(headers.get('age') ?? 0);
    const difference = Date.parse(headers.get('date') ?? '') + age - clock();
    if (!(Math.abs(difference) > oneDay)) return;
    ahead = Math.max(ahead, difference);
    onFinding(finding('warning', 'clocks-differ', { days: Math.round(difference / oneDay) }));
  }

  return {
    noteDate,
    /** How far the service's clock is ahead of this machine's, in ms. */
    clockAhead: () => ahead,
    ...{ send, clock, ticks, sleep, random, downloads, timeLimit, deadline, attempts },
    ...{ maxAnswerBytes, maxDownloadBytes, downloadTimeLimit: options.downloadTimeLimit },
    lookup: options.lookup ?? resolveHost,
    /** Origins that have closed an idle connection. */
    closesIdle: new Set<string>(),
    pauses: createPauses({ clock: ticks }),
    redactor: createRedactor(secrets),
    onFinding,
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

/** Opens a new stream for each attempt. Calls `onRead` for each part. */
export type StreamedBody = (onRead: () => unknown) => ReadableStream<Uint8Array>;

export interface Call {
  readonly kind: CallKind;
  /** Used in messages. Holds no secret. */
  readonly name: string;
  /** The asset that it's about, by ID. */
  readonly asset?: number;
  readonly request: WireRequest;
  /** Checked IP addresses of the host. Only these are used. */
  readonly addresses?: readonly string[] | undefined;
  /** For an address that may not know the token. */
  readonly tokenless?: boolean;
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

const jsonAnswer = { accept: 'application/json' };

export function getJson(url: string): WireRequest {
  return { method: 'GET', url, headers: jsonAnswer };
}

export function sendJson(method: 'POST' | 'PUT', url: string, body: unknown): WireRequest {
  const headers = { ...jsonAnswer, 'content-type': 'application/json' };
  return { method, url, headers, body: JSON.stringify(body) };
}
