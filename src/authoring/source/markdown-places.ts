import { decodeHTML } from 'entities';
import { ignoreOurs, mediaAssetError } from '../../errors/errors.ts';
import { addressProps, type FoundPlace, type ImagePlace, type Written } from './found-place.ts';
import { blankFrontmatter, isMdx, placeAt, type Range, type SourceFile } from './source-text.ts';
import {
  componentNames,
  localName,
  type Node,
  parseAstro,
  statementsOf,
  tagPlaces,
} from './tag-places.ts';

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
export async function markdownPlaces(source: SourceFile): Promise<FoundPlace[]> {
  const mdx = isMdx(source.file);
  // An address can be written with an escape or an entity.
  const mayName = mdx ? /media(?::|\\:|&)|MediaAsset/i : /media(?::|\\:|&)/i;
  if (!mayName.test(source.text)) return [];
  const nodes = allNodes(await parseMarkdown(source));
  const images = nodes.filter(({ type }) => type === 'image');
  const references = nodes.filter(({ type }) => type === 'imageReference');
  const definitions = nodes.filter(({ type }) => type === 'definition');
  const places = [
    ...images.map((node) => placeOfImage(source, node)),
    ...references.map((node) => {
      const definition = definitions.find(({ identifier }) => identifier === node.identifier);
      return definition && placeOfReference(source, { node, definition });
    }),
  ];
  const tags = mdx ? await mdxPlaces(source, nodes) : [];
  return [...places.filter((place) => place !== undefined), ...tags];
}

/** The tree of a Markdown file, without its frontmatter. */
export async function parseMarkdown({ file, text }: SourceFile): Promise<MarkdownNode> {
  // Astro 7's parser of Markdown.
  const { markdownToMdast, mdxToMdast } = await import('satteri');
  try {
    const parse = isMdx(file) ? mdxToMdast : markdownToMdast;
    return parse(blankFrontmatter(text)) as MarkdownNode;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const [, line = 1, column = 1, reason = message] = /^(\d+):(\d+): (.*)/s.exec(message) ?? [];
    const found = { file, line: Number(line), column: Number(column) };
    throw mediaAssetError('source-unreadable', { ...found, reason }, { cause });
  }
}

/**
 * The `<MediaAsset>` tags of an MDX file with literal IDs. Astro's compiler reads them: in MDX, a tag is
 * written as in an `.astro` file. A tag in a quote, with a `>` in each line, isn't found.
 */
async function mdxPlaces(
  source: SourceFile,
  nodes: readonly MarkdownNode[],
): Promise<FoundPlace[]> {
  const { file } = source;
  const modules = nodes.filter(({ type }) => type === 'mdxjsEsm');
  const code = modules.map((node) => writtenIn(source, node).text).join('\n');
  const statements = statementsOf(await parseAstro({ file, text: `---\n${code}\n---\n` }));
  const isImported = componentNames(statements);
  const specifiers = statements.flatMap((one) => (one.specifiers ?? []) as readonly Node[]);
  const declared = new Set(specifiers.map(localName));
  // A page can pass the component to `<Content components={{ MediaAsset }} />`.
  const isComponent = (tag: string) =>
    isImported(tag) || (tag === 'MediaAsset' && !declared.has(tag));
  const found: FoundPlace[] = [];
  for (const node of nodes.filter(({ type }) => /^mdx(?:Jsx)?(?:Flow|Text)/.test(type))) {
    // Expressions in braces have none.
    const name = node.name ?? undefined;
    if (name !== undefined && !isComponent(name)) continue;
    const { start, text } = writtenIn(source, node);
    // With spaces before it, all offsets stay.
    const tree = await parseAstro({ file, text: ' '.repeat(start) + text }).catch(ignoreOurs);
    const places = tree ? tagPlaces(source, tree, isComponent) : [];
    found.push(...places.filter((place) => name === undefined || place.start === start));
  }
  return found;
}

export function allNodes(node: MarkdownNode): MarkdownNode[] {
  return [node, ...(node.children ?? []).flatMap(allNodes)];
}

function placeOfImage(source: SourceFile, node: MarkdownNode): ImagePlace | undefined {
  const { start, text } = writtenIn(source, node);
  const value = String(node.url);
  const props = addressProps(value);
  const url = props && urlIn(text, value);
  if (!url) return undefined;
  const alt = { start: start + '!['.length, end: start + text.lastIndexOf('](', url.start) };
  const bracket = text[url.start] === '<' ? 1 : 0;
  const address = { start: start + url.start + bracket, end: start + url.end - bracket, value };
  return { ...commonOf(source, node, props), alt, address };
}

function placeOfReference(
  source: SourceFile,
  { node, definition }: { node: MarkdownNode; definition: MarkdownNode },
): ImagePlace | undefined {
  const { start, text } = writtenIn(source, node);
  const { text: defined } = writtenIn(source, definition);
  const value = String(definition.url);
  const props = addressProps(value);
  const url = props && urlIn(defined, value);
  if (!url) return undefined;
  const length = text.lastIndexOf(node.referenceType === 'shortcut' ? ']' : '][');
  const alt = { start: start + '!['.length, end: start + length };
  const address = { start: alt.end + 1, end: start + text.length, value };
  return { ...commonOf(source, node, props), alt, address, ofReference: defined.slice(url.end) };
}

function writtenIn({ text }: SourceFile, { position }: MarkdownNode) {
  const start = position.start.offset;
  return { start, text: text.slice(start, position.end.offset) };
}

function commonOf(source: SourceFile, node: MarkdownNode, props: Written['props']) {
  const [start, end] = [node.position.start.offset, node.position.end.offset];
  const place = { ...placeAt(source, start), kind: 'markdown', start, end, computed: [] } as const;
  return { ...place, props: { ...props, alt: String(node.alt ?? '') } };
}

/**
 * URLs before the end, or before what can be a title. Alt texts can have some too, and come first. In a
 * quote, each new line starts with `>`.
 */
const urls =
  /(?:^\[.*?\]:|\]\()[\s>]*(?=(<(?:\\.|[^<>\\])*>|(?:\\.|[^\s()<>\\]|\((?:\\.|[^\s()\\])*\))+)(?:[\s>]*(?:".*"|'.*'|\(.*\)))?[\s>]*\)?$)/gs;

/** Where an image or a definition has its URL, with angle brackets. */
export function urlIn(written: string, url: string): Range | undefined {
  const own = [...written.matchAll(urls)].findLast(
    ({ 1: text = '' }) => decodeUrl(text.replace(/^<|>$/g, '')) === decodeUrl(url),
  );
  if (!own) return undefined;
  const start = own.index + own[0].length;
  return { start, end: start + (own[1] ?? '').length };
}

/** With entities, escapes and percent encoding resolved, as the parser has them. */
function decodeUrl(url: string): string {
  const text = decodeHTML(url).replace(/\\([!-/:-@[-`{-~])/g, '$1');
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}
