import type { Env, Hono } from 'hono';

/** An answer with an error: thrown anywhere in a call, sent as `{ error: { code, message } }`. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export function badRequest(code: string, message: string): HttpError {
  return new HttpError(400, code, message);
}

export function answerHttpError(refusal: HttpError): Response {
  return Response.json(
    { error: { code: refusal.code, message: refusal.message } },
    { status: refusal.status, headers: { ...refusal.headers } },
  );
}

/**
 * Makes every error of an app JSON: paths that answer another method, paths that there are none of,
 * refusals and faults of the emulator's own. Comes after all routes.
 *
 * @param onFault Told of what should never happen, before the caller gets its 500.
 */
export function answerErrors<E extends Env>(
  app: Hono<E>,
  onFault: (error: unknown) => void,
): Hono<E> {
  // A path that answers another method gets here: its routes are all above.
  for (const [path, allowed] of allowedMethods(app))
    app.all(path, () => {
      throw new HttpError(405, 'method-not-allowed', `Only ${allowed} here.`, { Allow: allowed });
    });
  app.notFound((c) =>
    answerHttpError(new HttpError(404, 'path-unknown', `There is no ${c.req.path.slice(0, 200)}.`)),
  );
  app.onError((error) => {
    if (error instanceof HttpError) return answerHttpError(error);
    onFault(error);
    return answerHttpError(new HttpError(500, 'internal', 'The emulator failed; it has said why.'));
  });
  return app;
}

/** `Allow` by path: a GET route answers HEAD too. */
function allowedMethods<E extends Env>(app: Hono<E>): Map<string, string> {
  const routes = app.routes.filter(({ method }) => method !== 'ALL');
  return new Map(
    [...Map.groupBy(routes, ({ path }) => path)].map(([path, group]) => [
      path,
      group.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', '),
    ]),
  );
}
