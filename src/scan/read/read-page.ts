import { isUtf8 } from 'node:buffer';
import type { Element, Root, RootContent } from 'hast';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { mediaAssetError } from '../../errors/errors.ts';
import { isBelowAsset } from '../extract/asset-url.ts';
import { decodePage, type PageText } from './page-charset.ts';
import type { PageElement } from './page-element.ts';
import { plainElements } from './plain-elements.ts';

export interface PageReading {
  /** In the page's order; those that name no asset and say nothing about the page may be left out. */
  readonly elements: readonly PageElement[];
  readonly charset: PageText['charset'];
}

/**
 * Reads a page's elements from its tags if these alone decide what a browser makes of them, which
 * takes a twentieth of the time; otherwise from the tree of an HTML parser.
 *
 * @param page its absolute public URL
 * @throws `scan-unreadable`
 */
export async function readPage(bytes: Buffer, page: string): Promise<PageReading> {
  return readTags(bytes, page) ?? (await handOverToParser(bytes, page));
}

function readTags(bytes: Buffer, page: string): PageReading | undefined {
  if (!isUtf8(bytes) || bytes.includes(0) || isBelowAsset(page)) return undefined;
  const elements = plainElements(bytes);
  return elements && { elements, charset: 'utf-8' };
}

/**
 * The only place where a page goes to `rehype-parse`, the judge of what HTML means. It gets every
 * page whose tags alone don't decide:
 *
 * - **Bytes:** the page isn't UTF-8, or has a NUL.
 * - **URL:** the page lies below the path of an asset, so that any relative URL may name one.
 * - **Title:** there is none, or none with words.
 * - **Ends:** an end tag is missing (those of `html` and `body` may be), or isn't that of the last open element.
 *   A tag, a comment or a text element such as `script` doesn't end.
 * - **Place:** an element or a text stands where a parser moves it, drops it or closes another one
 *   for it: a block in `p`, `a` in `a`, a heading in a heading, text in `table`, a second `body`.
 * - **Rare elements:** `base`, `frameset`, `plaintext`, `xmp` and the like, which change what follows.
 * - **SVG and MathML:** HTML elements in them, and attributes that have other names there.
 * - **Text that may be markup:** `srcdoc`, `<!--` in a script, CDATA, `<?`.
 * - **Depth:** more than 250 elements are open.
 *
 * {@link plainElements} has these rules, in `OpenElements` and `tag-rules.ts`.
 */
async function handOverToParser(bytes: Buffer, page: string): Promise<PageReading> {
  // Not before it is needed: loading it takes as long as reading a thousand plain pages.
  const { text, charset } = decodePage(bytes);
  return { elements: pageElements({ html: text, page }), charset };
}

type Place = Omit<PageElement, 'element' | 'shownBy'> & { readonly shownBy: Element | undefined };

const parser = unified().use(rehypeParse).freeze();
const groups = new Set(['picture', 'video', 'audio']);

/**
 * The elements that a browser makes of a page's HTML, in the page's order. The contents of
 * `noscript`, `template` and an iframe's `srcdoc` are elements too: they ship.
 *
 * @throws `scan-unreadable` for nesting that no browser follows either (they stop at 512 elements).
 */
export function pageElements({ html, page }: { html: string; page: string }): PageElement[] {
  const found: PageElement[] = [];
  const rest: { node: RootContent; place: Place }[] = [];
  // Last child first, so that the stack gives them in order.
  const push = ({ children }: Root | Element, place: Place) => {
    for (const node of children.toReversed()) rest.push({ node, place });
  };
  push(parse(html, page), { shownBy: undefined, live: true, inSvg: false });
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { node: element, place } = next;
    if (element.type !== 'element') continue;
    const { tagName, properties } = element;
    const shownBy = place.shownBy ?? (groups.has(tagName) ? element : undefined);
    found.push({ ...place, element, shownBy: shownBy ?? element });
    const below: Place = {
      shownBy,
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
  try {
    return parser.parse(html);
  } catch (cause) {
    const problem = 'its elements are nested too deeply (browsers stop at 512 levels)';
    throw mediaAssetError('scan-unreadable', { file: page, problem }, { cause });
  }
}
