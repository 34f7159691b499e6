import { badRequest, HttpError } from './http-error.ts';

/**
 * @returns The bytes: more than `limit` where the body is larger, the rest then being unread.
 * `whole` is false where the sender hung up before the end.
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
    // There is no one left to answer: the log keeps what came.
    return { body: Buffer.concat(chunks), whole: false };
  }
}

/** @throws HttpError 415 for a body that isn't declared as JSON, 400 for one that is none. */
export function parseJsonBody(body: Uint8Array, contentType: string): unknown {
  if (contentType.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json')
    throw new HttpError(415, 'content-type-unsupported', 'The body must be application/json.');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw badRequest('json-invalid', 'The body is not JSON in UTF-8.');
  }
}
