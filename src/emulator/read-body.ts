/**
 * Reads a request's body up to a limit.
 *
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
