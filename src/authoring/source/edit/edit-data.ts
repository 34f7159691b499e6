import { cropEntries } from '../../../assets/geometry/write-crop.ts';
import { mediaAssetError } from '../../../errors/errors.ts';
import type { AssetChange } from '../../toolbar/protocol.ts';
import type { DataEntry, DataNode } from '../data-node.ts';
import type { DataForm, Edit, FoundPlace } from '../found-place.ts';
import { editAddress } from './edit-address.ts';
import {
  changeable,
  earlierProps,
  isCrop,
  lineEnd,
  writeLiteral,
  writeScalar,
} from './write-value.ts';

/** @throws `source-computed`, also for props that an address can't have */
export function editData(
  text: string,
  place: FoundPlace,
  { node, syntax }: DataForm,
  change: AssetChange,
): Edit[] {
  if (!node.entries) return editText(place, { node, syntax }, change);
  const { sources = [], ...props } = change;
  const changes = changeable.flatMap((name) => {
    const value = props[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  for (const [name] of changes) {
    const isWritten = node.entries.some((entry) => entry.name === name);
    if (place.computed.includes(name)) throw computed(place, name);
    if (!isWritten && place.computed.includes('...')) throw computed(place, '...');
  }
  const edits = changes.flatMap(([name, value]) => editEntry(text, node, { name, value, syntax }));
  const list = node.entries.find(({ name }) => name === 'sources')?.value;
  for (const { index, crop } of sources) {
    const entry = list?.items?.[index];
    if (!entry?.literal) throw computed(place, 'sources');
    edits.push(...editEntry(text, entry, { name: 'crop', value: crop, syntax }));
  }
  return edits;
}

function computed({ file, line }: FoundPlace, prop: string): Error {
  return mediaAssetError('source-computed', { file, line, prop });
}

/** Changes an address. */
function editText(
  place: FoundPlace,
  { node, syntax }: { node: DataNode; syntax: DataForm['syntax'] },
  { alt, sources, ...change }: AssetChange,
): Edit[] {
  if (alt !== undefined) throw computed(place, 'alt');
  if (sources) throw computed(place, 'sources');
  const old = String(node.literal?.value);
  const written = editAddress(old, change);
  if (written === old) return [];
  return [{ start: node.start, end: node.end, text: writeScalar(written, { ...node, syntax }) }];
}

interface Change {
  readonly name: string;
  readonly value: unknown;
  readonly syntax: DataForm['syntax'] | 'js';
}

/** Sets or removes an entry of a map. */
export function editEntry(text: string, map: DataNode, { name, value, syntax }: Change): Edit[] {
  const entries = map.entries ?? [];
  const at = entries.findIndex((entry) => entry.name === name);
  const entry = entries[at];
  if (!entry) return value === null ? [] : [addition(text, map, { name, value, syntax })];
  if (value === null) return [removal(text, map, at)];
  return replacement(text, entry.value, { name, value, syntax });
}

/** Writes a new value in the style of the old one. */
export function replacement(text: string, node: DataNode, { name, value, syntax }: Change): Edit[] {
  const write = (one: unknown, style: Pick<DataNode, 'style' | 'inFlow'>) =>
    syntax === 'js' ? writeLiteral(one, text[node.start]) : writeScalar(one, { ...style, syntax });
  const old = node.literal?.value;
  if (old === value || (name === 'id' && String(old) === String(value))) return [];
  const { start, end, entries } = node;
  if (!isCrop(value) || !entries) {
    const written = name === 'id' && typeof old === 'string' ? String(value) : value;
    const style = entries ? 'plain' : node.style;
    return [{ start, end, text: write(written, { ...node, style }) }];
  }
  const given = cropEntries(value);
  const kept = entries.filter(
    (entry) => entry.name !== 'unit' || entry.value.literal?.value !== 'pixel',
  );
  const names = new Set(kept.map((entry) => entry.name));
  if (given.length === names.size && given.every(([key]) => names.has(key))) {
    return kept.flatMap((entry) => {
      const one: unknown = Reflect.get(value, entry.name);
      return replacement(text, entry.value, { name: entry.name, value: one, syntax });
    });
  }
  if (node.style === 'flow') {
    return [{ start, end, text: write(value, node) }];
  }
  const lines = given.map(([key, one]) => `${key}: ${one}`);
  return [{ start, end, text: lines.join(`${lineEnd(text)}${indentation(text, start)}`) }];
}

/** Adds an entry after those that come before it, or at the end. In block style, it has its own line. */
function addition(text: string, map: DataNode, { name, value, syntax }: Change): Edit {
  const entries = map.entries ?? [];
  const earlier = earlierProps(name);
  const after = entries.findLast((entry) => earlier.includes(entry.name)) ?? entries.at(-1);
  const style = syntax === 'json' ? 'double' : 'plain';
  const written =
    syntax === 'js'
      ? writeLiteral(value)
      : writeScalar(value, { style, inFlow: map.style === 'flow', syntax });
  const key = syntax === 'json' ? JSON.stringify(name) : name;
  if (!after) return { start: map.start + 1, end: map.start + 1, text: ` ${key}: ${written} ` };
  if (map.style === 'flow') {
    const { end } = after;
    const space = /\s*$/.exec(text.slice(0, after.key.start))?.[0] ?? '';
    const colon = /^\s*:\s*/.exec(text.slice(after.key.end))?.[0] ?? ': ';
    const before = space.includes('\n') ? space : colon.endsWith(':') ? '' : ' ';
    return { start: end, end, text: `,${before}${key}${colon}${written}` };
  }
  const rest = /^[^\r\n]*/.exec(text.slice(after.value.end))?.[0] ?? '';
  const end = after.value.end + rest.length;
  const indent = indentation(text, after.key.start);
  return { start: end, end, text: `${lineEnd(text)}${indent}${key}: ${written}` };
}

function removal(text: string, map: DataNode, at: number): Edit {
  const entries = map.entries ?? [];
  const entry = entries[at] as DataEntry;
  const [previous, next] = [entries[at - 1], entries[at + 1]];
  const lineStart = text.lastIndexOf('\n', entry.key.start - 1) + 1;
  const ownsLine = text.slice(lineStart, entry.key.start).trim() === '';
  if (map.style === 'flow') {
    // A comma stays after the entry before it, so that a trailing one does too.
    if (next) return { start: entry.key.start, end: next.key.start, text: '' };
    return { start: previous?.end ?? entry.start, end: entry.end, text: '' };
  }
  if (!ownsLine && next) return { start: entry.key.start, end: next.key.start, text: '' };
  const rest = /^[^\n]*(?:\n|$)/.exec(text.slice(entry.value.end))?.[0] ?? '';
  return { start: lineStart, end: entry.value.end + rest.length, text: '' };
}

/** Spaces up to an offset's column: those of a list's `- ` too. */
function indentation(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return line.replace(/[^\t]/g, ' ');
}
