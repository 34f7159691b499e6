import { HttpError } from '../calls/http-error.ts';
import type { CallContext } from '../emulator-state.ts';

const loopback = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;

export function namesLoopbackHost(c: CallContext): boolean {
  return loopback.test(c.env.incoming.headers.host ?? '');
}

/** Prevents DNS rebinding: another site can point its own host name at 127.0.0.1. */
export function requireLoopbackHost(c: CallContext): void {
  if (namesLoopbackHost(c)) return;
  throw new HttpError(421, 'host-refused', 'The emulator only answers on 127.0.0.1 and localhost.');
}
