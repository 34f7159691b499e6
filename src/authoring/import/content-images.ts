import { type DataNode, readData } from '../source/data-node.ts';
import { allNodes, type MarkdownNode, parseMarkdown, urlIn } from '../source/markdown-places.ts';
import { isMarkdown, placeAt, type SourceFile } from '../source/source-text.ts';
import type { LocalImage, ResolveImage } from './local-images.ts';

/** The local images in data, frontmatter, Markdown and MDX. */
export async function contentImages(
  source: SourceFile,
  resolve: ResolveImage,
): Promise<LocalImage[]> {
  const inData = dataImages(source, resolve);
  return isMarkdown(source.file) ? [...inData, ...(await markdownImages(source, resolve))] : inData;
}

function dataImages(source: SourceFile, resolve: ResolveImage): LocalImage[] {
  const key = /\.json$/i.test(source.file) ? '"id"' : 'id';
  const imagesIn = (
    { literal, entries, items = [], start, end }: DataNode,
    around: { field?: string; siblings: Readonly<Record<string, unknown>> },
  ): LocalImage[] => {
    if (entries) {
      const siblings = Object.fromEntries(
        entries.map(({ name, value }) => [name, value.literal?.value]),
      );
      return entries.flatMap(({ name, value }) => imagesIn(value, { field: name, siblings }));
    }
    const path = typeof literal?.value === 'string' && resolve(source.file, literal.value);
    if (!path) return items.flatMap((item) => imagesIn(item, around));
    const { field, siblings } = around;
    const alt = [siblings[`${field}Alt`], siblings[`${field}_alt`], siblings.alt].find(
      (text) => typeof text === 'string' && text !== '',
    );
    const edits = (id: number) => [{ start, end, text: `{ ${key}: ${id} }` }];
    const place = placeAt(source, start);
    return [{ place, path, alt: alt as string | undefined, field, edits }];
  };
  const root = readData(source);
  return root ? imagesIn(root, { siblings: {} }) : [];
}

/** The local images of a Markdown or MDX file, and of the definitions of its reference images. */
async function markdownImages(source: SourceFile, resolve: ResolveImage): Promise<LocalImage[]> {
  const { file, text } = source;
  const nodes = allNodes(await parseMarkdown(source));
  const references = nodes.filter(({ type }) => type === 'imageReference');
  return nodes.flatMap((node): LocalImage[] => {
    const start = node.position.start.offset;
    const place = placeAt(source, start);
    if (node.type !== 'image' && node.type !== 'definition') {
      const found = codeSources(node).flatMap((url) => resolve(file, url) ?? []);
      return found.map((path) => ({ place, path, alt: undefined, edits: "it's in code or HTML" }));
    }
    const url = String(node.url);
    const path = resolve(file, url);
    const range = urlIn(text.slice(start, node.position.end.offset), url);
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
