import { createServer, type Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { mediaAssetError } from '../errors/errors.ts';

export interface Listener {
  readonly port: number;
  /**
   * Stops accepting requests and resolves once those in progress are answered. Closes connections
   * that take longer than `patience` ms.
   */
  close(patience: number): Promise<void>;
}

/**
 * @param port on 127.0.0.1; 0 for a free one
 * @throws MediaAssetError `port-busy`
 */
export async function listen(
  app: { fetch: (request: Request, bindings: HttpBindings) => Response | Promise<Response> },
  port: number,
): Promise<Listener> {
  const running = new Set<Promise<Response>>();
  let closing = false;

  const answer = getRequestListener(
    (request, bindings) => {
      const response = Promise.resolve(app.fetch(request, bindings as HttpBindings));
      running.add(response);
      const done = () => running.delete(response);
      response.then(done, done);
      return response;
    },
    { overrideGlobalObjects: false },
  );
  const server = createServer(
    // Keep idle connections open for a minute, as real services do, so that busy clients can reuse
    // them.
    { headersTimeout: 60_000, requestTimeout: 600_000, keepAliveTimeout: 60_000 },
    (incoming, outgoing) => {
      if (closing) outgoing.shouldKeepAlive = false;
      outgoing.once('close', () => {
        if (closing) setImmediate(() => server.closeIdleConnections());
      });
      void answer(incoming, outgoing);
    },
  );

  await bind(server, port);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close(patience) {
      closing = true;
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeIdleConnections();
      const cut = setTimeout(() => server.closeAllConnections(), patience);
      await closed;
      clearTimeout(cut);
      const limit = new AbortController();
      await Promise.race([
        Promise.allSettled(running),
        pause(patience, undefined, { signal: limit.signal }).catch(() => undefined),
      ]);
      limit.abort();
    },
  };
}

async function bind(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  }).catch((cause: unknown) => {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'EADDRINUSE' || code === 'EACCES')
      throw mediaAssetError('port-busy', { port }, { cause });
    throw cause;
  });
}
