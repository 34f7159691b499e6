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
 * those below an asset's path, where any relative URL can name an asset. `elements` reads it once, and
 * isn't a getter: V8 keeps each object with a getter of its own until the next full garbage collection.
 */
export function readPage(bytes: Buffer, page: string) {
  const { text, isUtf8 } = decodePage(bytes);
  let elements: readonly PageElement[] | undefined;
  return {
    text,
    isUtf8,
    elements() {
      const isPlain = !text.includes('\0') && !isBelowAsset(page);
      elements ??= (isPlain ? readTags(text) : undefined) ?? pageElements({ html: text, page });
      return elements;
    },
  };
}

type Around = Omit<PageElement, 'element' | 'at'>;

const require = createRequire(import.meta.url);

let parser: { parse(html: string): Root } | undefined;

/**
 * The elements of a page, in page order, including those in `noscript`, `template` and an iframe's
 * `srcdoc`. A `select` is read as an `applet`, in which this parser keeps what browsers keep in both.
 *
 * @throws `scan-unreadable` for nesting that's too deep for browsers too (they stop at 512)
 */
export function pageElements({ html, page }: { html: string; page: string }): PageElement[] {
  const found: PageElement[] = [];
  const rest: { node: RootContent; place: Around }[] = [];
  /** Where names of `select` begin, in start tags and end tags. */
  const selects = new Set<number>();
  // Reversed, because the stack returns the last one first.
  const push = ({ children }: Root | Element, place: Around) => {
    for (const node of children.toReversed()) rest.push({ node, place });
  };
  push(parse(html, page), { live: true, inSvg: false });
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { node: element, place } = next;
    if (element.type !== 'element') continue;
    const { tagName, properties } = element;
    const { opening, closing } = element.data?.position ?? {};
    const [start, end] = [opening?.start.offset, opening?.end.offset];
    const at = start !== undefined && end !== undefined ? ([start, end] as const) : undefined;
    found.push({ ...place, element, at });
    if (tagName === 'select') {
      selects.add((start ?? 0) + '<'.length);
      selects.add((closing?.start.offset ?? 0) + '</'.length);
    }
    const below: Around = {
      live: place.live && tagName !== 'noscript',
      inSvg: place.inSvg || tagName === 'svg',
    };
    push(element, below);
    if (element.content) push(element.content, { ...below, live: false });
    if (typeof properties.srcDoc === 'string') {
      const inside = pageElements({ html: properties.srcDoc, page });
      for (const one of inside) found.push({ ...one, live: false, at: undefined });
    }
  }
  const rename = (name: string, at: number) => (selects.has(at) ? 'applet' : name);
  const renamed = html.replace(/(?<=<\/?)select/gi, rename);
  return renamed === html ? found : pageElements({ html: renamed, page });
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
  return unified().use(rehypeParse, { verbose: true }).freeze();
}

/** Begins each change of alphabet in ISO-2022-JP. UTF-8 pages have none. */
const escapeByte = 0x1b;

/** Decodes UTF-8, or UTF-16 by its byte order mark. `isUtf8`: whether it's certainly UTF-8. */
export function decodePage(bytes: Uint8Array): { text: string; isUtf8: boolean } {
  const [first, second] = bytes;
  const isLittle = first === 0xff && second === 0xfe;
  if (isLittle || (first === 0xfe && second === 0xff)) {
    const decoder = new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be');
    return { text: decoder.decode(bytes), isUtf8: false };
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // ISO-2022-JP is valid UTF-8 too, and its letters can look like tags.
    return { text, isUtf8: !bytes.includes(escapeByte) };
  } catch {
    return { text: new TextDecoder().decode(bytes), isUtf8: false };
  }
}
