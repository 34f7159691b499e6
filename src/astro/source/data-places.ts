import { extname } from 'node:path';
import {
  isMap,
  isPair,
  isScalar,
  type Pair,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import { isAssetId } from '../../errors/asset-id.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import type { AssetChange } from '../toolbar/protocol.ts';
import type { Found, SourceText } from './found-place.ts';
import { changeAddress, propsOfAddress } from './media-address-text.ts';
import { applyEdits, ComputedProp, type Edit } from './text-edits.ts';

/**
 * The values in a YAML or JSON file that `mediaAsset()` of a collection's schema takes. JSON is read as
 * YAML, which includes it.
 *
 * @param id also finds this ID as a bare number
 * @throws `source-unreadable`
 */
export function dataPlaces({ path, text }: SourceText, id?: number): Found[] {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw mediaAssetError('source-unreadable', { file: path, reason: error.message });
  const isJson = extname(path) === '.json';
  const found: Found[] = [];
  const inside = { source: text, isJson };
  visit(document, {
    Map(_, node) {
      const place = mapPlace(node, inside);
      if (place) found.push(place);
      return place ? visit.SKIP : undefined;
    },
    Scalar(key, node, parents) {
      if (key === 'key') return;
      const inFlow = parents.some((parent) => Reflect.get(Object(parent), 'flow') === true);
      const place = scalarPlace(node, { ...inside, id, inFlow });
      if (place) found.push(place);
    },
  });
  return found;
}

/** The same in the frontmatter of a Markdown file. */
export function frontmatterPlaces({ path, text }: SourceText, id?: number): Found[] {
  const [, fence = '', yaml] = /^(\uFEFF?---[ \t]*\r?\n)([\s\S]*?)^---[ \t]*$/m.exec(text) ?? [];
  if (yaml === undefined) return [];
  return dataPlaces({ path, text: yaml }, id).map((place) => ({
    ...place,
    start: place.start + fence.length,
  }));
}

interface Inside {
  readonly source: string;
  readonly isJson: boolean;
}

/** `{ id: 4711, crop: { … } }` in any style. */
function mapPlace(map: YAMLMap, inside: Inside): Found | undefined {
  const { source, isJson } = inside;
  const id = map.get('id');
  const [start, end] = map.range ?? [];
  if (!isAssetId(id) || start === undefined || end === undefined) return undefined;
  const props = map.toJSON() as Record<string, unknown>;
  const text = source.slice(start, end).trimEnd();
  return {
    kind: isJson ? 'json' : 'yaml',
    ...{ start, text, props: { ...props, id }, computed: [] },
    change: (change) => {
      const edits = pairEdits(change, map, inside);
      return applyEdits(
        text,
        edits.map((edit) => moved(edit, -start)),
      );
    },
  };
}

function moved({ start, end, text }: Edit, by: number): Edit {
  return { start: start + by, end: end + by, text };
}

function pairEdits({ sources, ...values }: AssetChange, map: YAMLMap, inside: Inside): Edit[] {
  const { source, isJson } = inside;
  const pairOf = (name: string) =>
    map.items.find((pair) => isPair(pair) && isScalar(pair.key) && pair.key.value === name);
  if (sources && Object.keys(sources).length > 0) throw new ComputedProp('sources');
  const edits: Edit[] = [];
  let inserted = '';
  const id = pairOf('id');
  const isFlow = map.flow === true;
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const pair = pairOf(name);
    if (pair && value === null) edits.push(removal(pair, map, source));
    else if (pair) edits.push(...valueEdits(pair, value, isJson));
    else if (value !== null) {
      const key = isJson ? JSON.stringify(name) : name;
      inserted += `${separator(id, { isFlow, source })}${key}: ${dataText(value, isJson)}`;
    }
  }
  if (inserted === '') return edits;
  const end = rangeOf(id?.value)?.[1] ?? 0;
  const comment = isFlow ? null : /^[^\r\n]*/.exec(source.slice(end));
  const at = end + (comment?.[0].length ?? 0);
  return [...edits, { start: at, end: at, text: inserted }];
}

/** Before a new pair, which follows `id`: a comma, or a line with the same indentation. */
function separator(
  id: Pair | undefined,
  { isFlow, source }: { isFlow: boolean; source: string },
): string {
  const [start = 0] = rangeOf(id?.key) ?? [];
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  const before = source.slice(lineStart, start);
  const newline = source.includes('\r\n') ? '\r\n' : '\n';
  if (isFlow) return before.trim() === '' && lineStart > 0 ? `,${newline}${before}` : ', ';
  // A list's first pair follows a dash: `- id: 4711`.
  return newline + before.replaceAll(/[^\t ]/g, ' ');
}

/** A block pair goes with its line, a flow pair with the comma before it. */
function removal(pair: Pair, map: YAMLMap, source: string): Edit {
  const [start = 0] = rangeOf(pair.key) ?? [];
  const [, end = start] = rangeOf(pair.value) ?? rangeOf(pair.key) ?? [];
  const before = source.slice(0, start);
  if (map.flow) {
    const comma = /,\s*$/.exec(before);
    if (comma) return { start: comma.index, end, text: '' };
    const after = /^\s*,\s*/.exec(source.slice(end));
    return { start, end: end + (after?.[0].length ?? 0), text: '' };
  }
  const gap = /\r?\n[ \t]*$/.exec(before);
  if (gap) return { start: gap.index, end, text: '' };
  // The first pair of a list's entry: the next one takes its place.
  const after = /^[^\n]*\n[ \t]*/.exec(source.slice(end));
  return { start, end: end + (after?.[0].length ?? 0), text: '' };
}

function valueEdits(pair: Pair, value: unknown, isJson: boolean): Edit[] {
  const written = pair.value;
  const [start, end] = rangeOf(written) ?? [];
  if (start === undefined || end === undefined) return [];
  if (isMap(written) && typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, one]) => one !== undefined);
    const scalars = entries.map(([key]) => written.get(key, true));
    if (entries.length === written.items.length && scalars.every((one) => isScalar(one))) {
      return entries.map(([, one], index) => {
        const [from = 0, to = 0] = rangeOf(scalars[index]) ?? [];
        return { start: from, end: to, text: dataText(one, isJson) };
      });
    }
  }
  return [{ start, end, text: scalarText(value, written as Scalar, isJson) }];
}

/** Keeps the quotes of the value before. */
function scalarText(value: unknown, written: Scalar, isJson: boolean): string {
  if (typeof value === 'string' && written.type === 'QUOTE_SINGLE') {
    return `'${value.replaceAll("'", "''")}'`;
  }
  if (typeof value === 'string' && written.type === 'QUOTE_DOUBLE') return JSON.stringify(value);
  return dataText(value, isJson);
}

/** A value in our style: `{ x: 1, y: 2, width: 3, height: 4 }`, `"A quay"`. */
function dataText(value: unknown, isJson: boolean): string {
  if (typeof value === 'string') {
    const isPlain =
      /^[a-z][\w ]*$/i.test(value) && !/^(?:true|false|null|yes|no|on|off)$/i.test(value);
    return isPlain && !isJson ? value : JSON.stringify(value);
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  const texts = entries.map(([key, one]) => {
    return `${isJson ? JSON.stringify(key) : key}: ${dataText(one, isJson)}`;
  });
  return `{ ${texts.join(', ')} }`;
}

/** `media:4711?crop=…`, or a bare number. */
function scalarPlace(
  node: Scalar,
  { source, isJson, id, inFlow }: Inside & { id: number | undefined; inFlow: boolean },
): Found | undefined {
  const [start, end] = node.range ?? [];
  if (start === undefined || end === undefined) return undefined;
  const isBare = id !== undefined && node.value === id;
  const props = isBare ? { id } : propsOfAddress(node.value);
  if (!props) return undefined;
  const text = source.slice(start, end);
  return {
    kind: isJson ? 'json' : 'yaml',
    ...{ start, text, props, computed: ['alt'] },
    change(change) {
      if (change.alt !== undefined) throw new ComputedProp('alt');
      const written = isBare ? `media:${id}` : String(node.value);
      const address = changeAddress(written, change);
      if (isBare && !address.includes('?')) return address.slice('media:'.length);
      const quoted = node.type === 'QUOTE_SINGLE' ? `'${address}'` : JSON.stringify(address);
      return node.type === 'PLAIN' && !isJson && !inFlow ? address : quoted;
    },
  };
}

function rangeOf(node: unknown): readonly number[] | undefined {
  return (node as { range?: readonly number[] } | undefined)?.range;
}
