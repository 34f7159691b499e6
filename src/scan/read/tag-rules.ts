import { lower } from './page-bytes.ts';

/** How a parser treats elements of a name, as bits of {@link tagFlags}. */
export const VOID = 1 << 0;
/** Ends an open `p`. */
export const BLOCK = 1 << 1;
export const HEADING = 1 << 2;
/** Contains only text. */
export const RAW = 1 << 3;
/** Allowed in the head. */
export const HEAD = 1 << 4;
/** Changes the tree around it, or is too rare to support. */
export const UNUSUAL = 1 << 5;
/** Ends an open element of the same name. */
export const ALONE = 1 << 6;
/** Its content isn't part of the page at first. */
export const INERT = 1 << 8;
/** A parser moves or drops text in it, except white space. */
export const BLANK = 1 << 9;
/** Has rules for its children or its parent. See {@link mayStandIn}. */
export const PLACED = 1 << 10;
/** Opens SVG or MathML. */
export const FOREIGN = 1 << 11;
/** Ends SVG and MathML, or has another meaning there. */
export const NOT_FOREIGN = 1 << 12;
/** In SVG or MathML, contains text and HTML elements. */
export const FOREIGN_TEXT = 1 << 13;
/** The scan reads more than its common attributes. */
export const READ = 1 << 14;
/** A site's pages often share it. */
export const REPEATED = 1 << 15;

const flagsByName: readonly (readonly [flags: number, names: string])[] = [
  [VOID, 'area br embed img keygen wbr input param source track hr'],
  [VOID | HEAD, 'meta link basefont bgsound base col'],
  [
    BLOCK,
    'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form header hgroup hr li dd dt listing main menu nav ol p pre search section summary table ul',
  ],
  [BLOCK | HEADING, 'h1 h2 h3 h4 h5 h6'],
  [RAW, 'iframe textarea'],
  [RAW | HEAD, 'script style title'],
  [HEAD, 'noscript template'],
  // `base` changes the meaning of all URLs, the others that of all tags after them.
  [UNUSUAL, 'base image frame frameset noembed noframes plaintext rb rtc xmp'],
  [ALONE, 'a button form nobr p'],
  [0, 'audio picture video'],
  [INERT, 'noscript template'],
  [BLANK, 'colgroup head table tbody tfoot thead tr'],
  [PLACED, 'caption col colgroup tbody td tfoot th thead tr dd dt li rp rt'],
  [PLACED, 'head optgroup option select table'],
  [FOREIGN, 'math svg'],
  [
    NOT_FOREIGN,
    'b big blockquote body br center code dd div dl dt em embed font h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
  ],
  [
    NOT_FOREIGN,
    'annotation-xml astro-island audio base desc foreignobject html iframe link math noscript picture script style template textarea video',
  ],
  [FOREIGN_TEXT, 'mi mn mo ms mtext title'],
  [READ, 'astro-island link meta script style title'],
  [REPEATED, 'aside footer header nav'],
  [INERT | BLANK | PLACED, '#noscript-in-head'],
  [0, 'body html'],
];

/** The allowed children of some elements, and the allowed parents of others. */
const children: Readonly<Record<string, string>> = {
  table: 'caption colgroup tbody tfoot thead tr script style',
  tbody: 'tr script style',
  tfoot: 'tr script style',
  thead: 'tr script style',
  tr: 'td th script style',
  colgroup: 'col',
  head: 'base basefont bgsound link meta noscript script style template title',
  select: 'optgroup option',
  optgroup: 'option',
  option: '',
  '#noscript-in-head': 'basefont bgsound link meta style',
};
const parents: Readonly<Record<string, string>> = {
  caption: 'table',
  colgroup: 'table',
  tbody: 'table',
  tfoot: 'table',
  thead: 'table',
  tr: 'table tbody tfoot thead',
  td: 'tr',
  th: 'tr',
  col: 'colgroup',
  li: 'menu ol ul',
  dd: 'dl',
  dt: 'dl',
  rp: 'ruby',
  rt: 'ruby',
  optgroup: 'select',
  option: 'datalist optgroup select',
};

const longest = 16;
/** Slots of the hash table, several per name. */
const slots = 2048;

/** The known names. A tag's number is its index here. Number 0 is any other name. */
export const tagNames: readonly string[] = [
  '',
  ...new Set([...flagsByName.map(([, names]) => names), 'datalist ruby'].flatMap(words)),
];
export const tagFlags = new Int32Array(tagNames.length);
const lengths = Uint8Array.from(tagNames, (name) => name.length);
const letters = new Uint8Array(tagNames.length * longest);
const slotted = new Uint8Array(slots);
const allowed = new Map<number, ReadonlySet<number>>();
const holders = new Map<number, ReadonlySet<number>>();

for (const [flags, names] of flagsByName) {
  for (const name of words(names)) tagFlags[tagNumberOf(name)] = flagsOf(name) | flags;
}
for (const [name, names] of Object.entries(children)) allowed.set(...numbered(name, names));
for (const [name, names] of Object.entries(parents)) holders.set(...numbered(name, names));
for (const [number, name] of tagNames.entries()) {
  if (number === 0) continue;
  const bytes = Buffer.from(name);
  letters.set(bytes, number * longest);
  let slot = slotOf(bytes, 0, bytes.length);
  while (slotted[slot] !== 0) slot = (slot + 1) % slots;
  slotted[slot] = number;
}

export function tagNumberOf(name: string): number {
  return tagNames.indexOf(name);
}

/** The number of the name in `bytes`, in any case. 0 for a name without a rule. */
export function tagNumber(bytes: Uint8Array, from: number, to: number): number {
  const length = to - from;
  if (length > longest) return 0;
  let slot = slotOf(bytes, from, to);
  for (;;) {
    const number = slotted[slot] as number;
    if (number === 0 || (lengths[number] === length && isNamed(number, bytes, from, length))) {
      return number;
    }
    slot = (slot + 1) % slots;
  }
}

/** Whether an element is allowed in another one, if at least one of them is `PLACED`. */
export function mayStandIn(number: number, parent: number): boolean {
  return (allowed.get(parent)?.has(number) ?? true) && (holders.get(number)?.has(parent) ?? true);
}

function slotOf(bytes: Uint8Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at += 1) sum = (sum * 33 + ((bytes[at] as number) | 32)) % 65_536;
  return sum % slots;
}

function isNamed(number: number, bytes: Uint8Array, from: number, length: number): boolean {
  const first = number * longest;
  for (let index = 0; index < length; index += 1) {
    if (letters[first + index] !== lower(bytes[from + index] as number)) return false;
  }
  return true;
}

function flagsOf(name: string): number {
  return tagFlags[tagNumberOf(name)] as number;
}

function numbered(name: string, names: string): [number, Set<number>] {
  return [tagNumberOf(name), new Set(words(names).map(tagNumberOf))];
}

function words(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}
