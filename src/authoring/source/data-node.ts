import * as yaml from 'yaml';
import { mediaAssetError } from '../../errors/errors.ts';
import { placeAt } from '../../errors/place.ts';
import { frontmatterRange, isMarkdown, type Range, type SourceFile } from './source-text.ts';

/** A value of YAML, JSON or JavaScript. Offsets are the file's, without line ends after it. */
export interface DataNode extends Range {
  /** `undefined` if the value has to be computed, or has an alias or a merge key in it. */
  readonly literal: { readonly value: unknown } | undefined;
  readonly style: 'plain' | 'quoted' | 'block' | 'flow';
  readonly braces?: Range;
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
  QUOTE_SINGLE: 'quoted',
  QUOTE_DOUBLE: 'quoted',
};

/** Builds read a plain `2026-01-01` as a date. */
const asBuilds: yaml.ParseOptions & yaml.SchemaOptions = { customTags: ['timestamp'] };

/**
 * The root of the data in a YAML or JSON file, or in a Markdown file's frontmatter.
 *
 * @throws `source-unreadable`
 */
export function readData(source: SourceFile): DataNode | undefined {
  const { file, text } = source;
  const isJson = /\.json$/i.test(file);
  if (isJson) checkJson(source);
  const range = isMarkdown(file) ? frontmatterRange(text) : { start: 0, end: text.length };
  if (!range) return undefined;
  const { start, end } = range;
  // JSON may be indented with tabs, which strings can't have.
  const blank = isJson ? text.replaceAll('\t', ' ') : text;
  const options = { ...asBuilds, uniqueKeys: false, prettyErrors: false };
  const { contents, errors } = yaml.parseDocument(blank.slice(start, end), options);
  const [wrong] = errors;
  if (wrong) {
    const details = { ...placeAt(source, start + wrong.pos[0]), reason: wrong.message };
    throw mediaAssetError('source-unreadable', details, { cause: wrong });
  }
  return contents ? toNode(contents, { ...source, start }) : undefined;
}

/** A parser of YAML reads more than JSON. */
function checkJson(source: SourceFile): void {
  try {
    JSON.parse(source.text);
  } catch (cause) {
    // Most messages name the line.
    const { message: reason } = cause as SyntaxError;
    throw mediaAssetError('source-unreadable', { file: source.file, reason }, { cause });
  }
}

/**
 * The value of a YAML text, with its aliases and merge keys resolved.
 *
 * @throws errors of the parser, also for a key that a map has twice, as in a build
 */
export function dataValue(text: string): unknown {
  const document = yaml.parseDocument(text, { ...asBuilds, merge: true, logLevel: 'error' });
  const [wrong] = document.errors;
  if (wrong) throw wrong;
  return document.toJS();
}

type DataSource = SourceFile & { readonly start: number };

function toNode(node: unknown, source: DataSource): DataNode | undefined {
  if (!yaml.isNode(node)) return undefined;
  const range = rangeOf(node.range, source);
  if (yaml.isAlias(node)) {
    return { ...range, literal: undefined, style: 'plain' };
  }
  if (yaml.isScalar(node)) {
    return { ...range, literal: { value: node.value }, style: styles[node.type ?? ''] ?? 'block' };
  }
  const style = node.flow === true ? 'flow' : 'block';
  if (yaml.isMap(node)) {
    const entries = node.items.flatMap((pair): DataEntry[] => {
      const value = toNode(pair.value, source);
      if (!yaml.isScalar(pair.key) || !value) return [];
      const key = rangeOf(pair.key.range, source);
      return [{ name: String(pair.key.value), key, value, start: key.start, end: value.end }];
    });
    return collectionNode({ ...range, style, entries }, node.items.length);
  }
  const items = node.items.flatMap((item) => toNode(item, source) ?? []);
  return collectionNode({ ...range, style, items }, node.items.length);
}

/** @param parts the number of entries or items in the source, of which some may be unreadable */
export function collectionNode(node: Omit<DataNode, 'literal'>, parts: number): DataNode {
  const { entries, items = [] } = node;
  const inner = entries?.map(({ value }) => value) ?? items;
  const isLiteral =
    inner.length === parts &&
    inner.every(({ literal }) => literal) &&
    !entries?.some(({ name }) => name === '<<');
  const values = inner.map(({ literal }) => literal?.value);
  const value = entries
    ? Object.fromEntries(entries.map(({ name }, at) => [name, values[at]]))
    : values;
  return { ...node, literal: isLiteral ? { value } : undefined };
}

function rangeOf(
  range: readonly [number, number, number] | null | undefined,
  { text, start }: DataSource,
): Range {
  const [from, to] = range ?? [0, 0];
  const value = text.slice(start + from, start + to);
  // A no-break space is part of a text.
  return { start: start + from, end: start + from + value.replace(/[ \t\r\n]+$/, '').length };
}
