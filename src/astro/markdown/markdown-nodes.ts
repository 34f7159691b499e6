import type { Element } from 'hast';
import { isMediaAddress } from '../../assets/request/media-address.ts';
import { type Attributes, toAttributes, toHtml, toProperties, toTag } from './image-element.ts';
import type { FoundImage, MarkdownRenderer, MarkdownText } from './markdown-renderer.ts';

/** HTML in Markdown that the processor passes on unchanged. */
export interface RawNode {
  readonly type: 'raw';
  readonly value: string;
  readonly position?: Position | undefined;
}

interface Position {
  readonly start: { readonly line: number };
}

type ProcessedNode = Readonly<Element> | RawNode;
type Changed = Promise<Element | { type: 'raw'; value: string } | undefined>;

/**
 * What replaces a node with `media:` addresses. Any other node is `undefined`, mostly at once: a text
 * stays in memory while its processor waits.
 */
export type ChangeNode = (node: ProcessedNode, text: () => MarkdownText) => Changed | undefined;

export function changeNodes(renderer: MarkdownRenderer): ChangeNode {
  return (node, text) => (mayChange(node) ? change(node, text()) : undefined);

  async function change(node: ProcessedNode, text: MarkdownText): Changed {
    if (node.type === 'raw') {
      const value = await replaceInHtml(node, { renderer, text });
      return value === undefined ? undefined : { type: 'raw', value };
    }
    if (node.tagName === 'a') return changeLink(node, text);
    const image = imageIn(node);
    return image && renderer.image(image, text);
  }

  async function changeLink(
    node: Readonly<Element>,
    text: MarkdownText,
  ): Promise<Element | undefined> {
    const address = node.properties.href;
    if (!isMediaAddress(address)) return undefined;
    const written = textOf(node);
    // `<media:4711>` has no text but its address.
    const says = isMediaAddress(written) ? '' : written;
    const line = node.position?.start.line;
    const file = await renderer.link({ address, text: says, line }, text);
    const { href: _, ...others } = node.properties;
    const properties = { ...others, ...toProperties(file.attributes) };
    const hasContent = says !== '' || node.children.some(({ type }) => type === 'element');
    const children = hasContent ? node.children : [{ type: 'text' as const, value: file.text }];
    return { type: 'element', tagName: 'a', properties, children };
  }
}

function mayChange(node: ProcessedNode): boolean {
  if (node.type === 'raw') return /media:/i.test(node.value) && /<(?:img|a)\s/i.test(node.value);
  return [node.properties.href, node.properties.src].some(isMediaAddress);
}

/** Markdown can't tell an empty `alt` from a missing one. */
function imageIn({ tagName, properties, position }: Readonly<Element>): FoundImage | undefined {
  const { src, alt, srcSet, ...others } = properties;
  if (tagName !== 'img' || !isMediaAddress(src)) return undefined;
  return {
    address: src,
    alt: String(alt ?? '') || undefined,
    attributes: toAttributes(others),
    line: position?.start.line,
  };
}

function textOf(node: Readonly<Element>): string {
  const texts = node.children.map((child) =>
    child.type === 'text' ? child.value : child.type === 'element' ? textOf(child) : '',
  );
  return texts.join('').trim();
}

/** Replaces tags with `media:` addresses. Other HTML stays as it is. `undefined` without any. */
async function replaceInHtml(
  { value, position }: RawNode,
  { renderer, text }: { renderer: MarkdownRenderer; text: MarkdownText },
): Promise<string | undefined> {
  const html: string[] = [];
  let last = 0;
  for (const { name, attributes, start, end } of await tagsIn(value)) {
    const lineOf = () =>
      position && position.start.line + value.slice(0, start).split('\n').length - 1;
    const { src, href, alt, srcset, ...others } = attributes;
    let tag: string;
    if (name === 'img' && isMediaAddress(src)) {
      tag = toHtml(
        await renderer.image({ address: src, alt, attributes: others, line: lineOf() }, text),
      );
    } else if (name === 'a' && isMediaAddress(href)) {
      const file = await renderer.link({ address: href, text: '', line: lineOf() }, text);
      tag = toTag('a', { ...others, ...file.attributes });
    } else {
      continue;
    }
    html.push(value.slice(last, start), tag);
    last = end;
  }
  return last === 0 ? undefined : html.join('') + value.slice(last);
}

async function tagsIn(html: string) {
  const { Parser } = await import('htmlparser2');
  /** `start` and `end` are in characters. */
  const tags: { name: string; attributes: Attributes; start: number; end: number }[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      tags.push({ name, attributes, start: parser.startIndex, end: parser.endIndex + 1 });
    },
  });
  parser.end(html);
  return tags;
}
