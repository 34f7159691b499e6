import { badRequest, HttpError } from './http-error.ts';

/**
 * @returns the bytes. If there are more than `limit`, the rest is unread. `whole` is `false` if the
 * sender disconnected early.
 */
export async function readBody(
  request: Request,
  limit: number,
): Promise<{ body: Uint8Array; whole: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > limit) break;
    }
    return { body: Buffer.concat(chunks), whole: true };
  } catch {
    // There's no one left to answer. The log keeps the part that arrived.
    return { body: Buffer.concat(chunks), whole: false };
  }
}

export function parseJsonBody(body: Uint8Array, contentType: string): unknown {
  if (contentType.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json')
    throw new HttpError(415, 'content-type-unsupported', 'The body must be application/json.');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw badRequest('json-invalid', "The body isn't JSON in UTF-8.");
  }
}
