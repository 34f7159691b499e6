/** A part of a file in bytes, both ends included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The part that a `Range` header asks for (RFC 9110, 14.1.2); `undefined` for the whole file: where
 * the header is missing, cannot be read, or asks for several parts, which a server need not give.
 *
 * @param size in bytes
 */
export function readRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < start) return undefined;
  const isEmpty = from === '' && Number(to) === 0;
  return isEmpty || start >= size ? 'unsatisfiable' : { start, end };
}
