import { createRequire } from 'node:module';
import type { Element, Root, RootContent } from 'hast';
import { mediaAssetError } from '../../errors/errors.ts';
import { isBelowAsset } from '../extract/asset-url.ts';
import type { PageElement } from './page-element.ts';
import { readTags } from './read-tags.ts';

/**
 * Reads a page's elements, in page order, from its tags if they alone decide what a parser finds. Those
 * that the scan doesn't need can be missing. All other pages go to `rehype-parse`, which decides what
 * HTML means but takes about ten times as long: those that `readTags` hands over, those with NUL, and
 * those below an asset's path, where any relative URL can name an asset.
 */
export function readPage(bytes: Buffer, page: string) {
  const { text, charset } = decodePage(bytes);
  const isPlain = !text.includes('\0') && !isBelowAsset(page);
  const elements = isPlain ? readTags(text) : undefined;
  return { elements: elements ?? pageElements({ html: text, page }), charset };
}

type Place = Omit<PageElement, 'element'>;

const require = createRequire(import.meta.url);

let parser: { parse(html: string): Root } | undefined;

/**
 * The elements of a page, in page order, including those in `noscript`, `template` and an iframe's
 * `srcdoc`.
 *
 * @throws `scan-unreadable` for nesting that's too deep for browsers too (they stop at 512)
 */
export function pageElements({ html, page }: { html: string; page: string }): PageElement[] {
  const found: PageElement[] = [];
  const rest: { node: RootContent; place: Place }[] = [];
  // Reversed, because the stack returns the last one first.
  const push = ({ children }: Root | Element, place: Place) => {
    for (const node of children.toReversed()) rest.push({ node, place });
  };
  push(parse(html, page), { live: true, inSvg: false });
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { node: element, place } = next;
    if (element.type !== 'element') continue;
    const { tagName, properties } = element;
    found.push({ ...place, element });
    const below: Place = {
      live: place.live && tagName !== 'noscript',
      inSvg: place.inSvg || tagName === 'svg',
    };
    push(element, below);
    const inert = { ...below, live: false };
    if (element.content) push(element.content, inert);
    if (typeof properties.srcDoc === 'string') {
      push(parse(properties.srcDoc, page), { ...inert, inSvg: false });
    }
  }
  return found;
}

function parse(html: string, page: string): Root {
  parser ??= loadParser();
  try {
    return parser.parse(html);
  } catch (cause) {
    const problem = 'its elements are nested too deeply (browsers stop at 512 levels)';
    throw mediaAssetError('scan-unreadable', { file: page, problem }, { cause });
  }
}

/** Loaded for the first page that needs it: on most sites, there's none. */
function loadParser(): { parse(html: string): Root } {
  const { unified }: typeof import('unified') = require('unified');
  const { default: rehypeParse }: typeof import('rehype-parse') = require('rehype-parse');
  return unified().use(rehypeParse).freeze();
}

export interface PageText {
  readonly text: string;
  /** UTF-16 is known by its byte order mark. `unknown` isn't valid UTF-8. */
  readonly charset: 'utf-8' | 'utf-16le' | 'utf-16be' | 'unknown';
}

/** Begins each change of alphabet in ISO-2022-JP. UTF-8 pages have none. */
const escapeByte = 0x1b;

/** Decodes a page without its byte order mark. Invalid UTF-8 becomes U+FFFD. */
export function decodePage(bytes: Uint8Array): PageText {
  const [first, second] = bytes;
  const isLittle = first === 0xff && second === 0xfe;
  if (isLittle || (first === 0xfe && second === 0xff)) {
    const charset = isLittle ? 'utf-16le' : 'utf-16be';
    return { text: new TextDecoder(charset).decode(bytes), charset };
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // ISO-2022-JP is valid UTF-8 too, and its letters can look like tags.
    return { text, charset: bytes.includes(escapeByte) ? 'unknown' : 'utf-8' };
  } catch {
    return { text: new TextDecoder().decode(bytes), charset: 'unknown' };
  }
}
