import { forwardRequest } from './forward-request.ts';
import { type LocalServer, startLocalServer } from './local-server.ts';

/** A proxy in front of a service that answers some paths itself and forwards the others. */
export function startInterceptingProxy(
  service: string,
  paths: RegExp,
  answer: { type: string; body: string | Uint8Array },
): Promise<LocalServer> {
  return startLocalServer(async (request, response) => {
    if (paths.test(request.url?.split('?')[0] ?? '')) {
      response.writeHead(200, { 'Content-Type': answer.type }).end(answer.body);
      return;
    }
    const { status, headers, bytes } = await forwardRequest(service, request);
    response.writeHead(status, headers).end(bytes);
  });
}
