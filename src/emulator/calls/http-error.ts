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
