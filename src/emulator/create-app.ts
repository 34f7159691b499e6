import { Hono, type MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { authenticate } from './auth/authenticate.ts';
import { addAuthorizeCalls } from './auth/authorize-calls.ts';
import { addTokenCalls } from './auth/token-calls.ts';
import { addDownloadCalls } from './calls/download-calls.ts';
import { badRequest, HttpError } from './calls/http-error.ts';
import { addLibraryCalls } from './calls/library-calls.ts';
import { addRecordCalls } from './calls/record-calls.ts';
import { addUploadCall, isUpload } from './calls/upload-calls.ts';
import { addUsageCalls } from './calls/usage-calls.ts';
import type { App, CallEnvironment, EmulatorState } from './emulator-state.ts';
import { addPageCalls } from './page/page-calls.ts';

const loopback = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;

/** Maximum body of a call, in bytes. */
const maxBodyBytes = 1024 * 1024;

/** Middleware that changes answers, for tests of clients. */
export interface Bend {
  /** Adds what surrounds the log: after `next`, the log has its entry. */
  beforeLog(app: App): void;
  /** Adds what surrounds the calls, and decides before them. */
  beforeCalls(app: App): void;
}

/**
 * The service as a Hono app. Each request to this machine is logged, checked, then answered. All errors
 * are JSON.
 * The pages skip all this: they aren't part of the interface.
 */
export function createApp(
  state: EmulatorState,
  { onFault, bend }: { onFault: (error: unknown) => void; bend: Bend | undefined },
): App {
  const app: App = new Hono();
  app.use(async (c, next) => {
    // Prevents DNS rebinding: another site can point its own host name at 127.0.0.1.
    if (loopback.test(c.env.incoming.headers.host ?? '')) return next();
    const message = 'The emulator only answers on 127.0.0.1 and localhost.';
    throw new HttpError(421, 'host-refused', message);
  });
  addPageCalls(app, state);
  bend?.beforeLog(app);
  app.use(logRequests(state.log));
  app.use(async (c, next) => {
    if (c.get('body').length > maxBodyBytes)
      throw new HttpError(413, 'body-too-large', `The body is larger than ${maxBodyBytes} bytes.`, {
        Connection: 'close',
      });
    await next();
  });
  bend?.beforeCalls(app);
  app.use('/1/*', async (c, next) => {
    if (c.req.path !== '/1/oauth2/token') authenticate(c, state);
    await next();
  });

  addTokenCalls(app, state);
  addAuthorizeCalls(app, state);
  addLibraryCalls(app, state);
  addDownloadCalls(app, state);
  addRecordCalls(app, state);
  addUploadCall(app, state);
  addUsageCalls(app, state);
  app.notFound((c) => {
    const text = `There is no ${c.req.method} ${c.req.path.slice(0, 200)}.`;
    return new HttpError(404, 'path-unknown', text).getResponse();
  });
  app.onError((error) => {
    if (error instanceof HTTPException) return error.getResponse();
    onFault(error);
    const text = 'The emulator failed. Its output says why.';
    return new HttpError(500, 'internal', text).getResponse();
  });
  return app;
}

/** Logs each request when it arrives, and its answer just before it's sent. */
function logRequests(log: EmulatorState['log']): MiddlewareHandler<CallEnvironment> {
  return async (c, next) => {
    const { method = '', url = '', headers } = c.env.incoming;
    const [, path = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(url) ?? [];
    // An upload's content is streamed to disk and not logged.
    const { body, whole } = isUpload({ method, path: c.req.path })
      ? { body: new Uint8Array(), whole: true }
      : await readBody(c.req.raw);
    c.set('body', body);
    const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    const arrival = { method, path, query, headers: Object.fromEntries(texts), body };
    const sequence = log.arrived(arrival);
    if (!whole) throw badRequest('body-cut-short', 'The body ended too early.');
    c.set('sequence', sequence);
    await next();
    log.ended(sequence, c.res.status);
  };
}

/** Reads a body up to its limit. `whole` is `false` if the sender disconnected early. */
async function readBody(request: Request): Promise<{ body: Uint8Array; whole: boolean }> {
  let body = Buffer.alloc(0);
  try {
    for await (const chunk of request.body ?? []) {
      body = Buffer.concat([body, chunk]);
      if (body.length > maxBodyBytes) break;
    }
    return { body, whole: true };
  } catch {
    // There's no one left to answer. The log keeps the part that arrived.
    return { body, whole: false };
  }
}
