import type { Element, Root, RootContent } from 'hast';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { mediaAssetError } from '../../errors/errors.ts';
import type { PageElement } from './page-element.ts';

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
