import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forwardRequest } from './forward-request.ts';

/** A server that stands before a service: some paths it answers by itself, the others go through. */
export interface AnsweringServer {
  readonly url: string;
  /** From now on every request goes through. */
  answerItself(): void;
  close(): Promise<void>;
}

export async function startAnsweringServer(
  service: string,
  paths: RegExp,
  answer: {
    type: string;
    body: string | Uint8Array;
    /** Announced, where it is not the body's. */
    length?: number;
  },
): Promise<AnsweringServer> {
  let through = false;
  const server = createServer(async (request, response) => {
    const url = request.url ?? '';
    if (!through && paths.test(url.split('?')[0] ?? '')) {
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
    answerItself() {
      through = true;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
