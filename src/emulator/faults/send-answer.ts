import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { CallContext } from '../emulator-state.ts';

export async function replaceAnswer(c: CallContext, answer: Response): Promise<void> {
  if (c.finalized) await c.res.body?.cancel();
  // Hono would add the headers of the replaced answer.
  c.res = undefined;
  c.res = answer;
}

export function resetConnection(c: CallContext): void {
  c.env.incoming.socket.resetAndDestroy();
}

/** Sends no answer and leaves the connection alone. */
export async function sendNothing(c: CallContext): Promise<void> {
  await replaceAnswer(c, RESPONSE_ALREADY_SENT);
}

/** Sends `part` with headers that announce `length` bytes, then ends the connection. */
export async function sendPart(c: CallContext, part: Uint8Array, length: number): Promise<void> {
  const { outgoing, incoming } = c.env;
  const headers = new Headers(c.res.headers);
  headers.set('Content-Length', String(length));
  outgoing.writeHead(c.res.status, Object.fromEntries(headers));
  outgoing.flushHeaders();
  outgoing.write(part, () => incoming.socket.destroySoon());
  await sendNothing(c);
}
