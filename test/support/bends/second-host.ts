import { randomUUID } from 'node:crypto';
import type { Hono, Next } from 'hono';
import { badRequest, HttpError } from '../../../src/emulator/calls/http-error.ts';
import type { CallContext, CallEnvironment } from '../../../src/emulator/emulator-state.ts';
import { listen } from '../../../src/emulator/listen.ts';

export type SecondHost = Awaited<ReturnType<typeof startSecondHost>>;

/**
 * Another origin that uploads and downloads can lead to: the same emulator on a second port. It
 * takes no token, because its URLs are signed. Its requests appear in the same log.
 */
export async function startSecondHost(app: Hono<CallEnvironment>) {
  const { port, close } = await listen(
    { fetch: (request, bindings) => app.fetch(toCall(request), bindings) },
    0,
  );
  const url = `http://127.0.0.1:${port}`;
  /** Signed targets: path and query. */
  const signed = new Set<string>();
  /** Whether a request came here. */
  const received = (c: CallContext): boolean => c.env.incoming.socket.localPort === port;

  return {
    url,
    /** The signed URL of a download. */
    sign(id: number, version: string, query: URLSearchParams): string {
      const own = new URLSearchParams([...query, ['signature', randomUUID()]]);
      const target = `/signed/file/${id}/${version}?${own}`;
      signed.add(target);
      return `${url}${target}`;
    },
    received,
    /** Refuses all requests to this host except uploads and signed downloads. */
    async check(c: CallContext, next: Next) {
      if (!received(c)) return next();
      const path = sentPath(c);
      if (path.startsWith('/signed/')) {
        // Storage services refuse a second form of authentication next to a signed URL.
        if (c.req.header('Authorization') !== undefined)
          throw badRequest('authorization-unexpected', 'Signed URLs take no Authorization header.');
        if (!signed.has(c.env.incoming.url ?? ''))
          throw new HttpError(403, 'signature-invalid', 'The signature is invalid.');
      } else if (!path.startsWith('/1/upload/'))
        throw new HttpError(404, 'path-unknown', `There is no ${path.slice(0, 200)}.`);
      c.set('user', '');
      return next();
    },
    /** Waits for requests in progress. */
    close: () => close(10_000),
  };
}

/** The path as sent, without the query. */
export function sentPath(c: CallContext): string {
  return (c.env.incoming.url ?? '').replace(/\?.*/s, '');
}

/** A signed download as the emulator's own call. The emulator's pages aren't here. */
function toCall(request: Request): Request {
  const url = new URL(request.url);
  if (url.pathname.startsWith('/1/')) return request;
  const download = /^\/signed\/file\/(-?\d+)\/(0|-1)$/.exec(url.pathname);
  url.pathname = download
    ? `/1/file/${download[1]}/download/${download[2]}`
    : `/other-host${url.pathname}`;
  return new Request(url, { method: request.method, headers: request.headers });
}
