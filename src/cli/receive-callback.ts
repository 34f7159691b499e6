import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isMediaAssetError, mediaAssetError } from '../errors.ts';

const texts = {
  done: ['You are signed in', 'You can close this tab and go back to the terminal.'],
  failed: ['You are not signed in', 'The terminal says more. Begin again there.'],
  missing: ['There is nothing here', 'Only a sign-in comes back to this address.'],
} as const;

/** The page that a browser shows after a sign-in. `said` is text of any kind. */
function callbackPage(kind: keyof typeof texts, said = ''): string {
  const [title, text] = texts[kind];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #f3f5f4; color: #1c2b2a; font: 1.05rem/1.6 system-ui, sans-serif; }
  main { max-width: 28rem; margin: 1rem; padding: 2.5rem; background: #fff; border-radius: 1rem; box-shadow: 0 .5rem 2rem #1c2b2a1a; border-top: .35rem solid ${kind === 'done' ? '#2a7d6b' : '#b4552d'}; }
  h1 { margin: 0 0 .5rem; font-size: 1.4rem; line-height: 1.3; }
  p { margin: .5rem 0 0; overflow-wrap: anywhere; }
  @media (prefers-color-scheme: dark) { body { background: #121a19; color: #e4ecea; } main { background: #1d2827; } }
</style>
<main>
<h1>${title}</h1>
${said && `<p>${toHtml(said)}</p>\n`}<p>${text}</p>
</main>
</html>
`;
}

function toHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** A server on this machine that an authorization page sends its user back to. */
interface CallbackServer {
  readonly redirectUri: string;
  close(): Promise<void>;
}

/**
 * Listens on 127.0.0.1 until it is closed. Each callback goes to `onCallback`, whose end decides
 * what page the browser shows: an error that it throws is shown there too, and the next one counts.
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
