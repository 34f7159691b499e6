import { HTTPException } from 'hono/http-exception';
import { z } from 'zod';
import type { CallContext } from '../emulator-state.ts';

/** Reads the parameters from the query, the body and Basic authentication. Throws TokenError. */
export function readTokenParameters(c: CallContext): Map<string, string> {
  const query = new URL(c.req.url).searchParams;
  const kind = (c.req.header('Content-Type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const fields = readFields(c.get('body'), kind);
  const parameters = new Map<string, string>();
  const client = readBasic(c.req.header('Authorization'));
  for (const [name, value] of [...query, ...client, ...fields]) {
    if (parameters.has(name)) throw new TokenError('invalid_request', `${name} is given twice.`);
    parameters.set(name, value);
  }
  return parameters;
}

/** The client of Basic authentication, form-encoded (RFC 6749, 2.3.1). */
function readBasic(header = ''): Iterable<[string, string]> {
  const [, encoded] = /^Basic ([\w+/=]+)$/i.exec(header) ?? [];
  if (encoded === undefined) return [];
  const [, id = '', secret = ''] = /^([^:]*):(.*)$/s.exec(atob(encoded)) ?? [];
  return new URLSearchParams(`client_id=${id}&client_secret=${secret}`);
}

/** Form fields, or text fields of a JSON object. Section 5 leaves the encoding open. */
function readFields(body: Uint8Array, kind: string): [string, string][] {
  if (body.length === 0) return [];
  const text = new TextDecoder().decode(body);
  if (kind === '' || kind === 'application/x-www-form-urlencoded')
    return [...new URLSearchParams(text)];
  if (kind !== 'application/json')
    throw new TokenError('invalid_request', 'The body must be a form or JSON.');
  try {
    return Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(text)));
  } catch {
    throw new TokenError('invalid_request', "The body isn't a JSON object of strings.");
  }
}

/** An error answer of the token call (RFC 6749, 5.2). */
export class TokenError extends HTTPException {
  constructor(error: string, error_description: string) {
    const status = error === 'invalid_client' ? 401 : 400;
    const headers = { 'Cache-Control': 'no-store' };
    super(status, { res: Response.json({ error, error_description }, { status, headers }) });
  }
}
