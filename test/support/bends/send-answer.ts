import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { CallContext } from '../../../src/emulator/emulator-state.ts';

export async function replaceAnswer(c: CallContext, answer: Response): Promise<void> {
  if (c.finalized && !c.res.bodyUsed) await c.res.body?.cancel();
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

/** Changes a request before the emulator's own call reads it. */
export function changeRequest(
  c: CallContext,
  {
    url = new URL(c.req.url),
    change,
    body,
  }: {
    url?: URL;
    change?: (headers: Headers) => void;
    body?: string;
  },
): void {
  const headers = new Headers(c.req.raw.headers);
  change?.(headers);
  c.req.raw = new Request(url, { method: c.req.method, headers });
  if (body !== undefined) c.set('body', new TextEncoder().encode(body));
}

/** Changes the JSON of a successful answer, or its headers. */
export async function changeJson(
  c: CallContext,
  change: (value: unknown, headers: Headers) => unknown,
): Promise<void> {
  if (!c.res.ok || c.req.method === 'HEAD') return;
  const { status } = c.res;
  const headers = new Headers(c.res.headers);
  headers.delete('Content-Length');
  const changed = change(await c.res.json(), headers);
  await replaceAnswer(c, new Response(JSON.stringify(changed), { status, headers }));
}
