import { forwardRequest } from './forward-request.ts';
import { startLocalServer } from './local-server.ts';

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
    /** The `Content-Length`, if it differs from the body's. */
    length?: number;
  },
): Promise<InterceptingProxy> {
  let forwardsAll = false;
  const server = await startLocalServer(async (request, response) => {
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
  return {
    url: server.url,
    forwardAll() {
      forwardsAll = true;
    },
    close: server.close,
  };
}
