import { createHash } from 'node:crypto';

/** The first 16 hexadecimal digits of the SHA-256 of a value. */
export function digest(value: unknown): string {
  return sha256(JSON.stringify(value)).slice(0, 16);
}

/** In hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The same of a stream. */
export async function sha256Of(parts: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of parts) hash.update(part);
  return hash.digest('hex');
}
