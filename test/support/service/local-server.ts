import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server on 127.0.0.1. */
export interface LocalServer {
  readonly url: string;
  readonly port: number;
  /** Also ends its connections. A second call does nothing. */
  close(): Promise<void>;
}

export async function startLocalServer(respond: RequestListener, port = 0): Promise<LocalServer> {
  const server = createServer(respond).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: listening } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${listening}`,
    port: listening,
    async close() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
