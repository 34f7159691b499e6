import { mediaAssetError } from '../../errors/errors.ts';
import { placeAt } from '../../errors/place.ts';
import { collectionNode, type DataEntry, type DataNode } from './data-node.ts';
import { type FoundPlace, readEntries } from './found-place.ts';
import type { Range, SourceFile } from './source-text.ts';

/** A node of an ESTree, with offsets in UTF-16 code units of the whole file. */
export interface Node extends Range {
  readonly type: string;
  readonly [property: string]: unknown;
}

export type AstroTree = Node & { readonly frontmatter: { readonly program: Node } | null };

/** The props that the toolbar shows or changes, and spreads. */
const known = ['id', 'alt', 'crop', 'aspect', 'focus', 'preset', 'sources', 'poster', '...'];

export const components: readonly string[] = ['MediaAsset', 'MediaFile', 'MediaVideo'];

/** The components' tags of an `.astro` file with literal IDs. */
export async function astroPlaces(source: SourceFile): Promise<FoundPlace[]> {
  const tree = await parseAstro(source);
  return tagPlaces(source, tree, componentNames(statementsOf(tree)));
}

/** Parses with the compiler of Astro 7, which also reads files for older versions. */
export async function parseAstro(source: SourceFile): Promise<AstroTree> {
  const { parse } = await import('@astrojs/compiler-rs');
  const { ast, diagnostics } = parse(source.text);
  // Astro wraps a script with `define:vars` in a function, where `return` is right. Its tree is whole.
  const wrong = diagnostics.find(({ severity, labels: [label] }) => {
    const scripts = nodesOf(ast, 'AstroScript').map(({ program }) => program as Node);
    const at = label?.start ?? 0;
    return severity === 'error' && !scripts.some(({ start, end }) => start <= at && at < end);
  });
  if (wrong) {
    const found = placeAt(source, wrong.labels[0]?.start ?? 0);
    throw mediaAssetError('source-unreadable', { ...found, reason: wrong.text });
  }
  return ast as AstroTree;
}

export function statementsOf({ frontmatter }: AstroTree): readonly Node[] {
  return (frontmatter?.program.body ?? []) as readonly Node[];
}

/** The components, by the names of their imports. */
export function componentNames(statements: readonly Node[]): ReadonlyMap<string, string> {
  const names = statements.flatMap(({ source, specifiers }) => {
    const from = (source as Node | undefined)?.value;
    return ((specifiers ?? []) as readonly Node[]).flatMap((one) => {
      const name =
        from === 'astro-media-asset/components'
          ? (one.imported as Node | undefined)?.name
          : one.type === 'ImportDefaultSpecifier' &&
            /^astro-media-asset\/(\w+)\.astro$/.exec(String(from))?.[1];
      return components.includes(String(name)) ? [[localName(one), String(name)] as const] : [];
    });
  });
  return new Map(names);
}

export function localName({ local }: Node): string {
  return String((local as Node).name);
}

export function tagPlaces(
  source: SourceFile,
  tree: Node,
  componentOf: { get(tag: string): string | undefined },
): FoundPlace[] {
  return nodesOf(tree, 'JSXOpeningElement').flatMap(({ start, end, attributes, ...tag }) => {
    const component = componentOf.get(String((tag.name as Node).name));
    if (!component) return [];
    const entries = (attributes as readonly Node[]).map(toEntry);
    const written = readEntries(entries.filter(({ name }) => known.includes(name)));
    if (!written) return [];
    const node = { start, end, literal: undefined, style: 'flow', entries } as const;
    const isFile = component !== 'MediaAsset';
    const isVideo = component === 'MediaVideo' || undefined;
    const place = { ...placeAt(source, start), start, end, isFile, isVideo };
    return { ...place, ...written, kind: 'component', node, path: [] };
  });
}

/** The nodes of a type in a tree, outermost first. */
export function nodesOf(value: unknown, type: string): Node[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap((one) => nodesOf(one, type));
  return Reflect.get(value, 'type') === type ? [value as Node, ...inside] : inside;
}

/** An attribute; its value is computed if it's the shorthand `{id}`. */
export function toEntry(attribute: Node): DataEntry {
  const { start, end } = attribute;
  const computed = { start, end, literal: undefined, style: 'plain' } as const;
  if (attribute.type === 'JSXSpreadAttribute') {
    return { name: '...', key: { start, end: start }, value: computed, start, end };
  }
  const key = attribute.name as Node;
  const namespace = key.namespace as Node | undefined;
  const local = namespace ? (key.name as Node).name : key.name;
  const name = namespace ? `${namespace.name}:${local}` : String(local);
  const value = attribute.value as Node | null;
  // The shorthand `{id}` is an attribute whose value covers it all.
  const isWritten = value !== null && value.start > start;
  return { name, key, value: isWritten ? toValue(value) : computed, start, end };
}

function toValue(node: Node): DataNode {
  const { start, end } = node;
  if (node.type === 'JSXExpressionContainer') {
    return { ...expressionValue(node.expression as Node), braces: { start, end } };
  }
  return { start, end, literal: { value: String(node.value) }, style: 'quoted' };
}

function expressionValue(node: Node): DataNode {
  const { start, end } = node;
  const given = { start, end, style: 'flow' } as const;
  const scalar = (literal: DataNode['literal']): DataNode => {
    return { start, end, style: 'plain', literal };
  };
  switch (node.type) {
    case 'Literal':
      return scalar('regex' in node || 'bigint' in node ? undefined : { value: node.value });
    case 'TemplateLiteral': {
      const [quasi, ...others] = node.quasis as { value: { cooked: string } }[];
      return scalar(quasi && others.length === 0 ? { value: quasi.value.cooked } : undefined);
    }
    case 'UnaryExpression': {
      const value = expressionValue(node.argument as Node).literal?.value;
      const isNegative = typeof value === 'number' && node.operator === '-';
      return scalar(isNegative ? { value: -value } : undefined);
    }
    case 'ArrayExpression': {
      const elements = node.elements as readonly (Node | null)[];
      const items = elements.map((one) => (one ? expressionValue(one) : scalar(undefined)));
      return collectionNode({ ...given, items }, items.length);
    }
    case 'ObjectExpression': {
      const nodes = node.properties as readonly Node[];
      return collectionNode({ ...given, entries: nodes.flatMap(entryOf) }, nodes.length);
    }
    default:
      return scalar(undefined);
  }
}

/** None if the name is computed, or comes from a spread. */
function entryOf(property: Node): DataEntry[] {
  const { type, computed, kind, start, end } = property;
  if (type !== 'Property' || computed === true || kind !== 'init') return [];
  const key = property.key as Node;
  const name = String(key.type === 'Identifier' ? key.name : key.value);
  return [{ name, key, value: expressionValue(property.value as Node), start, end }];
}
