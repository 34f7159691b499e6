import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';

const texts = {
  done: 'You are signed in. You can close this tab and go back to the terminal.',
  failed: "You aren't signed in. Go back to the terminal and try again.",
  missing: 'Nothing to see here. This address only receives sign-ins.',
} as const;

interface CallbackServer {
  readonly redirectUri: string;
  close(): Promise<void>;
}

/**
 * Listens on 127.0.0.1 until closed. Passes each callback to `onCallback`, and shows success or the
 * error's message in the browser. Later callbacks still count after an error.
 *
 * @param port 0 for a free one
 * @throws `port-busy`
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
    throw mediaAssetError('port-busy', { port }, { cause });
  }
  return {
    redirectUri: redirectUri(),
    async close() {
      server.close();
      // Finish answers in progress first.
      server.closeIdleConnections();
      const ended = once(server, 'close');
      const timer = setTimeout(() => server.closeAllConnections(), 1000);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Answers in plain text, because `said` may come from anyone. */
function show(response: ServerResponse, status: number, kind: keyof typeof texts, said = ''): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end([texts[kind], said].join('\n').trimEnd());
}
