import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createLibraryHandler } from '../../../src/authoring/handler/create-library-handler.ts';
import { type LocalServer, startLocalServer } from './local-server.ts';

const dist = fileURLToPath(new URL('../../../dist', import.meta.url));

const page = `<!doctype html><html lang="en"><title>Entry</title>
<script type="module" src="/authoring/picker/media-asset-field.js"></script>
<main><h1>An entry</h1><media-asset-field endpoint="/api/media" label="Hero"></media-asset-field></main></html>`;

/** Serves a page with a picker, the picker's script, and the handler below `/api/media`. Needs `dist`. */
export async function serveHandler(service: { url: string }): Promise<LocalServer> {
  let handler: (request: Request) => Promise<Response>;
  const server = await startLocalServer(async (incoming, response) => {
    const { pathname } = new URL(incoming.url ?? '/', 'http://localhost');
    if (pathname.startsWith('/api/media/'))
      return writeResponse(await handler(toRequest(incoming, server.url)), response);
    const isScript = pathname.endsWith('.js');
    const type = isScript ? 'text/javascript' : 'text/html';
    response.writeHead(200, { 'content-type': type });
    response.end(isScript ? await readFile(join(dist, pathname)) : page);
  });
  handler = createLibraryHandler({
    ...{ url: `${server.url}/api/media`, cookieSecret: 'a secret with at least 32 characters' },
    service: { baseUrl: service.url, clientId: 'emulator', clientSecret: 'emulator-secret' },
    record: { fields: ['alt'], read: ({ alt }) => ({ alt }) },
  });
  return server;
}

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
