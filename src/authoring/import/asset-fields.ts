import { isMarkdown, type SourceFile } from '../source/source-text.ts';
import { type Node, nodesOf } from '../source/tag-places.ts';
import { imageResolver } from './local-images.ts';

/** A field of content or data whose value becomes an asset. */
export interface AssetField {
  /** The file that has a value of it. */
  readonly file: string;
  /** Its keys: `cover.src`. */
  readonly path: string;
}

/** Whether keys lead to a field. In a data file, keys before them can be those of entries. */
export function isAt({ file, path }: AssetField, keys: string): boolean {
  return path === keys || (!isMarkdown(file) && path.endsWith(`.${keys}`));
}

/**
 * Tells from the names of an expression, such as `post.data.cover.src`, whether it's a field that becomes
 * an asset: of an entry's data, of props, or of a data file that this file imports.
 */
export function fieldReader(
  { file }: SourceFile,
  {
    fields,
    imports,
    tree,
  }: { fields: readonly AssetField[]; imports: readonly string[]; tree: Node },
): (names: readonly string[]) => boolean {
  const resolveData = imageResolver(fields.map(({ file }) => file));
  const imported = new Set(imports.map((from) => resolveData(file, from)));
  const taken = namesIn(nodesOf(tree, 'ObjectPattern'));
  const isEnd = (path: string, names: readonly string[]) =>
    names.length > 0 && `.${path}`.endsWith(`.${names.join('.')}`);
  return (names) => {
    const data = names.slice(0, -1).findLastIndex((name) => /^(?:data|frontmatter)$/.test(name));
    if (data >= 0) return fields.some((field) => isAt(field, names.slice(data + 1).join('.')));
    const [root = '', ...members] = names;
    const isProp = root === 'Astro' && members[0] === 'props';
    const own = isProp ? members.slice(1) : taken.has(root) ? names : undefined;
    return fields.some(({ file, path }) =>
      own ? isEnd(path, own) : imported.has(file) && isEnd(path, members),
    );
  };
}

/** `['post', 'data', 'hero']` of `post.data.hero`. A part without a name is an empty one. */
export function namesOf(node: Node | undefined): string[] {
  if (node?.type === 'ChainExpression') return namesOf(node.expression as Node);
  if (node?.type === 'Identifier') return [String(node.name)];
  if (node?.type !== 'MemberExpression' || node.computed) return [''];
  return [...namesOf(node.object as Node), String((node.property as Node).name)];
}

export function namesIn(nodes: unknown): ReadonlySet<string> {
  return new Set(nodesOf(nodes, 'Identifier').map(({ name }) => String(name)));
}
