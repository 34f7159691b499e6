import { type DataNode, parseData } from '../source/data-node.ts';
import { checkJson } from '../source/source-places.ts';
import { frontmatterRange, positionOf, type SourceFile } from '../source/source-text.ts';
import type { LocalImage, ResolveImage } from './local-image.ts';

/** The local images in a file's frontmatter, or in YAML or JSON. */
export function dataImages(file: SourceFile, resolve: ResolveImage): LocalImage[] {
  if (/\.json$/i.test(file.path)) checkJson(file);
  const isMarkdown = /\.mdx?$/i.test(file.path);
  const range = isMarkdown ? frontmatterRange(file.text) : { start: 0, end: file.text.length };
  const root = range && parseData(file, range);
  return root ? imagesIn(file, root, { resolve, field: undefined, siblings: {} }) : [];
}

function imagesIn(
  file: SourceFile,
  node: DataNode,
  around: {
    readonly resolve: ResolveImage;
    readonly field: string | undefined;
    readonly siblings: Readonly<Record<string, unknown>>;
  },
): LocalImage[] {
  const { resolve, field, siblings } = around;
  const { literal, entries, items = [], start, end } = node;
  if (entries) {
    const own = Object.fromEntries(entries.map(({ name, value }) => [name, value.literal?.value]));
    return entries.flatMap(({ name, value }) =>
      imagesIn(file, value, { resolve, field: name, siblings: own }),
    );
  }
  const inItems = items.flatMap((item) => imagesIn(file, item, around));
  const path = typeof literal?.value === 'string' && resolve(file.path, literal.value);
  if (!path) return inItems;
  const alt = [siblings[`${field}Alt`], siblings[`${field}_alt`], siblings.alt].find(
    (text) => typeof text === 'string' && text !== '',
  );
  const key = /\.json$/i.test(file.path) ? '"id"' : 'id';
  const place = { file: file.path, ...positionOf(file.text, start) };
  const edits = (id: number) => [{ start, end, text: `{ ${key}: ${id} }` }];
  return [{ place, path, alt: alt as string | undefined, field, edits }];
}
