import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forwardRequest } from './forward-request.ts';

/** How a gateway refuses downloads: of one asset, or of all. */
export interface GatewayRefusal {
  readonly status: number;
  readonly type: 'text/html' | 'application/json';
  /** All unless given. */
  readonly id?: number;
  /** Answers from another origin, to which it redirects the download. */
  readonly isForeign?: boolean;
}

/** A firewall or proxy in front of a service. It lets everything through until it's told otherwise. */
export interface Gateway {
  readonly url: string;
  refuse(refusal: GatewayRefusal | undefined): void;
  close(): Promise<void>;
}

const bodies = {
  'text/html': '<!doctype html><title>Request blocked</title>',
  'application/json': '{ "error": "No such file" }',
} as const;

export async function startGateway(service: string): Promise<Gateway> {
  let refusal: GatewayRefusal | undefined;
  const server = createServer(async (request, response) => {
    const id = /^\/1\/file\/(\d+)\/download\//.exec(request.url ?? '')?.[1];
    const isRefused = id !== undefined && (refusal?.id ?? Number(id)) === Number(id);
    if (refusal && isRefused) {
      const { port } = server.address() as AddressInfo;
      const isHere = request.headers.host === `127.0.0.1:${port}`;
      if (refusal.isForeign && isHere) {
        const location = `http://localhost:${port}${request.url}`;
        return void response.writeHead(302, { location }).end();
      }
      response.writeHead(refusal.status, { 'content-type': refusal.type });
      return void response.end(bodies[refusal.type]);
    }
    const { status, headers, bytes } = await forwardRequest(service, request);
    response.writeHead(status, headers).end(bytes);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refuse(next) {
      refusal = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
