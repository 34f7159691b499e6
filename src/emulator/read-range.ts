import { Refusal } from './refusal.ts';

/** Part of a file in bytes, both ends included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The part that a `Range` header asks for (RFC 9110, 14.1.2); `undefined` for the whole file: where
 * the header is missing, or asks for its end or for several parts, which a server need not give.
 *
 * @param size in bytes
 * @throws Refusal 416 where the file ends before it
 */
export function readRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === undefined) return undefined;
  const start = Number(first);
  const end = last ? Number(last) : size - 1;
  if (last && end < start) return undefined;
  if (start < size) return { start, end: Math.min(end, size - 1) };
  const headers = { 'Content-Range': `bytes */${size}` };
  throw new Refusal(416, 'range-outside', `The file has ${size} bytes.`, headers);
}
