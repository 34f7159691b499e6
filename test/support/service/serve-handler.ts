import { readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createLibraryHandler } from '../../../src/authoring/handler/create-library-handler.ts';
import { sealedCookies } from '../../../src/authoring/handler/sealed-cookies.ts';
import { type LocalServer, startLocalServer } from './local-server.ts';

const dist = fileURLToPath(new URL('../../../dist', import.meta.url));

const page = `<!doctype html><html lang="en"><title>Entry</title>
<script type="module" src="/authoring/picker/media-asset-field.js"></script>
<main><h1>An entry</h1><media-asset-field endpoint="/api/media" label="Hero"></media-asset-field></main></html>`;

export const handlerSecret = 'a secret with at least 32 characters';

interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

/** A server with a handler below `/api/media`, which has `handlerSecret`. */
export type HandlerServer = Pick<LocalServer, 'url' | 'close'>;

/** The tokens of the service in an editor's cookies. */
export async function tokensOf(
  server: HandlerServer,
  cookies: readonly { name: string; value: string }[],
): Promise<string[]> {
  const url = `${server.url}/api/media`;
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const request = new Request(url, { headers: { cookie } });
  const session = await sealedCookies(handlerSecret, url).read<Tokens>('session', request);
  if (!session) throw new Error('No one has signed in.');
  return [session.value.access, session.value.refresh];
}

/** Serves the handler and a site, by default a page with a picker and its script. Needs `dist`. */
export async function serveHandler(
  service: { url: string },
  site: RequestListener = servePicker,
): Promise<HandlerServer> {
  let handler: (request: Request) => Promise<Response>;
  const server = await startLocalServer(async (incoming, response) => {
    if (!incoming.url?.startsWith('/api/media/')) return site(incoming, response);
    return writeResponse(await handler(toRequest(incoming, server.url)), response);
  });
  const url = `${server.url}/api/media`;
  handler = createLibraryHandler({
    ...{ url, cookieSecret: handlerSecret },
    service: { baseUrl: service.url, clientId: 'emulator', clientSecret: 'emulator-secret' },
    record: { fields: ['alt'], read: ({ alt }) => ({ alt }) },
  });
  return server;
}

const servePicker: RequestListener = async ({ url = '/' }, response) => {
  const isScript = url.endsWith('.js');
  response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
  response.end(isScript ? await readFile(join(dist, url)) : page);
};

function toRequest({ url = '/', method = 'GET', rawHeaders }: IncomingMessage, origin: string) {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  return new Request(new URL(url, origin), { method, headers });
}

async function writeResponse(answer: Response, response: ServerResponse): Promise<void> {
  const { 'set-cookie': _, ...headers } = Object.fromEntries(answer.headers);
  response.writeHead(answer.status, { ...headers, 'set-cookie': answer.headers.getSetCookie() });
  if (answer.body) Readable.fromWeb(answer.body as never).pipe(response);
  else response.end();
}
