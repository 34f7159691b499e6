import type { FoundPlace } from './found-place.ts';
import {
  type Attribute,
  type AttributeValue,
  expressionValue,
  type Node,
} from './literal-value.ts';
import { placeOfTag } from './tag-place.ts';

/** The places of all `<MediaAsset>` tags in an ESTree with JSX. */
export function jsxPlaces(
  file: { readonly path: string; readonly text: string },
  tree: Node,
  isComponent: (tag: string) => boolean,
): FoundPlace[] {
  return openingTags(tree)
    .filter((tag) => isComponent(tagName(tag.name as Node)))
    .flatMap(({ start, end, attributes }) => {
      const written = (attributes as readonly Node[]).map(toAttribute);
      const place = placeOfTag(file, { start, end, attributes: written });
      return place ? [place] : [];
    });
}

function openingTags(value: unknown): Node[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(openingTags);
  return Reflect.get(value, 'type') === 'JSXOpeningElement' ? [value as Node, ...inside] : inside;
}

/** `MediaAsset`, or `media.MediaAsset`. */
function tagName(node: Node): string {
  if (node.type !== 'JSXMemberExpression') return String(node.name);
  return `${tagName(node.object as Node)}.${tagName(node.property as Node)}`;
}

function toAttribute(node: Node): Attribute {
  const { start, end } = node;
  if (node.type === 'JSXSpreadAttribute') return { name: '...', start, end, value: undefined };
  const name = node.name as Node;
  const namespace = name.namespace as Node | undefined;
  const local = namespace ? (name.name as Node).name : name.name;
  const written = namespace ? `${namespace.name}:${local}` : String(local);
  const value = node.value as Node | null;
  // The shorthand `{id}` is an attribute whose value covers it all.
  const isWritten = value !== null && value.start > start;
  return { name: written, start, end, value: isWritten ? toValue(value) : undefined };
}

function toValue(node: Node): AttributeValue {
  const { start, end } = node;
  if (node.type !== 'JSXExpressionContainer') {
    return { start, end, content: { text: String(node.value) } };
  }
  return { start, end, content: { expression: expressionValue(node.expression as Node) } };
}
