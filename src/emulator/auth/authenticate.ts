import { HttpError } from '../calls/http-error.ts';
import type { CallContext, EmulatorState } from '../emulator-state.ts';

export function authenticate(c: CallContext, { tokens }: EmulatorState): void {
  if (c.get('user') !== undefined) return;
  const header = c.req.header('Authorization');
  const token = header?.match(/^Bearer ([\w.~+/-]+=*)$/i)?.[1];
  const user = token === undefined ? undefined : tokens.userOf(token);
  if (user !== undefined) return void c.set('user', user);
  const scheme = 'Bearer realm="emulator"';
  if (header === undefined) {
    const challenge = { 'WWW-Authenticate': scheme };
    throw new HttpError(401, 'token-missing', 'An access token is required.', challenge);
  }
  const challenge = { 'WWW-Authenticate': `${scheme}, error="invalid_token"` };
  throw new HttpError(401, 'token-invalid', 'The access token is invalid or expired.', challenge);
}
