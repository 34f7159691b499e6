import { lineEnd } from '../source/edit/write-value.ts';
import type { Edit, SourceFile } from '../source/source-text.ts';
import { type Node, nodesOf, parseAstro, statementsOf } from '../source/tag-places.ts';

const fence = '---\n';

/**
 * Makes fields of a content config's schemas assets: `image()` and `z.string()` become `mediaAsset()`.
 *
 * @returns the edits, and the fields that no schema has
 */
export async function contentConfigEdits(
  { path, text }: SourceFile,
  fields: ReadonlySet<string>,
): Promise<{ edits: readonly Edit[]; missing: readonly string[] }> {
  // The parser of `.astro` files reads TypeScript between its fences.
  const tree = await parseAstro({ path, text: `${fence}${text}\n---\n` });
  const found = new Set<string>();
  const edits = nodesOf(tree, 'Property').flatMap(({ key, value }): Edit[] => {
    const name = String((key as Node).name ?? (key as Node).value);
    const call = fields.has(name) && nodesOf(value, 'CallExpression').find(isImage);
    if (!call) return [];
    found.add(name);
    const start = call.start - fence.length;
    return [{ start, end: call.end - fence.length, text: 'mediaAsset()' }];
  });
  const isImported = /from\s+['"]astro-media-asset\/schema['"]/.test(text);
  const last = statementsOf(tree).findLast(({ type }) => type === 'ImportDeclaration');
  const at = last ? last.end - fence.length : 0;
  const line = "import { mediaAsset } from 'astro-media-asset/schema';";
  const end = lineEnd(text);
  const own = { start: at, end: at, text: last ? end + line : line + end };
  return {
    edits: edits.length === 0 || isImported ? edits : [...edits, own],
    missing: [...fields].filter((name) => !found.has(name)),
  };
}

/** `image()` or `z.string()`. */
function isImage({ callee, arguments: given }: Node): boolean {
  const { type, name, property } = callee as Node;
  if ((given as readonly unknown[]).length > 0) return false;
  return type === 'Identifier'
    ? name === 'image'
    : (property as Node | undefined)?.name === 'string';
}
