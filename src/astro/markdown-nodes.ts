import type { Element, ElementContent, Properties } from 'hast';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { isMediaAddress } from '../images/media-address.ts';
import type { FoundImage, RenderImage } from './markdown-images.ts';
import type { MarkdownText } from './markdown-place.ts';
import { toHast, toHtml } from './picture-element.ts';

/** HTML in Markdown that the processor passes on as it is written. */
export interface RawNode {
  readonly type: 'raw';
  readonly value: string;
  readonly position?: Position | undefined;
}

/** An element of JSX in MDX. */
export interface JsxNode {
  readonly type: 'mdxJsxFlowElement' | 'mdxJsxTextElement';
  readonly name?: string | null | undefined;
  readonly attributes: readonly {
    readonly type: string;
    readonly name?: string;
    readonly value?: unknown;
  }[];
  readonly position?: Position | undefined;
}

interface Position {
  readonly start: { readonly line: number };
}

/** The node that takes the place of one with addresses of ours; `undefined` for any other node. */
export type ReplaceNode = (
  node: Readonly<Element> | RawNode | JsxNode,
  text: MarkdownText,
) => Promise<Element | { type: 'raw'; value: string } | undefined>;

/** Finds images in what processors of Markdown make of a text, and replaces them. */
export function replaceImages(render: RenderImage): ReplaceNode {
  return async (node, text) => {
    if (node.type === 'raw') return replaceInHtml(node, text);
    const image = node.type === 'element' ? imageIn(node) : jsxImageIn(node);
    return image && toHast(await render(image, text));
  };

  /** Each image is one tag, so that the rest stays as it is written, whole or not. */
  async function replaceInHtml({ value, position }: RawNode, text: MarkdownText) {
    if (!/<img\s[\s\S]*media:/i.test(value)) return undefined;
    const html: string[] = [];
    let end = 0;
    for (const image of imagesIn(value)) {
      const { start, end: last } = image.position ?? {};
      const found = foundIn(image, start && position && position.start.line + start.line - 1);
      if (!found || start?.offset === undefined || last?.offset === undefined) continue;
      const alt = 'alt' in image.properties ? String(image.properties.alt ?? '') : undefined;
      html.push(value.slice(end, start.offset), toHtml(await render({ ...found, alt }, text)));
      end = last.offset;
    }
    return end === 0
      ? undefined
      : { type: 'raw' as const, value: html.join('') + value.slice(end) };
  }
}

/** The addresses of Markdown with every `%` in a form that processors decode. */
export function encodePercent(url: string): string {
  try {
    decodeURI(url);
    return url;
  } catch {
    return url.replaceAll('%', '%25');
  }
}

/** An empty `alt` of Markdown is one that nobody has written. */
function imageIn(node: Readonly<Element>): FoundImage | undefined {
  const found = foundIn(node, node.position?.start.line);
  return found && { ...found, alt: String(node.properties.alt ?? '') || undefined };
}

function foundIn(
  { tagName, properties }: Readonly<Element>,
  line: number | undefined,
): Omit<FoundImage, 'alt'> | undefined {
  const { src, alt, srcSet, ...others } = properties;
  if (tagName !== 'img' || !isMediaAddress(src)) return undefined;
  return { address: src, attributes: toAttributes(others), line };
}

function jsxImageIn({ name, attributes, position }: JsxNode): FoundImage | undefined {
  if (name !== 'img') return undefined;
  const given = new Map(attributes.map((one) => [one.name ?? '{…}', one.value ?? '']));
  const address = given.get('src');
  if (!isMediaAddress(address)) return undefined;
  const texts = [...given].filter((entry): entry is [string, string] => isText(entry[1]));
  const { src, alt, srcset, srcSet, className, ...others } = Object.fromEntries(texts);
  return {
    address,
    alt,
    attributes: className === undefined ? others : { class: className, ...others },
    computed: [...given].filter(([, value]) => !isText(value)).map(([key]) => key),
    line: position?.start.line,
  };
}

function imagesIn(html: string): Element[] {
  const images: Element[] = [];
  const pending: ElementContent[] = [];
  const root = unified().use(rehypeParse, { fragment: true }).parse(html);
  pending.push(...(root.children as ElementContent[]).toReversed());
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type !== 'element') continue;
    if (node.tagName === 'img') images.push(node);
    const inner = node.content ? node.content.children : node.children;
    pending.push(...(inner as ElementContent[]).toReversed());
  }
  return images;
}

/** Attributes of HTML: `class`, `data-name`, `aria-label`. */
function toAttributes(properties: Properties): Record<string, string> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, value]) => {
      if (value === null || value === undefined || value === false) return [];
      const attribute = /^(?:data|aria)[A-Z]/.test(name)
        ? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
        : name === 'className'
          ? 'class'
          : name.toLowerCase();
      return [
        [attribute, value === true ? '' : Array.isArray(value) ? value.join(' ') : `${value}`],
      ];
    }),
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
