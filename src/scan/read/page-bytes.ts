const slash = 0x2f;
const hyphen = 0x2d;
const lessThan = 0x3c;
const exclamation = 0x21;
const greaterThan = 0x3e;
const openBracket = 0x5b;

export function lower(byte: number): number {
  return byte > 64 && byte < 91 ? byte + 32 : byte;
}

export function isLetter(byte: number): boolean {
  const small = byte | 32;
  return small > 96 && small < 123;
}

/** Whether a byte is HTML white space, including a carriage return. */
export function isBlank(byte: number): boolean {
  return byte < 33 && (byte === 32 || byte === 10 || byte === 9 || byte === 13 || byte === 12);
}

export function isAllBlank(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (!isBlank(bytes[at] as number)) return false;
  return true;
}

export function has(bytes: Uint8Array, byte: number, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (bytes[at] === byte) return true;
  return false;
}

export function isSameName(
  bytes: Uint8Array,
  from: number,
  to: number,
  otherFrom: number,
  otherTo: number,
): boolean {
  const length = to - from;
  if (otherTo - otherFrom !== length) return false;
  for (let index = 0; index < length; index += 1) {
    const byte = bytes[from + index] as number;
    const other = bytes[otherFrom + index] as number;
    if (byte !== other && lower(byte) !== lower(other)) return false;
  }
  return true;
}

export function isSameBytes(known: Buffer, bytes: Buffer, from: number, to: number): boolean {
  return known.length === to - from && bytes.compare(known, 0, known.length, from, to) === 0;
}

/** Calling `indexOf` takes as long as checking this many bytes. */
const near = 24;

/** The next position of a byte that's likely near, or the page's end. */
export function indexOfByte(bytes: Buffer, byte: number, from: number): number {
  const end = Math.min(from + near, bytes.length);
  for (let at = from; at < end; at += 1) if (bytes[at] === byte) return at;
  const at = bytes.indexOf(byte, end);
  return at < 0 ? bytes.length : at;
}

export function nextMarkup(bytes: Buffer, from: number): number {
  return indexOfByte(bytes, lessThan, from);
}

/** The end of the comment or doctype at `from`. -1 if it's neither, or has no end. */
export function declarationEnd(bytes: Uint8Array, from: number): number {
  const isComment = bytes[from + 2] === hyphen && bytes[from + 3] === hyphen;
  if (!isComment && bytes[from + 2] === openBracket) return -1;
  for (let at = from + (isComment ? 4 : 2); at < bytes.length; at += 1) {
    if (bytes[at] === greaterThan && (!isComment || endsComment(bytes, from, at))) return at + 1;
  }
  return -1;
}

/** Whether a `>` ends a comment: `-->`, or `--!>` without the opening hyphens. */
function endsComment(bytes: Uint8Array, from: number, at: number): boolean {
  if (bytes[at - 1] === hyphen) return bytes[at - 2] === hyphen;
  return (
    bytes[at - 1] === exclamation &&
    at - 3 >= from + 4 &&
    bytes[at - 2] === hyphen &&
    bytes[at - 3] === hyphen
  );
}

/**
 * The position of a text element's end tag. -1 if there's none, or if a script may contain a comment,
 * which changes where it ends.
 */
export function rawTextEnd(
  bytes: Buffer,
  { nameFrom, nameTo, end }: { nameFrom: number; nameTo: number; end: number },
  isScript: boolean,
): number {
  for (let at = nextMarkup(bytes, end); at < bytes.length; at = nextMarkup(bytes, at + 1)) {
    const next = bytes[at + 1];
    if (isScript && next === exclamation) return -1;
    if (next !== slash) continue;
    const to = at + 2 + nameTo - nameFrom;
    const behind = to < bytes.length ? (bytes[to] as number) : 0;
    const isEnd = behind === greaterThan || behind === slash || isBlank(behind);
    if (isEnd && isSameName(bytes, nameFrom, nameTo, at + 2, to)) return at;
  }
  return -1;
}
