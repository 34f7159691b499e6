import { HttpError } from '../calls/http-error.ts';
import type { CallContext } from '../emulator-state.ts';

const loopback = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;

export function namesLoopbackHost(c: CallContext): boolean {
  return loopback.test(c.env.incoming.headers.host ?? '');
}

/**
 * Prevents DNS rebinding: another site can point its own host name at 127.0.0.1.
 *
 * @throws HttpError 421
 */
export function requireLoopbackHost(c: CallContext): void {
  if (namesLoopbackHost(c)) return;
  throw new HttpError(421, 'host-refused', 'The emulator only answers on 127.0.0.1 and localhost.');
}

/**
 * Refuses requests by pages of other sites. Browsers send them, but hide the answers.
 *
 * @throws HttpError 403
 */
export function requireLoopbackOrigin(c: CallContext): void {
  const { origin } = c.env.incoming.headers;
  if (origin === undefined || loopback.test(origin.replace(/^https?:\/\//, ''))) return;
  throw new HttpError(403, 'origin-refused', "Pages of other sites can't use the admin calls.");
}
