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
  /** In page order. Elements that the scan doesn't need can be missing. */
  readonly elements: readonly PageElement[];
  readonly charset: PageText['charset'];
}

/**
 * Reads a page's elements from its tags if they alone decide the page's tree. All other pages go to an
 * HTML parser, which takes 20 times as long.
 *
 * @param page the page's absolute public URL
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
 * The only place where a page goes to `rehype-parse`, which decides what HTML means. It gets every
 * page whose tags alone don't decide:
 *
 * - **Bytes:** the page isn't UTF-8, or has a NUL.
 * - **URL:** the page is below an asset's path, so that any relative URL can name one.
 * - **Title:** it's missing or empty.
 * - **Ends:** an end tag is missing (except for `html` and `body`), or doesn't match the last open
 *   element. A tag, comment or text element such as `script` doesn't end.
 * - **Place:** a parser would move or drop an element or text, or close another element: a block in
 *   `p`, `a` in `a`, a heading in a heading, text in `table`, a second `body`.
 * - **Rare elements:** `base`, `frameset`, `plaintext`, `xmp` and others that change what follows.
 * - **SVG and MathML:** HTML elements in them, and attributes with other names there.
 * - **Text that can be markup:** `srcdoc`, `<!--` in a script, CDATA, `<?`.
 * - **Attributes:** one that isn't read names an asset, and its name may occur twice.
 * - **Depth:** more than 250 elements are open.
 *
 * {@link plainElements}, `OpenElements` and `tag-rules.ts` implement these rules.
 */
async function handOverToParser(bytes: Buffer, page: string): Promise<PageReading> {
  // Loaded on demand: loading takes as long as reading a thousand plain pages.
  const { text, charset } = decodePage(bytes);
  return { elements: pageElements({ html: text, page }), charset };
}

type Place = Omit<PageElement, 'element'>;

const parser = unified().use(rehypeParse).freeze();

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
  try {
    return parser.parse(html);
  } catch (cause) {
    const problem = 'its elements are nested too deeply (browsers stop at 512 levels)';
    throw mediaAssetError('scan-unreadable', { file: page, problem }, { cause });
  }
}
