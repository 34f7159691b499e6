import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server on a free port of 127.0.0.1. */
export interface LocalServer {
  readonly url: string;
  readonly port: number;
  /** Also ends its connections. A second call does nothing. */
  close(): Promise<void>;
}

export async function startLocalServer(respond: RequestListener): Promise<LocalServer> {
  const server = createServer(respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async close() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
