import type { Element, ElementContent } from 'hast';
import { isMediaAddress } from '../images/media-address.ts';
import type { RawNode } from './markdown-nodes.ts';
import type { MarkdownText } from './markdown-place.ts';
import type { MarkdownRenderer } from './markdown-renderer.ts';
import { toAttributes, toHtml, toTag } from './picture-element.ts';

/** A tag in a text of HTML. */
interface Tag {
  readonly node: Element;
  /** In characters. */
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

/**
 * Replaces the tags of images and links with addresses of ours; the rest stays as it is written,
 * whole or not. `undefined` where there are none.
 */
export async function replaceInHtml(
  { value, position }: RawNode,
  { renderer, text }: { renderer: MarkdownRenderer; text: MarkdownText },
): Promise<string | undefined> {
  if (!/<(?:img|a)\s[\s\S]*media:/i.test(value)) return undefined;
  const html: string[] = [];
  let last = 0;
  for (const { node, start, end, line } of await tagsIn(value)) {
    const place = position && position.start.line + line - 1;
    const { src, href, alt, srcSet, ...others } = node.properties;
    const attributes = toAttributes(others);
    let tag: string;
    if (node.tagName === 'img' && isMediaAddress(src)) {
      const written = 'alt' in node.properties ? String(alt ?? '') : undefined;
      const image = { address: src, alt: written, attributes, line: place };
      tag = toHtml(await renderer.image(image, text));
    } else if (node.tagName === 'a' && isMediaAddress(href)) {
      const file = await renderer.link({ address: href, text: '', line: place }, text);
      tag = toTag('a', { ...attributes, ...file.attributes });
    } else {
      continue;
    }
    html.push(value.slice(last, start), tag);
    last = end;
  }
  return last === 0 ? undefined : html.join('') + value.slice(last);
}

async function tagsIn(html: string): Promise<Tag[]> {
  const { unified } = await import('unified');
  const { default: rehypeParse } = await import('rehype-parse');
  const tags: Tag[] = [];
  const root = unified().use(rehypeParse, { fragment: true, verbose: true }).parse(html);
  const pending = (root.children as ElementContent[]).toReversed();
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type !== 'element') continue;
    const { start, end } = node.data?.position?.opening ?? node.position ?? {};
    if (start?.offset !== undefined && end?.offset !== undefined) {
      tags.push({ node, start: start.offset, end: end.offset, line: start.line });
    }
    const inner = node.content ? node.content.children : node.children;
    pending.push(...(inner as ElementContent[]).toReversed());
  }
  return tags.sort((one, other) => one.start - other.start);
}
