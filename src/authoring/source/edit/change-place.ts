import { isDeepStrictEqual } from 'node:util';
import { cropEntries } from '../../../assets/geometry/write-crop.ts';
import { mediaAssetError } from '../../../errors/errors.ts';
import type { AssetChange } from '../../toolbar/protocol.ts';
import type { DataEntry, DataNode } from '../data-node.ts';
import { type FoundPlace, numberOf, type PlacedText, type ValuePlace } from '../found-place.ts';
import { findPlaces } from '../source-places.ts';
import { applyEdits, type Edit } from '../source-text.ts';
import {
  assertOnlyChanged,
  expectedProps,
  type SourceChange,
  unsafe,
} from './assert-only-changed.ts';
import { editAddress, editImage, type PropChange } from './edit-address.ts';
import { changeable, isCrop, lineEnd, writeAttribute, writeValue } from './write-value.ts';

/** One prop of an image to write, or of an entry of its `sources`. */
interface Step extends PropChange {
  readonly source?: number;
}

interface PlaceChange extends PropChange {
  readonly syntax: ValuePlace['kind'] | 'js';
}

/**
 * Changes the props of a place, and nothing else. The changed text is parsed again, and must have the
 * intended props.
 *
 * @param before.place as `findPlaces` has found it
 * @throws `source-computed` if a prop to change isn't literal; `source-unsafe` if the edited text would
 * have other props, or anything else would change
 */
export async function changePlace(before: PlacedText, given: AssetChange): Promise<PlacedText> {
  const { place } = before;
  const change = withDecoration(place, given);
  expectedProps(place, change);
  let now = before;
  // One prop at a time, so that no edit touches another one.
  for (const step of stepsOf(change)) {
    const edits = editsOf(now.text, now.place, step);
    const text = applyEdits(now.text, edits);
    const number = step.name === 'id' ? step.value : now.place.props.id;
    const id = numberOf(now.place) === undefined ? undefined : Number(number);
    if (text !== now.text) now = await findAgain(place, { text, id });
  }
  await assertOnlyChanged(before, { now, change });
  return now;
}

/** In Markdown, an empty text alone stands for the record's. */
function withDecoration({ kind, props }: FoundPlace, change: AssetChange): SourceChange {
  if (change.alt === undefined) return change;
  if (change.alt === null && kind === 'markdown') return { ...change, alt: '', decoration: null };
  if (change.alt === '' && kind === 'markdown') return { ...change, decoration: true };
  return props.decoration === undefined ? change : { ...change, decoration: null };
}

/** In an order in which each step leaves props that a build accepts. */
function stepsOf({ sources = [], ...props }: SourceChange): Step[] {
  const removable = ['focus', 'aspect', 'crop', 'alt', 'decoration'] as const;
  const removed = removable.filter((name) => props[name] === null);
  const written = changeable.filter((name) => (props[name] ?? undefined) !== undefined);
  return [
    ...[...removed, ...written].map((name) => ({ name, value: props[name] })),
    ...sources.map(({ index, crop }) => ({ name: 'crop', value: crop, source: index })),
  ];
}

/** @param now.id the place's, if it's a number alone */
async function findAgain(
  place: FoundPlace,
  now: { text: string; id: number | undefined },
): Promise<PlacedText> {
  const places = await findPlaces({ file: place.file, ...now }).catch((cause: unknown) => {
    throw unsafe(place, cause);
  });
  const found = places.find(({ start, kind }) => start === place.start && kind === place.kind);
  if (!found) throw unsafe(place);
  return { text: now.text, place: found };
}

/** @throws `source-computed`, also for props that an address can't have */
function editsOf(text: string, place: FoundPlace, { source, ...change }: Step): Edit[] {
  const entries = place.node?.entries;
  const name = source === undefined ? change.name : 'sources';
  const canHave = name === 'poster' ? place.isVideo : entries || name !== 'sources';
  if (!canHave) throw computed(place, name);
  if (place.kind === 'markdown') return editImage(place, change);
  const { node, kind: syntax } = place;
  if (!entries) return editText(text, place, change);
  assertLiteral(place, entries, name);
  if (source === undefined) return editEntry(text, node, { ...change, syntax });
  const list = entries.find((entry) => entry.name === name)?.value;
  const entry = list?.items?.[source];
  if (!entry?.entries?.length) throw computed(place, name);
  return editEntry(text, entry, { ...change, syntax: syntax === 'component' ? 'js' : syntax });
}

/** @throws `source-computed` if a value isn't literal, or a spread may overwrite it */
function assertLiteral(place: FoundPlace, entries: readonly DataEntry[], name: string): void {
  const at = entries.findIndex((entry) => entry.name === name);
  if (place.computed.includes(name)) throw computed(place, name);
  if (entries.slice(at + 1).some((entry) => entry.name === '...')) throw computed(place, '...');
}

function computed({ file, line }: FoundPlace, prop: string): Error {
  return mediaAssetError('source-computed', { file, line, prop });
}

/** An address has no alt text, and a number has nothing else: with it, they become a map. */
function editText(text: string, place: ValuePlace, change: PropChange): Edit[] {
  const { kind, node, props } = place;
  const { name: prop, value: wanted } = change;
  const syntax = kind === 'json' ? 'json' : 'yaml';
  const isNumber = numberOf(place) !== undefined;
  if (wanted === null && (isNumber || prop === 'alt')) return [];
  if (prop === 'alt' || (isNumber && prop !== 'id')) {
    // A tag of YAML, such as `!!str`, says what it is.
    if (/!\S*[ \t]+$/.test(text.slice(0, node.start))) throw computed(place, prop);
    const { id, ...others } = props;
    const format = { style: 'plain', syntax } as const;
    const entries = Object.entries({ id, [prop]: wanted, ...others }).map(([name, value]) => {
      const written = Array.isArray(value) ? JSON.stringify(value) : writeValue(value, format);
      return `${syntax === 'json' ? JSON.stringify(name) : name}: ${written}`;
    });
    return [{ start: node.start, end: node.end, text: `{ ${entries.join(', ')} }` }];
  }
  if (isNumber) return replacement(node, { ...change, syntax });
  const old = String(node.literal?.value);
  const written = editAddress(old, change);
  if (written === old) return [];
  return [{ start: node.start, end: node.end, text: writeValue(written, { ...node, syntax }) }];
}

function editEntry(text: string, map: DataNode, change: PlaceChange): Edit[] {
  const { entries = [] } = map;
  const { name, value, syntax } = change;
  // Of several with the same name, the last one counts.
  const entry = entries.findLast((one) => one.name === name);
  const isTag = syntax === 'component';
  if (entry && value !== null) {
    return isTag
      ? newAttribute(entry.value, change)
      : replacement(entry.value, { name, value, syntax });
  }
  if (!entry) return value === null ? [] : [addition(text, map, change)];
  return [isTag ? attributeRemoval(text, entry) : removal(text, map, entry)];
}

function replacement(
  node: DataNode,
  { name, value, syntax }: PlaceChange & { readonly syntax: 'js' | 'yaml' | 'json' },
): Edit[] {
  const old = node.literal?.value;
  if (old === value || (name === 'id' && String(old) === String(value))) return [];
  const { start, end, style, entries } = node;
  const names = entries?.map((one) => one.name).sort();
  const given = isCrop(value) ? cropEntries(value).map(([key]) => key) : [];
  if (entries && isDeepStrictEqual(names, given.sort())) {
    return entries.flatMap((entry) =>
      replacement(entry.value, {
        ...{ name: entry.name, syntax },
        value: Reflect.get(value as object, entry.name),
      }),
    );
  }
  const space = start === end ? ' ' : '';
  return [{ start, end, text: space + writeValue(value, { style, syntax }) }];
}

/** Replaces an attribute's value. A crop keeps its lines and the order of its keys. */
function newAttribute(node: DataNode, { name, value }: PlaceChange): Edit[] {
  if (node.literal?.value === value) return [];
  if (node.braces && isCrop(value)) return replacement(node, { name, value, syntax: 'js' });
  const { start, end } = node.braces ?? node;
  return [{ start, end, text: writeAttribute(value) }];
}

/**
 * Adds an entry after those that come before it, or at the end. In block style, it has its own line, and
 * in a tag, if the attribute before it has one.
 */
function addition(text: string, map: DataNode, { name, value, syntax }: PlaceChange): Edit {
  const { entries = [], style, start } = map;
  const order: readonly string[] = changeable;
  const earlier = order.slice(0, Math.max(1, order.indexOf(name)));
  const found = entries.findLast((entry) => earlier.includes(entry.name)) ?? entries.at(-1);
  const after = found as DataEntry;
  const space = /\s*$/.exec(text.slice(0, after.start))?.[0] ?? '';
  if (syntax === 'component') {
    const before = space.includes('\n') ? space.slice(space.lastIndexOf(lineEnd(space))) : ' ';
    return { start: after.end, end: after.end, text: `${before}${name}=${writeAttribute(value)}` };
  }
  const isJson = syntax === 'json';
  const written = writeValue(value, { style: 'plain', syntax });
  const entry = `${isJson ? JSON.stringify(name) : name}: ${written}`;
  if (style === 'flow') {
    const { end } = after;
    return { start: end, end, text: `,${space.includes('\n') ? space : ' '}${entry}` };
  }
  const rest = /^[^\r\n]*/.exec(text.slice(after.value.end))?.[0] ?? '';
  const end = after.value.end + rest.length;
  const indent = indentation(text, start);
  return { start: end, end, text: `${lineEnd(text)}${indent}${entry}` };
}

/** Removes an entry with what separates it from the next one, or from the one before it. */
function removal(text: string, { entries = [], style }: DataNode, entry: DataEntry): Edit {
  const at = entries.indexOf(entry);
  const [previous, next] = [entries[at - 1], entries[at + 1]];
  const lineStart = text.lastIndexOf('\n', entry.start - 1) + 1;
  // A block keeps its start.
  if (next && (style === 'flow' || !previous))
    return { start: entry.start, end: next.start, text: '' };
  if (style === 'flow') return { start: previous?.end ?? entry.start, end: entry.end, text: '' };
  const rest = /^[^\n]*(?:\n|$)/.exec(text.slice(entry.value.end))?.[0] ?? '';
  return { start: lineStart, end: entry.value.end + rest.length, text: '' };
}

function attributeRemoval(text: string, { start, end }: DataEntry): Edit {
  const before = /\s*$/.exec(text.slice(0, start))?.[0] ?? '';
  return { start: start - before.length, end, text: '' };
}

/** Spaces up to an offset's column: those of a list's `- ` too. */
function indentation(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return line.replace(/[^\t]/g, ' ');
}
