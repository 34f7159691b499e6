import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { AstroIntegrationLogger, HookParameters } from 'astro';
import { escapeXml } from '../../assets/formats/credit.ts';
import { isMediaAssetError, toFinding } from '../../errors/errors.ts';
import { isOnGithub } from '../../usage/output/github-actions.ts';
import { logFinding } from '../log-finding.ts';
import { rendererKey } from '../renderer.ts';
import type { Loopback } from './remote-renderer.ts';
import { decode, encode } from './wire.ts';

/** In bytes. Props can hold long texts and lists, but no files. */
const longestBody = 16 * 1024 * 1024;

/** In milliseconds. */
const timeouts = {
  /** Until a call has arrived. Its answer has no limit, because it can wait for a download. */
  requestTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
  /** Longer than a page's runtime keeps an idle connection: it must not use a closed one. */
  keepAliveTimeout: 60_000,
};

export type ServedRenderer = Awaited<ReturnType<typeof serveRenderer>>;

/**
 * Answers page code in other runtimes on this machine that has the secret, until it's closed.
 * `onFailure` gets errors too, because adapters may show nothing of them but their message.
 */
export async function serveRenderer(onFailure: (thrown: unknown) => void) {
  const secret = randomBytes(32).toString('base64url');
  const server = createServer(timeouts);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on('request', async (request, response) => {
    // Another site's name can point to this machine.
    const isOurs = request.headers.host === host && hasSecret(request, secret);
    const run = isOurs ? await readCall(request).catch(() => undefined) : undefined;
    if (!run) {
      // The rest of a body isn't read.
      response.writeHead(isOurs ? 400 : 403, { Connection: 'close' }).end();
      return;
    }
    try {
      response.end(encode({ result: await run() }));
    } catch (thrown) {
      onFailure(thrown);
      response.end(encode({ thrown }));
    }
  });
  // A build that fails doesn't close it, but must end.
  server.unref();
  server.on('connection', (socket) => socket.unref());
  const loopback: Loopback = { url: `http://${host}/`, secret };
  return {
    loopback,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Compares digests, whose first difference tells nothing of the secret. */
function hasSecret({ headers }: IncomingMessage, secret: string): boolean {
  const digest = (text = '') => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(headers.authorization), digest(`Bearer ${secret}`));
}

/** @throws if the body is too long or isn't the call of a function */
async function readCall(request: IncomingMessage): Promise<() => Promise<unknown>> {
  // Without the header, and so without a known length, the number is NaN.
  const isShort = Number(request.headers['content-length']) <= longestBody;
  if (!isShort) throw new RangeError('The body is too long.');
  const { call, asked } = decode<{ call: string; asked: [] }>(await text(request));
  const renderer: Record<string, (...asked: []) => Promise<unknown>> = Reflect.get(
    globalThis,
    Symbol.for(rendererKey),
  );
  const run = Object.hasOwn(renderer, call) && renderer[call];
  if (!run) throw new TypeError('The renderer has no such function.');
  return () => run(...asked);
}

export type DevServer = HookParameters<'astro:server:setup'>['server'];

/** Logs an error of ours, and shows it in dev, as Astro does itself only for pages in Node. */
export function showFailure(
  thrown: unknown,
  { logger, devServer }: { logger: AstroIntegrationLogger; devServer: DevServer | undefined },
): void {
  if (!isMediaAssetError(thrown)) return;
  // The annotation of a build has been printed already.
  if (!isOnGithub(process.env)) logFinding(logger, toFinding('error', thrown));
  if (!devServer) return;
  const { name, message, hint, stack = '' } = thrown;
  // The overlay takes HTML.
  const err = { name, message: escapeXml(message), hint: escapeXml(hint), stack };
  // A browser needs some milliseconds to connect. Astro waits as long.
  setTimeout(() => devServer.environments.client.hot.send({ type: 'error', err }), 200);
}
