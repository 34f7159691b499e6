import { isSameBytes } from './page-bytes.ts';

/** A part of a page, from its start tag to its end tag, without elements that the scan needs. */
interface Part {
  readonly bytes: Buffer;
  /** Position of the name in its end tag. */
  readonly endName: number;
  /** Open elements where it was read, including itself. */
  readonly depth: number;
}

/** Start of a part of this page, and the elements found before it. */
interface Begun {
  readonly from: number;
  readonly depth: number;
  readonly found: number;
}

/** In bytes. Reading smaller parts is as fast as comparing them. */
const smallest = 256;
const largest = 64 * 1024;
const mostParts = 8;

/**
 * Recognizes the navigation, headers and footers that a site repeats on its pages, by their bytes. A
 * known part is skipped only if nothing around it can change its tree.
 */
export class RepeatedParts {
  /** The last parts, newest first. */
  readonly #known: Part[] = [];
  readonly #begun: Begun[] = [];
  /** Depth of the innermost open part. 0 if there's none. */
  depth = 0;

  beginPage(): void {
    this.#begun.length = 0;
    this.depth = 0;
  }

  /** Position of the name in the end tag of the known part at `from`. -1 if it isn't known. */
  find(bytes: Buffer, from: number, depth: number): number {
    for (const [index, part] of this.#known.entries()) {
      // Deeper than where it was read, its elements could be too deep.
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

  /** The innermost part ends at `to`. `found` is the number of elements so far. */
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

/** Whether a part is at a position. Compares a few bytes first, which rules out most. */
function stands(part: Buffer, bytes: Buffer, from: number): boolean {
  const { length } = part;
  const to = from + length;
  if (to > bytes.length || bytes[to - 1] !== part[length - 1]) return false;
  for (const at of [length >> 1, length >> 2, length >> 3]) {
    if (bytes[from + at] !== part[at]) return false;
  }
  return isSameBytes(part, bytes, from, to);
}
