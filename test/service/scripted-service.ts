import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import {
  createMediaService,
  type Download,
  type MediaService,
  type MediaServiceOptions,
  type Usage,
} from '../../src/service/index.ts';
import { startLocalServer } from '../support/service/local-server.ts';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly bytes: Buffer;
}

/** How a scripted service answers one request. */
export type Respond = (response: ServerResponse, request: Received) => void | Promise<void>;

export interface ScriptedService {
  readonly url: string;
  /** All requests except token requests. */
  readonly requests: Received[];
  readonly tokenRequests: Received[];
}

/**
 * A real HTTP server on 127.0.0.1 with scripted answers. Its tokens are `token-1`, `token-2`, … by
 * default. It stops after the test.
 */
export async function startScriptedService(script: {
  respond?: Respond;
  token?: Respond;
  port?: number;
}): Promise<ScriptedService> {
  const requests: Received[] = [];
  const tokenRequests: Received[] = [];
  const issue: Respond = (response) =>
    json(response, { access_token: `token-${tokenRequests.length}`, token_type: 'Bearer' });
  const { url, close } = await startLocalServer(async (incoming, response) => {
    const bytes = await buffer(incoming).catch(() => undefined);
    // An aborted request never arrived.
    if (bytes === undefined) return;
    const request = {
      bytes,
      method: incoming.method ?? '',
      url: incoming.url ?? '',
      headers: incoming.headers,
      body: bytes.toString(),
    };
    const forToken = request.url.includes('/oauth2/token');
    (forToken ? tokenRequests : requests).push(request);
    await (forToken ? (script.token ?? issue) : (script.respond ?? ok))(response, request);
  }, script.port);
  onTestFinished(close);
  return { url, requests, tokenRequests };
}

/** A port without a server. Only root can listen there. */
export const closedPort = 2;

export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

export function ok(response: ServerResponse): void {
  response.writeHead(200).end();
}

/** Answers in turn. The last answer repeats. */
export function inTurn(...responds: readonly Respond[]): Respond {
  let turn = 0;
  return (response, request) => {
    const respond = responds[Math.min(turn, responds.length - 1)];
    turn += 1;
    return respond?.(response, request);
  };
}

/** A service that lists its folders and gives this answer to everything else. */
export function withFolders(respond: Respond): Respond {
  return (response, request) =>
    request.url.startsWith('/1/foldertree')
      ? json(response, [{ id: 1, name: 'Quays' }])
      : respond(response, request);
}

export function status(code: number, headers: Record<string, string> = {}): Respond {
  return (response) => void response.writeHead(code, headers).end();
}

/** Closes the connection without an answer. */
export const closeConnection: Respond = (response) => void response.destroy();

/** A clock that only moves during sleeps. */
export function createTime(start = Date.UTC(2026, 2, 1)) {
  const time = {
    now: start,
    slept: [] as number[],
    effects: {
      clock: () => time.now,
      sleep: async (milliseconds: number) => {
        time.slept.push(milliseconds);
        time.now += milliseconds;
      },
    },
  };
  return time;
}

/** A client with a password, whose waits take no time. */
export function scriptedClient(baseUrl: string, options: Partial<MediaServiceOptions> = {}) {
  return createMediaService({
    baseUrl,
    clientId: 'museum-site',
    clientSecret: 'client-secret-7f3a',
    credentials: { kind: 'password', username: 'harbour', password: 'pass-word-91c4' },
    sleep: async () => {},
    ...options,
  });
}

export const usage: Usage = {
  ids: [4711, 4712],
  page: 'https://museum.example/boats/',
  pageName: 'Boats',
  project: 'museum.example',
  contact: 'webteam',
  description: '',
  date: '2026-03-01',
  removed: false,
};

/** The error that a promise rejects with. Fails if it resolves. */
export async function failureOf(work: Promise<unknown>): Promise<Error & { code?: string }> {
  return work.then(
    () => Promise.reject(new Error('expected a failure')),
    (thrown: Error) => thrown,
  );
}

/** The bytes of a download. Fails if it has none. */
export async function bodyOf(work: Download | Promise<Download>): Promise<Buffer> {
  const download = await work;
  if (download.status !== 'received') throw new Error(download.status);
  return buffer(download.body);
}

/** A call that fails (default: a usage report): its error, and what the service received. */
export async function failingCall(
  script: Parameters<typeof startScriptedService>[0],
  call: (client: MediaService) => Promise<unknown> = ({ usages }) => usages.report(usage),
  options: Partial<MediaServiceOptions> = {},
) {
  const service = await startScriptedService(script);
  return { ...service, error: await failureOf(call(scriptedClient(service.url, options))) };
}
