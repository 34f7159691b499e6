import { mediaAssetError } from '../../../errors/errors.ts';
import type { AssetChange } from '../../toolbar/protocol.ts';
import type { Edit, FoundPlace, TagForm } from '../found-place.ts';
import { type Attribute, attributeValue } from '../literal-value.ts';
import { editEntry, replacement } from './edit-data.ts';
import { changeable, earlierProps, lineEnd, writeLiteral, writeQuoted } from './write-value.ts';

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
    else if (attribute) edits.push(...newAttribute(text, attribute, value));
    else if (value !== null) edits.push(...addition(text, attributes, { name, value }));
  }
  for (const { index, crop } of sources) {
    const attribute = literalAttribute(place, attributes, 'sources');
    const content = attribute?.value?.content;
    const list = content && 'expression' in content ? content.expression : undefined;
    const entry = list?.items?.[index];
    if (!entry?.entries) throw computed(place, 'sources');
    edits.push(...editEntry(text, entry, { name: 'crop', value: crop, syntax: 'js' }));
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

/** Replaces an attribute's value in its own way of writing, unless that can't hold the new one. */
function newAttribute(text: string, attribute: Attribute, value: unknown): Edit[] {
  const { name } = attribute;
  const old = attributeValue(attribute)?.value;
  if (!attribute.value || old === value) return [];
  const { start, end, content } = attribute.value;
  if ('expression' in content) {
    if (typeof value !== 'string' || typeof old === 'string')
      return replacement(text, content.expression, { name, value, syntax: 'js' });
  } else if (typeof value === 'string' || name === 'id') {
    const mark = text[start] === "'" ? "'" : '"';
    return [{ start, end, text: writeQuoted(String(value), mark) }];
  }
  return [{ start, end, text: newValue(value) }];
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
