import { cropEntries } from '../../../assets/geometry/write-crop.ts';
import { mediaAssetError } from '../../../errors/errors.ts';
import type { AssetChange } from '../../toolbar/protocol.ts';
import type { Edit, FoundPlace, TagForm } from '../found-place.ts';
import {
  type Attribute,
  attributeValue,
  bareExpression,
  elementsOf,
  literalValue,
  type Node,
  propertiesOf,
} from '../literal-value.ts';
import {
  changeable,
  earlierProps,
  isCrop,
  lineEnd,
  writeLiteral,
  writeQuoted,
} from './write-value.ts';

/** @throws `source-computed` */
export function editTag(
  text: string,
  place: FoundPlace,
  { attributes }: TagForm,
  { sources = [], ...props }: AssetChange,
): Edit[] {
  const edits: Edit[] = [];
  for (const name of changeable) {
    const value = props[name];
    if (value === undefined) continue;
    const attribute = literalAttribute(place, attributes, name);
    if (attribute && value === null) edits.push(removal(text, attribute));
    else if (attribute) edits.push(...replacement(text, attribute, value));
    else if (value !== null) edits.push(...addition(text, attributes, { name, value }));
  }
  for (const { index, crop } of sources) {
    const attribute = literalAttribute(place, attributes, 'sources');
    const list = attribute?.value && expressionOf(attribute);
    const entry = list?.type === 'ArrayExpression' ? elementsOf(list)[index] : undefined;
    if (!entry) throw computed(place, 'sources');
    edits.push(...editProperty(text, bareExpression(entry), { name: 'crop', value: crop }));
  }
  return edits;
}

/** Adds an attribute, on a line of its own if the one before it has one. */
function addition(
  text: string,
  attributes: readonly Attribute[],
  { name, value }: { name: string; value: unknown },
): Edit[] {
  const previous = attributes.findLast((attribute) => earlierProps(name).includes(attribute.name));
  if (!previous) return [];
  const space = /\s*$/.exec(text.slice(0, previous.start))?.[0] ?? '';
  const before = space.includes('\n') ? space.slice(space.lastIndexOf(lineEnd(space))) : ' ';
  const { end } = previous;
  return [{ start: end, end, text: `${before}${name}=${newValue(value)}` }];
}

/**
 * The attribute to change; `undefined` if the tag has none.
 *
 * @throws `source-computed` if its value isn't literal, or a spread may overwrite it
 */
function literalAttribute(
  place: FoundPlace,
  attributes: readonly Attribute[],
  name: string,
): Attribute | undefined {
  if (place.computed.includes(name)) throw computed(place, name);
  const at = attributes.findIndex((attribute) => attribute.name === name);
  if (attributes.slice(at + 1).some((attribute) => attribute.name === '...')) {
    throw computed(place, '...');
  }
  return attributes[at];
}

function computed({ file, line }: FoundPlace, prop: string): Error {
  return mediaAssetError('source-computed', { file, line, prop });
}

function replacement(text: string, attribute: Attribute, value: unknown): Edit[] {
  if (!attribute.value || attributeValue(attribute)?.value === value) return [];
  const { start, end, content } = attribute.value;
  if ('expression' in content) {
    const edits = editExpression(text, bareExpression(content.expression), value);
    if (edits) return edits;
  } else if (typeof value === 'string' || attribute.name === 'id') {
    const mark = text[start] === "'" ? "'" : '"';
    return [{ start, end, text: writeQuoted(String(value), mark) }];
  }
  return [{ start, end, text: newValue(value) }];
}

/** Replaces an expression in its own way of writing; `undefined` if that can't hold the value. */
function editExpression(text: string, node: Node, value: unknown): Edit[] | undefined {
  const { start, end } = node;
  const old = literalValue(node)?.value;
  if (isCrop(old) && isCrop(value)) return editObject(text, node, value);
  if (typeof old === 'string' && (typeof value === 'string' || /^-?\d+$/.test(old))) {
    return [{ start, end, text: writeLiteral(String(value), text[start]) }];
  }
  if (typeof value === 'string') return undefined;
  return [{ start, end, text: writeLiteral(value) }];
}

/** Changes the numbers of an object in place if it keeps its keys, and otherwise rewrites it. */
function editObject(text: string, node: Node, value: object): Edit[] {
  const old = new Map(cropEntries(Object(literalValue(node)?.value)));
  const given = new Map(cropEntries(value));
  if (given.size !== old.size || ![...given.keys()].every((key) => old.has(key))) {
    return [{ start: node.start, end: node.end, text: writeLiteral(value) }];
  }
  return (propertiesOf(node) ?? []).flatMap(({ name, value: { start, end } }) => {
    const one = given.get(name);
    return one === old.get(name) ? [] : [{ start, end, text: writeLiteral(one, text[start]) }];
  });
}

/** Sets or removes a property of an object in a list. */
function editProperty(
  text: string,
  object: Node,
  { name, value }: { name: string; value: object | null },
): Edit[] {
  const properties = propertiesOf(object) ?? [];
  const at = properties.findIndex((property) => property.name === name);
  const property = properties[at];
  if (property && value) return editObject(text, bareExpression(property.value), value);
  if (value) {
    const end = properties.at(-1)?.end ?? object.start + 1;
    const separator = properties.length > 0 ? ', ' : ' ';
    return [{ start: end, end, text: `${separator}${name}: ${writeLiteral(value)}` }];
  }
  if (!property) return [];
  const [previous, next] = [properties[at - 1], properties[at + 1]];
  if (next) return [{ start: property.start, end: next.start, text: '' }];
  return [{ start: previous?.end ?? property.start, end: property.end, text: '' }];
}

/** Removes an attribute with the whitespace before it, unless that would join two lines. */
function removal(text: string, { start, end }: Attribute): Edit {
  const before = /\s*$/.exec(text.slice(0, start))?.[0] ?? '';
  const after = /^[ \t]*/.exec(text.slice(end))?.[0] ?? '';
  const endsLine = /^\r?\n/.test(text.slice(end + after.length));
  if (endsLine && before.includes('\n')) {
    const lineStart = start - before.length + before.lastIndexOf(lineEnd(before));
    return { start: lineStart, end: end + after.length, text: '' };
  }
  if (!before.includes('\n')) return { start: start - before.length, end, text: '' };
  return { start, end: end + after.length, text: '' };
}

function newValue(value: unknown): string {
  return typeof value === 'string' ? writeQuoted(value, '"') : `{${writeLiteral(value)}}`;
}

function expressionOf({ value }: Attribute): Node | undefined {
  const content = value?.content;
  return content && 'expression' in content ? bareExpression(content.expression) : undefined;
}
