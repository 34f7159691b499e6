import { parseFileAddress } from '../../assets/request/media-address.ts';
import { decodePath } from '../../errors/decode-path.ts';
import { ignoreOurs, mediaAssetError } from '../../errors/errors.ts';
import { placeAt } from '../../errors/place.ts';
import { addressProps, type FoundPlace, type ImagePlace } from './found-place.ts';
import { blankFrontmatter, isMdx, type Range, type SourceFile } from './source-text.ts';
import * as tags from './tag-places.ts';

/** A node of the Markdown tree, with `offset`s in UTF-16 code units. */
export interface MarkdownNode {
  readonly type: string;
  readonly position: { start: { offset: number }; end: { offset: number } };
  readonly children?: readonly MarkdownNode[];
  readonly url?: string;
  readonly alt?: string | null;
  readonly name?: string | null;
  readonly value?: unknown;
}

/** The images and links of a Markdown or MDX file with `media:` addresses, and the components of an MDX file. */
export async function markdownPlaces(source: SourceFile): Promise<FoundPlace[]> {
  const mdx = isMdx(source.file);
  if (!(mdx ? /media:|Media/i : /media:/i).test(source.text)) return [];
  const nodes = allNodes(await parseMarkdown(source));
  const images = nodes.filter(({ type }) => type === 'image' || type === 'link');
  const tags = mdx ? await mdxPlaces(source, nodes) : [];
  return [...images.flatMap((node) => placeOfImage(source, node) ?? []), ...tags];
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
 * written as in an `.astro` file. A tag in braces, or in a quote with a `>` in each line, isn't found.
 */
async function mdxPlaces(
  source: SourceFile,
  nodes: readonly MarkdownNode[],
): Promise<FoundPlace[]> {
  const { file } = source;
  const modules = nodes.filter(({ type }) => type === 'mdxjsEsm');
  const code = modules.map((node) => writtenIn(source, node).text).join('\n');
  const statements = tags.statementsOf(
    await tags.parseAstro({ file, text: `---\n${code}\n---\n` }),
  );
  const imported = tags.componentNames(statements);
  const specifiers = statements.flatMap((one) => (one.specifiers ?? []) as readonly tags.Node[]);
  const declared = new Set(specifiers.map(tags.localName));
  // A page can pass the component to `<Content components={{ MediaAsset }} />`.
  const componentOf = {
    get: (tag: string) =>
      imported.get(tag) ?? (tags.components.includes(tag) && !declared.has(tag) ? tag : undefined),
  };
  const found: FoundPlace[] = [];
  for (const node of nodes.filter(({ name }) => name && componentOf.get(name))) {
    const { start, text } = writtenIn(source, node);
    // With spaces before it, all offsets stay.
    const tree = await tags.parseAstro({ file, text: ' '.repeat(start) + text }).catch(ignoreOurs);
    const places = tree ? tags.tagPlaces(source, tree, componentOf) : [];
    found.push(...places.filter((place) => place.start === start));
  }
  return found;
}

export function allNodes(node: MarkdownNode): MarkdownNode[] {
  return [node, ...(node.children ?? []).flatMap(allNodes)];
}

function placeOfImage(source: SourceFile, node: MarkdownNode): ImagePlace | undefined {
  const { start, text } = writtenIn(source, node);
  const url = urlIn(text, String(node.url));
  const bracket = url && text[url.start] === '<' ? 1 : 0;
  const value = url && text.slice(url.start + bracket, url.end - bracket);
  const isFile = node.type === 'link';
  const props = isFile
    ? addressProps(value, (url) => ({ id: parseFileAddress(url, {}).id }))
    : addressProps(value);
  if (!url || !value || !props) return undefined;
  const end = start + text.length;
  const alt = {
    start: start + text.indexOf('[') + 1,
    end: start + text.lastIndexOf('](', url.start),
  };
  const address = { start: start + url.start + bracket, end: start + url.end - bracket, value };
  const place = { ...placeAt(source, start), kind: 'markdown', start, end, computed: [] } as const;
  const written = isFile ? props : { ...props, alt: String(node.alt ?? '') };
  return { ...place, isFile, props: written, alt, address };
}

function writtenIn({ text }: SourceFile, { position }: MarkdownNode) {
  const start = position.start.offset;
  return { start, text: text.slice(start, position.end.offset) };
}

/**
 * URLs before the end, or before what can be a title. Alt texts can have some too, and come first. In a
 * quote, each new line starts with `>`.
 */
const urls =
  /\]\([\s>]*(?=(<(?:\\.|[^<>\\])*>|(?:\\.|[^\s()<>\\]|\((?:\\.|[^\s()\\])*\))+)(?:[\s>]*(?:".*"|'.*'|\(.*\)))?[\s>]*\)?$)/gs;

/** Where an image has its URL, with angle brackets. */
export function urlIn(written: string, url: string): Range | undefined {
  const own = [...written.matchAll(urls)].findLast(
    ({ 1: text = '' }) => decodePath(text.replace(/^<|>$/g, '')) === decodePath(url),
  );
  if (!own) return undefined;
  const start = own.index + own[0].length;
  return { start, end: start + (own[1] ?? '').length };
}
