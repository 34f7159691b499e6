import { Hono } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { addAuthorizeCalls } from './auth/authorize-calls.ts';
import { addTokenCalls } from './auth/token-calls.ts';
import { addDownloadCalls } from './calls/download-calls.ts';
import { answerErrors, answerWrongMethod, HttpError } from './calls/http-error.ts';
import { addLibraryCalls } from './calls/library-calls.ts';
import { addRecordCalls } from './calls/record-calls.ts';
import { addUploadCall } from './calls/upload-calls.ts';
import { addUsageCalls } from './calls/usage-calls.ts';
import type { CallContext, CallEnvironment, EmulatorState } from './emulator-state.ts';
import { requireLoopbackHost } from './emulator-state.ts';
import { addPageCalls } from './page/page-calls.ts';
import { logRequests } from './request-log.ts';

/** Maximum body of a call, in bytes. */
const maxBodyBytes = 1024 * 1024;

export type App = Hono<CallEnvironment>;

/** Middleware that changes answers, for tests of clients. */
export interface Bend {
  /** Adds what surrounds the log: after `next`, the log has its entry. */
  beforeLog(app: App): void;
  /** Adds what surrounds the calls, and decides before them. */
  beforeCalls(app: App): void;
}

/**
 * The service as a Hono app. Each request is logged, checked, then answered. All errors are JSON.
 * The pages skip all this: they aren't part of the interface.
 */
export function createApp({
  state,
  onFault,
  bend,
}: {
  state: EmulatorState;
  onFault: (error: unknown) => void;
  bend: Bend | undefined;
}): App {
  const app: App = new Hono();
  addPageCalls(app, state);
  bend?.beforeLog(app);
  app.use(logRequests(state.log, maxBodyBytes));
  app.use(methodNotAllowed({ app, onMethodNotAllowed: answerWrongMethod }));
  app.use(async (c, next) => {
    requireLoopbackHost(c);
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
  return answerErrors(app, onFault);
}

export function authenticate(c: CallContext, { tokens }: EmulatorState): void {
  if (c.get('user') !== undefined) return;
  const header = c.req.header('Authorization');
  const token = header?.match(/^Bearer ([\w.~+/-]+=*)$/i)?.[1];
  const user = token === undefined ? undefined : tokens.userOf(token);
  if (user !== undefined) {
    c.set('user', user);
    return;
  }
  throw new HttpError(
    401,
    header === undefined ? 'token-missing' : 'token-invalid',
    header === undefined
      ? 'An access token is required.'
      : 'The access token is invalid or expired.',
    {
      'WWW-Authenticate': `Bearer realm="emulator"${header === undefined ? '' : ', error="invalid_token"'}`,
    },
  );
}
