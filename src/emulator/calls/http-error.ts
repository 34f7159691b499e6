import type { Env, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';

/** An error answer. Throw it anywhere in a call to send `{ error: { code, message } }`. */
export class HttpError extends HTTPException {
  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    const res = Response.json({ error: { code, message } }, { status, headers });
    super(status as HTTPException['status'], { res });
  }
}

export function badRequest(code: string, message: string): HttpError {
  return new HttpError(400, code, message);
}

/** Answers all errors of an app as JSON: unknown paths, refusals and internal errors. */
export function answerErrors<E extends Env>(
  app: Hono<E>,
  onFault: (error: unknown) => void,
): Hono<E> {
  app.notFound((c) =>
    new HttpError(404, 'path-unknown', `There is no ${c.req.path.slice(0, 200)}.`).getResponse(),
  );
  app.onError((error) => {
    if (error instanceof HttpError) return error.getResponse();
    onFault(error);
    const text = 'The emulator failed. Its output says why.';
    return new HttpError(500, 'internal', text).getResponse();
  });
  return app;
}

export function answerWrongMethod(_: unknown, methods: readonly string[]): Response {
  const Allow = methods.join(', ');
  const text = `This path only accepts ${Allow}.`;
  return new HttpError(405, 'method-not-allowed', text, { Allow }).getResponse();
}
