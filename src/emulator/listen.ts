import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { mediaAssetError } from '../errors/errors.ts';

/** Answers requests on 127.0.0.1. Port 0 is a free one. */
export async function listen(
  app: { fetch: (request: Request, bindings: HttpBindings) => Response | Promise<Response> },
  port: number,
) {
  const running = new Set<Promise<Response>>();

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
    (incoming, outgoing) => void answer(incoming, outgoing),
  );

  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((cause: unknown) => {
    throw mediaAssetError('port-busy', { port }, { cause });
  });
  return {
    port: (server.address() as AddressInfo).port,
    /** Stops accepting requests, and cuts off answers that take longer than `patience` ms. */
    async close(patience: number) {
      const closed = once(server, 'close');
      server.close();
      // A connection is idle once its request is answered.
      const idle = setInterval(() => server.closeIdleConnections(), 20);
      const cut = setTimeout(() => server.closeAllConnections(), patience);
      await closed;
      clearInterval(idle);
      clearTimeout(cut);
      await Promise.race([Promise.allSettled(running), pause(patience, undefined, { ref: false })]);
    },
  };
}
