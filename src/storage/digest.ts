import { createHash } from 'node:crypto';

/** The first 16 hexadecimal digits of the SHA-256 of a value. */
export function digest(value: unknown): string {
  return sha256(JSON.stringify(value)).slice(0, 16);
}

/** In hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
