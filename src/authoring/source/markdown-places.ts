import { decodeHTML } from 'entities';
import { mediaAssetError } from '../../errors/errors.ts';
import { addressProps, type FoundPlace, type ImageForm, type Written } from './found-place.ts';
import { blankFrontmatter, positionOf, type Range, type SourceFile } from './source-text.ts';
import { type MdxCode, mdxPlaces } from './tag-places.ts';

/** A node of the Markdown tree, with `offset`s in UTF-16 code units. */
export interface MarkdownNode {
  readonly type: string;
  readonly position: { start: { offset: number }; end: { offset: number } };
  readonly children?: readonly MarkdownNode[];
  readonly url?: string;
  readonly alt?: string | null;
  readonly name?: string | null;
  readonly value?: unknown;
  /** Of a reference and its definition. */
  readonly identifier?: string;
  readonly referenceType?: 'full' | 'collapsed' | 'shortcut';
}

/** The images of a Markdown or MDX file with `media:` addresses, and the components of an MDX file. */
export async function markdownPlaces(file: SourceFile): Promise<FoundPlace[]> {
  const mdx = isMdx(file);
  // An address can be written with an escape or an entity.
  const mayName = mdx ? /media(?::|\\:|&)|MediaAsset/i : /media(?::|\\:|&)/i;
  if (!mayName.test(file.text)) return [];
  const nodes = allNodes((await parseMarkdown(file)) as MarkdownNode);
  const images = nodes.filter(({ type }) => type === 'image');
  const references = nodes.filter(({ type }) => type === 'imageReference');
  const definitions = nodes.filter(({ type }) => type === 'definition');
  const places = [
    ...images.map((node) => placeOfImage(file, node, mdx)),
    ...references.map((node) => {
      const definition = definitions.find(({ identifier }) => identifier === node.identifier);
      return definition && placeOfReference(file, { node, definition, mdx });
    }),
  ];
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
    const message = cause instanceof Error ? cause.message : String(cause);
    const [, line = 1, column = 1, reason = message] = /^(\d+):(\d+): (.*)/s.exec(message) ?? [];
    const found = { file: path, line: Number(line), column: Number(column) };
    throw mediaAssetError('source-unreadable', { ...found, reason }, { cause });
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
  const parts = nodes.filter(({ type }) => /^mdx(?:Jsx)?(?:Flow|Text)/.test(type));
  return {
    modules: modules.map((node) => textOf(rangeOf(node))),
    parts: parts.map((node) => ({ ...rangeOf(node), name: node.name ?? undefined })),
  };
}

export function allNodes(node: MarkdownNode): MarkdownNode[] {
  return [node, ...(node.children ?? []).flatMap(allNodes)];
}

function placeOfImage(file: SourceFile, node: MarkdownNode, mdx: boolean) {
  const { start, text } = writtenIn(file, node);
  const value = String(node.url);
  const address = addressProps(value) && addressIn(text, value);
  if (!address) return undefined;
  const alt = { start: start + '!['.length, end: start + text.lastIndexOf('](', address.start) };
  const range = { start: start + address.start, end: start + address.end };
  return toPlace(file, node, { kind: 'image', alt, mdx, address: { ...range, value } });
}

function placeOfReference(
  file: SourceFile,
  { node, definition, mdx }: { node: MarkdownNode; definition: MarkdownNode; mdx: boolean },
) {
  const { start, text } = writtenIn(file, node);
  const value = String(definition.url);
  const [, ofReference] =
    /^\[[\s\S]*?\]:\s*<?media[:\\&][^\s<>]*>?([\s\S]*)$/i.exec(writtenIn(file, definition).text) ??
    [];
  if (!addressProps(value) || ofReference === undefined) return undefined;
  const length = text.lastIndexOf(node.referenceType === 'shortcut' ? ']' : '][');
  const alt = { start: start + '!['.length, end: start + length };
  const address = { start: alt.end + 1, end: start + text.length, value };
  return toPlace(file, node, { kind: 'image', alt, mdx, address, ofReference });
}

function writtenIn({ text }: SourceFile, { position }: MarkdownNode) {
  const start = position.start.offset;
  return { start, text: text.slice(start, position.end.offset) };
}

function toPlace({ path, text }: SourceFile, node: MarkdownNode, form: ImageForm): FoundPlace {
  const { start, end } = node.position;
  const props = addressProps(form.address.value) as Written['props'];
  return {
    file: path,
    ...positionOf(text, start.offset),
    ...{ kind: 'markdown', start: start.offset, end: end.offset, computed: [], form },
    props: { ...props, alt: String(node.alt ?? '') },
  };
}

/**
 * Where an image has its own address. Images within its alt text have addresses too, before it. A
 * title comes after it.
 */
function addressIn(image: string, url: string): Range | undefined {
  const found = [...image.matchAll(/\]\((?=(\s*<?)(media[:\\&][^\s<>]*[^\s<>)]))/gi)];
  // The parser resolves entities, escapes and percent encoding.
  const own = found.findLast(([, , written = '']) => decodeAddress(written) === decodeAddress(url));
  if (!own) return undefined;
  const [opening, space = '', written = ''] = own;
  const start = own.index + opening.length + space.length;
  return { start, end: start + written.length };
}

/** With entities, escapes and percent encoding resolved. */
export function decodeAddress(address: string): string {
  const text = decodeHTML(address).replace(/\\([!-/:-@[-`{-~])/g, '$1');
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}
