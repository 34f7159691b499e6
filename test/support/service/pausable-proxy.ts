import type { IncomingMessage, ServerResponse } from 'node:http';
import { forwardRequest } from './forward-request.ts';
import { startLocalServer } from './local-server.ts';

/** The longest wait, in ms. */
const timeLimit = 200_000;

/** A proxy in front of a service that delays answers until a test releases them. */
export interface PausableProxy {
  readonly url: string;
  /** Downloads that were answered since the last call of `answeredAll`, as `status path?query`. */
  answered(): string[];
  /** Whether all of these are answered from now on, within the time limit. */
  answeredAll(downloads: readonly string[]): Promise<boolean>;
  /** Delays the answers to matching requests until the returned function is called. */
  hold(path: RegExp): () => void;
  /**
   * Answers `GET /gate/<name>` with 204 once `opens` returns true, or with 504 if it returns false.
   */
  gate(name: string, opens: () => Promise<boolean>): void;
  close(): Promise<void>;
}

export async function startPausableProxy(service: string): Promise<PausableProxy> {
  let answered: string[] = [];
  let onAnswer = () => {};
  let held: { path: RegExp; released: Promise<unknown> } | undefined;
  const gates = new Map<string, () => Promise<boolean>>();

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? '';
    const { status, headers, bytes } = await forwardRequest(service, request);
    if (held?.path.test(url)) await held.released;
    response.writeHead(status, headers);
    response.end(bytes);
    if (url.includes('/download/')) answered.push(`${status} ${url}`);
    onAnswer();
  }

  const server = await startLocalServer(async (request, response) => {
    const opens = gates.get(request.url ?? '');
    if (!opens) return forward(request, response);
    response.writeHead((await opens()) ? 204 : 504).end();
  });
  return {
    url: server.url,
    answered: () => [...answered],
    answeredAll(downloads) {
      answered = [];
      return calledInTime((done) => {
        onAnswer = () => {
          if (downloads.every((download) => answered.includes(download))) done();
        };
      });
    },
    hold(path) {
      let release = () => {};
      const released = calledInTime((done) => {
        release = done;
      });
      held = { path, released };
      return release;
    },
    gate(name, opens) {
      gates.set(`/gate/${name}`, opens);
    },
    close: server.close,
  };
}

/** Whether `done` is called within the time limit. */
function calledInTime(begin: (done: () => void) => void): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, timeLimit, false);
  begin(() => {
    clearTimeout(timer);
    resolve(true);
  });
  return promise;
}
