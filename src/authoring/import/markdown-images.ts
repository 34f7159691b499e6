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
    const isImage = node.type === 'image' || node.type === 'definition';
    const url = isImage ? String(node.url) : htmlSource(node);
    const path = url && resolve(source, url);
    if (!path) return [];
    const start = node.position.start.offset;
    const place = { file: source, ...positionOf(text, start) };
    const own = references.filter(({ identifier }) => identifier === node.identifier);
    const texts = node.type === 'definition' ? own.map(({ alt }) => alt) : [node.alt];
    const alt = texts.find(Boolean) ?? undefined;
    const range = isImage && destination(text.slice(start, node.position.end.offset), url);
    if (!range) return [{ place, path, alt, edits: undefined }];
    const at = { start: start + range.start, end: start + range.end };
    const decoration = texts.every(Boolean) ? '' : '?decoration';
    return [{ place, path, alt, edits: (id) => [{ ...at, text: `media:${id}${decoration}` }] }];
  });
}

/** The image of an HTML tag, which only a person can replace. */
function htmlSource({ type, value }: MarkdownNode): string {
  const isHtml = type === 'html' || type.startsWith('mdxJsx');
  return (isHtml && /<img\s[^>]*?src\s*=\s*["']([^"']+)/i.exec(String(value))?.[1]) || '';
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
