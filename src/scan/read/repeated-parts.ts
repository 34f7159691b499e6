import { isSameBytes } from './page-bytes.ts';

/** A part of a page, from its start tag to its end tag, in which nothing names an asset or says more of the page. */
interface Part {
  readonly bytes: Buffer;
  /** Where the name in its end tag begins. */
  readonly endName: number;
  /** How many elements were open in it, itself included, where it stood. */
  readonly depth: number;
}

/** Where a part of this page begins, and how many elements were found up to its start tag. */
interface Begun {
  readonly from: number;
  readonly depth: number;
  readonly found: number;
}

/** Smaller ones are read as fast as they are compared. In bytes. */
const smallest = 256;
const largest = 64 * 1024;
const mostParts = 8;

/**
 * The navigation, headers and footers that a site repeats on its pages: one that was read is known
 * again by its bytes. Wherever it stands, it may be passed over only where nothing around it changes
 * what a parser makes of it.
 */
export class RepeatedParts {
  /** The last ones that were seen, the latest first. */
  readonly #known: Part[] = [];
  readonly #begun: Begun[] = [];
  /** Of the innermost part that has begun; 0 where there is none. */
  depth = 0;

  beginPage(): void {
    this.#begun.length = 0;
    this.depth = 0;
  }

  /** Where the name in the end tag of a known part stands that begins at `from`; -1 for any other. */
  find(bytes: Buffer, from: number, depth: number): number {
    for (const [index, part] of this.#known.entries()) {
      // Deeper than where it was read, it could be too deep.
      if (depth > part.depth || !stands(part.bytes, bytes, from)) continue;
      if (index > 0) this.#known.unshift(...this.#known.splice(index, 1));
      return from + part.endName;
    }
    return -1;
  }

  begin(part: Begun): void {
    this.#begun.push(part);
    this.depth = part.depth;
  }

  /** The innermost part ends at `to`; `found` elements of the page have been by then. */
  end(bytes: Buffer, { endName, to, found }: { endName: number; to: number; found: number }): void {
    const part = this.#begun.pop();
    this.depth = this.#begun.at(-1)?.depth ?? 0;
    if (!part || part.found !== found) return;
    const { from, depth } = part;
    if (to - from < smallest || to - from > largest) return;
    const known = { bytes: Buffer.from(bytes.subarray(from, to)), endName: endName - from, depth };
    if (this.#known.unshift(known) > mostParts) this.#known.pop();
  }
}

/** Whether a part stands at a place. Most that do not differ in the few bytes that are looked at first. */
function stands(part: Buffer, bytes: Buffer, from: number): boolean {
  const { length } = part;
  const to = from + length;
  if (to > bytes.length || bytes[to - 1] !== part[length - 1]) return false;
  for (const at of [length >> 1, length >> 2, length >> 3]) {
    if (bytes[from + at] !== part[at]) return false;
  }
  return isSameBytes(part, bytes, from, to);
}
