import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type ParseOptions,
  parseDocument,
  type SchemaOptions,
} from 'yaml';
import { mediaAssetError } from '../../errors/errors.ts';
import { positionOf, type Range, type SourceFile } from './source-text.ts';

/**
 * A value of YAML, JSON or JavaScript. Offsets are of the whole file, without line ends after the value,
 * and without parentheses and types around it.
 */
export interface DataNode extends Range {
  /** `undefined` if the value has to be computed, or has an alias or a merge key in it. */
  readonly literal: { readonly value: unknown } | undefined;
  /** Whether a plain text ends at a comma. */
  readonly inFlow: boolean;
  readonly style: 'plain' | 'single' | 'double' | 'block' | 'flow';
  readonly braces?: Range;
  /** Of an alias: the line of its anchor. */
  readonly anchor?: number | undefined;
  readonly entries?: readonly DataEntry[];
  readonly items?: readonly DataNode[];
}

/** From the start of its key to the end of its value. The entry of a spread is named `...`. */
export interface DataEntry extends Range {
  readonly name: string;
  readonly key: Range;
  readonly value: DataNode;
}

const styles: Readonly<Record<string, DataNode['style']>> = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
};

/** Builds read a plain `2026-01-01` as a date. */
const asBuilds: ParseOptions & SchemaOptions = { customTags: ['timestamp'] };

export function parseData({ path, text }: SourceFile, { start, end }: Range): DataNode | undefined {
  // JSON may be indented with tabs, which strings can't have.
  const blank = path.toLowerCase().endsWith('.json') ? text.replaceAll('\t', ' ') : text;
  const options = { ...asBuilds, uniqueKeys: false, prettyErrors: false };
  const document = parseDocument(blank.slice(start, end), options);
  const [wrong] = document.errors;
  if (wrong) {
    const found = { file: path, ...positionOf(text, start + wrong.pos[0]) };
    const details = { ...found, reason: wrong.message };
    throw mediaAssetError('source-unreadable', details, { cause: wrong });
  }
  return document.contents
    ? toNode(document.contents, { text, start, document }, false)
    : undefined;
}

/**
 * The value of a YAML text, with its aliases and merge keys resolved.
 *
 * @throws errors of the parser, also for a key that a map has twice, as in a build
 */
export function dataValue(text: string): unknown {
  const document = parseDocument(text, { ...asBuilds, merge: true, logLevel: 'error' });
  const [wrong] = document.errors;
  if (wrong) throw wrong;
  return document.toJS();
}

function toNode(
  node: unknown,
  source: { text: string; start: number; document: Document },
  inFlow: boolean,
): DataNode | undefined {
  if (isAlias(node)) {
    const { text, start, document } = source;
    const [offset] = node.resolve(document)?.range ?? [];
    const anchor = offset === undefined ? undefined : positionOf(text, start + offset).line;
    return { ...rangeOf(node.range, source), literal: undefined, inFlow, style: 'plain', anchor };
  }
  if (isScalar(node)) {
    const style = styles[node.type ?? ''] ?? 'block';
    return { ...rangeOf(node.range, source), literal: { value: node.value }, inFlow, style };
  }
  if (isMap(node)) {
    const flow = node.flow === true;
    const entries = node.items.flatMap((pair): DataEntry[] => {
      const read = toNode(pair.value, source, flow);
      if (!isScalar(pair.key) || !read) return [];
      const key = rangeOf(pair.key.range, source);
      const colon = /^\s*:/.exec(source.text.slice(key.end))?.[0] ?? '';
      const at = key.end + colon.length;
      // An empty value is right after the colon, before a comment.
      const value = colon && read.start === read.end ? { ...read, start: at, end: at } : read;
      const mark = /\?[ \t]+$/.exec(source.text.slice(0, key.start))?.[0] ?? '';
      const start = key.start - mark.length;
      return [{ name: String(pair.key.value), key, value, start, end: value.end }];
    });
    const isWhole = entries.length === node.items.length;
    const style = flow ? 'flow' : 'block';
    return mapNode(entries, { ...rangeOf(node.range, source), isWhole, inFlow, style });
  }
  if (!isSeq(node)) return undefined;
  const flow = node.flow === true;
  const items = node.items.flatMap((item) => toNode(item, source, flow) ?? []);
  const isWhole = items.length === node.items.length;
  const style = flow ? 'flow' : 'block';
  return listNode(items, { ...rangeOf(node.range, source), isWhole, inFlow, style });
}

type Collection = Omit<DataNode, 'literal'> & { readonly isWhole: boolean };

/** @param collection.isWhole whether all of its entries could be read */
export function mapNode(entries: readonly DataEntry[], { isWhole, ...node }: Collection): DataNode {
  const isLiteral = isWhole && entries.every(({ name, value }) => value.literal && name !== '<<');
  const values = entries.map(({ name, value }) => [name, value.literal?.value]);
  return {
    ...node,
    entries,
    literal: isLiteral ? { value: Object.fromEntries(values) } : undefined,
  };
}

export function listNode(items: readonly DataNode[], { isWhole, ...node }: Collection): DataNode {
  const isLiteral = isWhole && items.every(({ literal }) => literal);
  const value = items.map(({ literal }) => literal?.value);
  return { ...node, items, literal: isLiteral ? { value } : undefined };
}

function rangeOf(
  range: readonly [number, number, number] | null | undefined,
  { text, start }: { text: string; start: number },
): Range {
  const [from, to] = range ?? [0, 0];
  const value = text.slice(start + from, start + to);
  // A no-break space is part of a text.
  return { start: start + from, end: start + from + value.replace(/[ \t\r\n]+$/, '').length };
}
