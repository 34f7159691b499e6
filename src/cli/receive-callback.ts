import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isMediaAssetError, mediaAssetError } from '../errors.ts';
import { callbackPage } from './callback-page.ts';

/** A server on this machine that an authorization page sends its user back to. */
export interface CallbackServer {
  readonly redirectUri: string;
  close(): Promise<void>;
}

/**
 * Listens on 127.0.0.1 until it is closed. Each callback goes to `onCallback`, whose end decides
 * what page the browser shows: an error that it throws is shown there too, and the next one counts.
 *
 * @param port 0 for a free one
 * @throws `sign-in-port-busy`
 */
export async function receiveCallback({
  port,
  onCallback,
}: {
  port: number;
  onCallback: (callbackUrl: string) => Promise<void>;
}): Promise<CallbackServer> {
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '', redirectUri());
    if (url?.pathname !== '/callback') return show(response, 404, 'missing');
    if (request.method !== 'GET') return show(response, 405, 'missing');
    onCallback(url.href).then(
      () => show(response, 200, 'done'),
      (error: unknown) =>
        show(response, 400, 'failed', isMediaAssetError(error) ? error.message : ''),
    );
  });
  const redirectUri = () =>
    `http://127.0.0.1:${(server.address() as AddressInfo | null)?.port ?? port}/callback`;
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw mediaAssetError('sign-in-port-busy', { port }, { cause });
  }
  return {
    redirectUri: redirectUri(),
    async close() {
      server.close();
      // What is being answered is let go out first.
      server.closeIdleConnections();
      const ended = once(server, 'close');
      const timer = setTimeout(() => server.closeAllConnections(), 1000);
      await ended;
      clearTimeout(timer);
    },
  };
}

function show(
  response: ServerResponse,
  status: number,
  kind: Parameters<typeof callbackPage>[0],
  text?: string,
): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end(callbackPage(kind, text));
}
