import { mediaAssetError } from '../../errors/errors.ts';
import { addressProps, type FoundPlace } from './found-place.ts';
import { blankFrontmatter, positionOf, type Range, type SourceFile } from './source-text.ts';
import { type MdxCode, mdxPlaces } from './tag-places.ts';

/** A node of the Markdown tree, with `offset`s in UTF-16 code units. */
interface MarkdownNode {
  readonly type: string;
  readonly position: { start: { offset: number }; end: { offset: number } };
  readonly children?: readonly MarkdownNode[];
  readonly url?: string;
  readonly alt?: string | null;
  readonly name?: string | null;
}

/** The images of a Markdown or MDX file with `media:` addresses, and the components of an MDX file. */
export async function markdownPlaces(file: SourceFile): Promise<FoundPlace[]> {
  const mdx = isMdx(file);
  const mayName = mdx ? /media:|MediaAsset/i : /media:/i;
  if (!mayName.test(file.text)) return [];
  const nodes = allNodes((await parseMarkdown(file)) as MarkdownNode);
  const images = nodes.filter(({ type }) => type === 'image');
  const places = images.map((node) => placeOfImage(file, node, mdx));
  const tags = mdx ? await mdxPlaces(file, codeOf(file, nodes)) : [];
  return [...places.filter((place) => place !== undefined), ...tags];
}

/** The tree of a Markdown file, without its frontmatter. */
export async function parseMarkdown({ path, text }: SourceFile): Promise<object> {
  // Astro 7's parser of Markdown.
  const { markdownToMdast, mdxToMdast } = await import('satteri');
  try {
    const parse = isMdx({ path }) ? mdxToMdast : markdownToMdast;
    return parse(blankFrontmatter(text));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw mediaAssetError('source-unreadable', { file: path, reason }, { cause });
  }
}

function isMdx({ path }: Pick<SourceFile, 'path'>): boolean {
  return /\.mdx$/i.test(path);
}

function codeOf({ text }: SourceFile, nodes: readonly MarkdownNode[]): MdxCode {
  const rangeOf = ({ position }: MarkdownNode) => {
    return { start: position.start.offset, end: position.end.offset };
  };
  const textOf = ({ start, end }: Range) => text.slice(start, end);
  const modules = nodes.filter(({ type }) => type === 'mdxjsEsm');
  const elements = nodes.filter(({ type }) => /^mdxJsx(?:Flow|Text)Element$/.test(type));
  return {
    modules: modules.map((node) => textOf(rangeOf(node))),
    elements: elements.map((node) => ({ ...rangeOf(node), name: String(node.name) })),
  };
}

function allNodes(node: MarkdownNode): MarkdownNode[] {
  return [node, ...(node.children ?? []).flatMap(allNodes)];
}

function placeOfImage({ path, text: file }: SourceFile, node: MarkdownNode, mdx: boolean) {
  const start = node.position.start.offset;
  const end = node.position.end.offset;
  const props = addressProps(node.url);
  const text = file.slice(start, end);
  const address = props && addressIn(text, String(node.url));
  if (!address) return undefined;
  const alt = { start: start + '!['.length, end: start + text.lastIndexOf('](', address.start) };
  const range = { start: start + address.start, end: start + address.end };
  const place: FoundPlace = {
    file: path,
    ...positionOf(file, start),
    ...{ kind: 'markdown', start, end, computed: [] },
    props: { ...props, alt: String(node.alt ?? '') },
    form: { kind: 'image', alt, mdx, address: { ...range, value: String(node.url) } },
  };
  return place;
}

/**
 * Where an image has its own address. Images within its alt text have addresses too, before it. A
 * title comes after it.
 */
function addressIn(image: string, url: string): Range | undefined {
  const found = [...image.matchAll(/\]\(\s*<?(media:[^\s<>]*[^\s<>)])/gi)];
  // The parser resolves entities and percent encoding.
  const own = found.findLast(([, written = '']) => decode(written) === decode(url));
  const written = own?.[1];
  if (!own || written === undefined) return undefined;
  const start = own.index + own[0].length - written.length;
  return { start, end: start + written.length };
}

function decode(address: string): string {
  const text = address.replaceAll('&amp;', '&');
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}
