import { Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { createAdminApp } from './admin-calls.ts';
import { addAuthorizeCalls } from './auth/authorize-calls.ts';
import { requireLoopbackHost } from './auth/require-loopback.ts';
import { addTokenCalls } from './auth/token-calls.ts';
import { addDownloadCalls, addSignedDownloadCalls } from './calls/download-calls.ts';
import { answerErrors, HttpError } from './calls/http-error.ts';
import { addLibraryCalls } from './calls/library-calls.ts';
import { addRecordCalls, addUploadCall } from './calls/upload-calls.ts';
import { addUsageCalls } from './calls/usage-calls.ts';
import type { EmulatorControls } from './controls.ts';
import type { CallContext, CallEnvironment, EmulatorState } from './emulator-state.ts';
import { bendErrorBodies, elsewhere } from './faults/fault-answers.ts';
import { injectFaults } from './faults/inject-faults.ts';
import { logRequests } from './log-requests.ts';
import { addPageCalls } from './page/page-calls.ts';

/** Maximum body of a call, in bytes. */
const maxBodyBytes = 1024 * 1024;

export interface AppParts {
  readonly state: EmulatorState;
  readonly onFault: (error: unknown) => void;
  /** Returns ms since 1970. */
  readonly clock: () => number;
}

/**
 * The service as a Hono app. Each request is logged, checked, changed by its fault, then answered.
 * All errors are JSON. The admin calls and the page skip all this: they aren't part of the
 * interface.
 */
export function createApp({
  controls,
  ...parts
}: AppParts & { controls: EmulatorControls }): Hono<CallEnvironment> {
  const { state, onFault } = parts;
  const app = new Hono<CallEnvironment>();
  if (state.settings().admin) {
    const admin = createAdminApp({ controls, settings: state.settings, onFault });
    app.all('/_emulator/*', (c) => admin.fetch(c.req.raw, c.env));
  }
  addPageCalls(app, state);
  addChecks(app, parts);
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

/**
 * The second host: another origin that uploads and downloads can lead to. It takes no token,
 * because its URLs are signed. Requests appear in the same log.
 */
export function createOtherApp(parts: AppParts): Hono<CallEnvironment> {
  const app = new Hono<CallEnvironment>();
  addChecks(app, parts);
  addSignedDownloadCalls(app, parts.state);
  app.all(elsewhere, (c) => c.json({ ok: true }));
  addUploadCall(app, parts.state);
  return answerErrors(app, parts.onFault);
}

function addChecks(app: Hono<CallEnvironment>, { state, clock }: AppParts): void {
  app.use(logRequests(state.log, maxBodyBytes));
  app.use(async (c, next) => {
    requireLoopbackHost(c);
    if (c.get('body').length > maxBodyBytes)
      throw new HttpError(413, 'body-too-large', `The body is larger than ${maxBodyBytes} bytes.`, {
        Connection: 'close',
      });
    await next();
  });
  app.use(allowBrowsers(state));
  app.use(injectFaults(state, clock));
  for (const part of ['/1/*', '/signed/*']) app.use(part, bendErrorBodies(state));
}

/** Answers preflight requests and adds CORS headers for the allowed origin. */
function allowBrowsers({
  settings,
}: Pick<EmulatorState, 'settings'>): MiddlewareHandler<CallEnvironment> {
  const exposeHeaders = ['Content-Disposition', 'ETag', 'Last-Modified', 'Link', 'Retry-After'];
  return async (c, next) => {
    const { cors: origin } = settings();
    const allow = cors({ origin, exposeHeaders });
    if (origin !== '' && c.req.method === 'OPTIONS') return allow(c, next);
    await next();
    // Only now, because faults replace the answer and its headers.
    if (origin !== '') await allow(c, async () => {});
    return undefined;
  };
}

function authenticate(c: CallContext, { settings, tokens }: EmulatorState): void {
  const header = c.req.header('Authorization');
  if (header === undefined && settings().openDownloads && isDownload(c)) return;
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

function isDownload(c: CallContext): boolean {
  return /^\/1\/file\/-?\d+\/download\//.test(c.req.path) && /^(GET|HEAD)$/.test(c.req.method);
}
