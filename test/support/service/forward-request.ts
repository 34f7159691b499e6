import type { IncomingMessage } from 'node:http';

/** Forwards a request to a service, and returns its answer. */
export async function forwardRequest(
  service: string,
  request: IncomingMessage,
): Promise<{ status: number; headers: Record<string, string>; bytes: Buffer }> {
  const body = Buffer.concat(await request.toArray());
  const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
  const received = await fetch(new URL(request.url ?? '', service), {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(body.length > 0 && { body }),
  });
  const bytes = Buffer.from(await received.arrayBuffer());
  return { status: received.status, headers: Object.fromEntries(received.headers), bytes };
}
