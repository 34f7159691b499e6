import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One way to answer every request wrongly. */
export type Misbehaviour = (request: IncomingMessage, response: ServerResponse) => void;

const redirect =
  (to: (request: IncomingMessage) => string): Misbehaviour =>
  (request, response) =>
    void response.writeHead(302, { Location: to(request) }).end();

/** With what a careless service repeats of a request. */
const status =
  (code: number): Misbehaviour =>
  ({ headers }, response) => {
    const body = JSON.stringify({ error: `No: ${headers.authorization}` });
    response.writeHead(code, { 'Content-Type': 'application/json' }).end(body);
  };

/** What a service, or what stands before it, can answer to any call. */
export const misbehaviours = {
  'an HTML page with 200': ({ headers }, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end(`<!doctype html><title>${headers.authorization}</title>`);
  },
  'a redirect loop': redirect(({ url }) => url ?? '/'),
  'a redirect to http': redirect(() => 'http://192.0.2.1/'),
  'a redirect to a private address': redirect(() => 'https://192.168.0.1/'),
  'a body without end': (_, response) => {
    const more = 'a'.repeat(65_536);
    const write = () => {
      while (!response.destroyed && response.write(more));
    };
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.on('drain', write).write('{"files":["');
    write();
  },
  'JSON a thousand levels deep': (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end('{"a":'.repeat(1000) + 1 + '}'.repeat(1000));
  },
  'a status 403': status(403),
  'a status 404': status(404),
} satisfies Record<string, Misbehaviour>;

/** A service that answers every request in this way. */
export async function startMisbehavingService(
  answer: Misbehaviour,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => answer(request, response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
