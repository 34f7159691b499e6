import type { Env, Hono } from 'hono';

/** An error answer. Throw it anywhere in a call to send `{ error: { code, message } }`. */
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
 * Answers all errors of an app as JSON: unknown paths, refusals and internal errors.
 *
 * @param onFault called with internal errors, before the caller gets a 500
 */
export function answerErrors<E extends Env>(
  app: Hono<E>,
  onFault: (error: unknown) => void,
): Hono<E> {
  app.notFound((c) =>
    answerHttpError(new HttpError(404, 'path-unknown', `There is no ${c.req.path.slice(0, 200)}.`)),
  );
  app.onError((error) => {
    if (error instanceof HttpError) return answerHttpError(error);
    onFault(error);
    return answerHttpError(
      new HttpError(500, 'internal', 'The emulator failed. Its output says why.'),
    );
  });
  return app;
}

export function answerWrongMethod(_: unknown, methods: readonly string[]): Response {
  const Allow = methods.join(', ');
  const text = `This path only accepts ${Allow}.`;
  return answerHttpError(new HttpError(405, 'method-not-allowed', text, { Allow }));
}
