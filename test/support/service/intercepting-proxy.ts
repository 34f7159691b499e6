import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forwardRequest } from './forward-request.ts';

/** A proxy in front of a service that answers some paths itself and forwards the others. */
export interface InterceptingProxy {
  readonly url: string;
  /** Forwards every request from now on. */
  forwardAll(): void;
  close(): Promise<void>;
}

export async function startInterceptingProxy(
  service: string,
  paths: RegExp,
  answer: {
    type: string;
    body: string | Uint8Array;
    /** The `Content-Length`, if it isn't the body's. */
    length?: number;
  },
): Promise<InterceptingProxy> {
  let forwardsAll = false;
  const server = createServer(async (request, response) => {
    const url = request.url ?? '';
    if (!forwardsAll && paths.test(url.split('?')[0] ?? '')) {
      response.writeHead(200, {
        'Content-Type': answer.type,
        'Content-Length': answer.length ?? Buffer.byteLength(answer.body),
      });
      response.write(answer.body);
      if (answer.length === undefined) response.end();
      else setImmediate(() => response.destroy());
      return;
    }
    const { status, headers, bytes } = await forwardRequest(service, request);
    response.writeHead(status, headers);
    response.end(bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forwardAll() {
      forwardsAll = true;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
