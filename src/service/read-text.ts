/**
 * Reads a body as UTF-8 text, at most `maxBytes` of it. `complete` is false where there is more;
 * the rest is not fetched.
 */
export async function readText(
  response: Response,
  maxBytes: number,
): Promise<{ text: string; complete: boolean }> {
  const decoder = new TextDecoder();
  let text = '';
  let received = 0;
  for await (const chunk of response.body ?? []) {
    const left = maxBytes - received;
    received += chunk.byteLength;
    text += decoder.decode(chunk.subarray(0, left), { stream: true });
    if (received > maxBytes) return { text, complete: false };
  }
  return { text: text + decoder.decode(), complete: true };
}
