import {
  allNodes,
  decodeAddress,
  type MarkdownNode,
  parseMarkdown,
} from '../source/markdown-places.ts';
import { positionOf, type Range, type SourceFile } from '../source/source-text.ts';
import type { LocalImage, ResolveImage } from './local-image.ts';

/** The local images of a Markdown or MDX file, and of the definitions of its reference images. */
export async function markdownImages(
  file: SourceFile,
  resolve: ResolveImage,
): Promise<LocalImage[]> {
  const { path: source, text } = file;
  const nodes = allNodes((await parseMarkdown(file)) as MarkdownNode);
  const references = nodes.filter(({ type }) => type === 'imageReference');
  return nodes.flatMap((node): LocalImage[] => {
    const start = node.position.start.offset;
    const place = { file: source, ...positionOf(text, start) };
    if (node.type !== 'image' && node.type !== 'definition') {
      const found = codeSources(node).flatMap((url) => resolve(source, url) ?? []);
      return found.map((path) => ({ place, path, alt: undefined, edits: "it's in code or HTML" }));
    }
    const url = String(node.url);
    const path = resolve(source, url);
    const range = destination(text.slice(start, node.position.end.offset), url);
    if (!path || !range) return [];
    const own = references.filter(({ identifier }) => identifier === node.identifier);
    const texts = node.type === 'definition' ? own.map(({ alt }) => alt) : [node.alt];
    const alt = texts.find(Boolean) ?? undefined;
    const at = { start: start + range.start, end: start + range.end };
    const decoration = texts.every(Boolean) ? '' : '?decoration';
    return [{ place, path, alt, edits: (id) => [{ ...at, text: `media:${id}${decoration}` }] }];
  });
}

/** What HTML tags and the imports of MDX name, which only a person can replace. */
function codeSources({ type, value }: MarkdownNode): string[] {
  const pattern = /<img\s[^>]*?src\s*=\s*["']([^"']+)|^import\s[^'"]*["']([^"']+)/gim;
  if (type !== 'html' && type !== 'mdxjsEsm') return [];
  return Array.from(
    String(value).matchAll(pattern),
    ([, source, imported]) => source ?? imported ?? '',
  );
}

/** Where an image or a definition has its URL, with angle brackets. */
function destination(written: string, url: string): Range | undefined {
  const found = [...written.matchAll(/\](?:\(|:)\s*(?=(<[^<>]*>|(?:[^\s()<>]|\([^\s()]*\))+))/g)];
  const own = found.findLast(({ 1: text = '' }) => {
    return decodeAddress(text.replace(/^<|>$/g, '')) === decodeAddress(url);
  });
  if (!own) return undefined;
  const start = own.index + own[0].length;
  return { start, end: start + (own[1] ?? '').length };
}
