import { Hono } from 'hono';
import { addDownloadCalls } from './download-calls.ts';
import type { Call, CallEnvironment, EmulatorState } from './emulator-state.ts';
import { addPageCalls } from './page-calls.ts';
import { readBody } from './read-body.ts';
import { answerRefusal, Refusal } from './refusal.ts';
import { addTokenCalls } from './token-calls.ts';
import { addUsageCalls } from './usage-calls.ts';

/** Largest body of a call, in bytes. */
const maxBodyBytes = 1024 * 1024;

/**
 * The service as a hono app: every request is logged, then checked, then answered; every error is
 * JSON.
 *
 * @param onFault Told of what should never happen, before the caller gets its 500.
 */
export function createApp(
  state: EmulatorState,
  onFault: (error: unknown) => void,
): Hono<CallEnvironment> {
  const app = new Hono<CallEnvironment>();
  app.use(async (c, next) => {
    const sequence = await logArrival(c, state);
    await next();
    await logAnswer(c, state, sequence);
  });
  app.use(async (c, next) => {
    requireLoopbackHost(c);
    if (c.get('body').length > maxBodyBytes)
      throw new Refusal(413, 'body-too-large', `A body has at most ${maxBodyBytes} bytes.`, {
        Connection: 'close',
      });
    await next();
  });
  app.use('/1/*', async (c, next) => {
    if (c.req.path !== '/1/oauth2/token') authenticate(c, state);
    await next();
  });

  addTokenCalls(app, state);
  addDownloadCalls(app, state);
  addUsageCalls(app, state);
  addPageCalls(app, state);

  // A path that answers another method gets here: its routes are all above.
  for (const [path, allowed] of allowedMethods(app))
    app.all(path, () => {
      throw new Refusal(405, 'method-not-allowed', `Only ${allowed} here.`, { Allow: allowed });
    });
  app.notFound((c) =>
    answerRefusal(new Refusal(404, 'path-unknown', `There is no ${c.req.path.slice(0, 200)}.`)),
  );
  app.onError((error) => {
    if (error instanceof Refusal) return answerRefusal(error);
    onFault(error);
    return answerRefusal(new Refusal(500, 'internal', 'The emulator failed; it has said why.'));
  });
  return app;
}

async function logArrival(c: Call, { log }: EmulatorState): Promise<number> {
  const { method = '', url = '', headers } = c.env.incoming;
  const question = url.indexOf('?');
  const { body, whole } = await readBody(c.req.raw, maxBodyBytes);
  c.set('body', body);
  const sequence = log.arrived({
    method,
    path: question < 0 ? url : url.slice(0, question),
    query: question < 0 ? '' : url.slice(question + 1),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, String(value)]),
    ),
    body,
  });
  if (!whole) throw new Refusal(400, 'body-cut-short', 'The body ended too early.');
  return sequence;
}

async function logAnswer(c: Call, { log }: EmulatorState, sequence: number): Promise<void> {
  if (c.res.body !== null && !c.res.headers.has('Content-Length')) {
    const body = await c.res.arrayBuffer();
    const headers = new Headers(c.res.headers);
    headers.set('Content-Length', String(body.byteLength));
    c.res = new Response(body, { status: c.res.status, headers });
  }
  const { status } = c.res;
  const hasBody = c.res.body !== null && c.req.method !== 'HEAD';
  log.answered(sequence, {
    status,
    bytes: hasBody ? Number(c.res.headers.get('Content-Length')) : 0,
  });
}

/** A page of another site can point its own host name at 127.0.0.1; its requests are refused. */
function requireLoopbackHost(c: Call): void {
  const host = c.env.incoming.headers.host ?? '';
  if (/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host)) return;
  throw new Refusal(421, 'host-refused', 'The emulator answers for 127.0.0.1 and localhost only.');
}

function authenticate(c: Call, { settings, tokens }: EmulatorState): void {
  const header = c.req.header('Authorization');
  if (header === undefined && settings.openDownloads && isDownload(c)) return;
  const token = header?.match(/^Bearer ([\w.~+/-]+=*)$/i)?.[1];
  const user = token === undefined ? undefined : tokens.userOf(token);
  if (user !== undefined) {
    c.set('user', user);
    return;
  }
  throw new Refusal(
    401,
    header === undefined ? 'token-missing' : 'token-invalid',
    header === undefined ? 'An access token is needed.' : 'The access token is wrong or expired.',
    {
      'WWW-Authenticate': `Bearer realm="emulator"${header === undefined ? '' : ', error="invalid_token"'}`,
    },
  );
}

function isDownload(c: Call): boolean {
  return /^\/1\/file\/\d+\/download\//.test(c.req.path) && /^(GET|HEAD)$/.test(c.req.method);
}

/** `Allow` by path: a GET route answers HEAD too. */
function allowedMethods(app: Hono<CallEnvironment>): Map<string, string> {
  const routes = app.routes.filter(({ method }) => method !== 'ALL');
  return new Map(
    [...Map.groupBy(routes, ({ path }) => path)].map(([path, group]) => [
      path,
      group.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', '),
    ]),
  );
}
