import { isDeepStrictEqual } from 'node:util';
import { load } from 'js-yaml';
import remarkGfm from 'remark-gfm';
import remarkMdx from 'remark-mdx';
import remarkParse from 'remark-parse';
import ts from 'typescript';
import { unified } from 'unified';
import type { FoundPlace } from '../../../src/authoring/source/found-place.ts';
import type { AssetChange } from '../../../src/authoring/toolbar/protocol.ts';

interface Save {
  readonly before: string;
  readonly after: string;
  /** As it was found before. */
  readonly place: FoundPlace;
  readonly change: AssetChange;
}

/**
 * What's wrong with a changed source, by other parsers than the toolbar's: js-yaml, `JSON.parse`, remark
 * and TypeScript. `undefined` if nothing is, `unread` if they can't read the source before the change.
 */
export function problemOf(save: Save): string | undefined {
  const { before, after, place } = save;
  if (Buffer.from(after).toString() !== after) return 'not UTF-8';
  switch (place.kind) {
    case 'json':
      return problemOfData(save, JSON.parse);
    case 'yaml': {
      const [, head = '', body] = /^(---\r?\n[\s\S]*?^---[ \t]*$)([\s\S]*)$/m.exec(before) ?? [];
      if (!place.file.endsWith('.md')) return problemOfData(save, loadYaml);
      if (body === undefined || !after.endsWith(body)) return 'the body';
      const yamlOf = (text: string) => loadYaml(text.slice(3, text.length - body.length - 3));
      return head === '' ? 'no frontmatter' : problemOfData(save, yamlOf);
    }
    case 'markdown':
      return problemOfImage(save);
    case 'component':
      return problemOfTag(save);
  }
}

function loadYaml(text: string): unknown {
  return load(text, { json: true });
}

type Values = Record<string, unknown>;

function problemOfData({ before, after, place, change }: Save, read: (text: string) => unknown) {
  const parse = (text: string): { data: unknown } | string => {
    try {
      return JSON.parse(JSON.stringify({ data: read(text) }));
    } catch (error) {
      return `broken: ${error}`;
    }
  };
  const [old, now] = [parse(before), parse(after)];
  if (typeof old === 'string') return 'unread';
  if (typeof now === 'string') return now;
  if (!place.node) return 'no data';
  const path = ['data', ...place.path];
  const [was, is] = [at(old, path), at(now, path)];
  if (was === undefined) return 'unread';
  if (/^\s*-?\d[\d.e]*\s*$/.test(String(was))) {
    const mapOf = (value: unknown): unknown => (Object(value) === value ? value : { id: value });
    if (!isDeepStrictEqual(normal(mapOf(is)), normal(changed(mapOf(was) as Values, change)))) {
      return `number ${JSON.stringify(is)}`;
    }
  } else if (typeof was === 'string') {
    const problem = problemOfAddress(was, is, change);
    if (problem) return problem;
  } else if (!isDeepStrictEqual(normal(is), normal(changed(was as Values, change)))) {
    return `value ${JSON.stringify(is)}`;
  }
  set(old, path);
  set(now, path);
  return isDeepStrictEqual(old, now) ? undefined : 'other values';
}

function at(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce((inner, key) => (Object(inner) as Values)[key], value);
}

function set(value: unknown, path: readonly (string | number)[]): void {
  (at(value, path.slice(0, -1)) as Values)[path.at(-1) ?? ''] = null;
}

function changed(values: Values, { sources, ...props }: AssetChange): Values {
  const all: Values = { ...values };
  for (const [name, value] of Object.entries(props)) {
    if (value === null) delete all[name];
    else all[name] = value;
  }
  if (!sources) return all;
  const list = [...((all.sources ?? []) as Values[])];
  for (const { index, crop } of sources) list[index] = { ...list[index], crop: crop ?? undefined };
  return { ...all, sources: list };
}

function normal(value: unknown): unknown {
  const text = JSON.stringify({ value }, (name, one) => {
    if (name === 'unit' && one === 'pixel') return undefined;
    return name === 'id' ? String(one) : one;
  });
  return JSON.parse(text);
}

function problemOfAddress(was: string, is: unknown, { sources, ...change }: AssetChange) {
  const old = readAddress(was);
  if (old && !sources && Object(is) === is) {
    // An address has no alt text: with one, it's a map.
    const { decoration: _, ...texts } = old;
    const values = Object.fromEntries(Object.entries(texts).map(([k, v]) => [k, inMap(k, v)]));
    const same = isDeepStrictEqual(normal(is), normal(changed(values, change)));
    return same && change.alt !== undefined ? undefined : `map ${JSON.stringify(is)}`;
  }
  const now = readAddress(String(is));
  if (!old || !now || sources) return `address ${is}`;
  const expected: Values = { ...old };
  for (const [name, value] of Object.entries(change)) {
    // An empty text alone would stand for the record's.
    if (name === 'alt' && value === '') expected.decoration = '';
    else if (name === 'alt') delete expected.decoration;
    else if (value === null) delete expected[name];
    else expected[name] = name === 'id' ? String(value) : value;
  }
  const same = isDeepStrictEqual(normal(now), normal(expected));
  return same ? undefined : `address ${is}`;
}

function readAddress(address: string): Values | undefined {
  const [, id, query = ''] = /^media:(-?\d+)(?:\?(.*))?$/is.exec(address.trim()) ?? [];
  if (id === undefined) return undefined;
  const values: Values = { id };
  for (const one of query.split('&').filter(Boolean)) {
    const [name = '', value = ''] = one.split('=').map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });
    values[name] = readParameter(name, value);
  }
  return values;
}

/** A parameter's value as a prop. */
function inMap(name: string, value: unknown): unknown {
  if (name === 'priority') return true;
  if (name === 'position') return String(value).replace(',', ' ');
  return name === 'widths' ? String(value).split(',').map(Number) : value;
}

function readParameter(name: string, value: string): unknown {
  const numbers = value.split(',').map(Number);
  if (name === 'crop') {
    const [x, y, width, height] = numbers;
    const unit = /[.e]/.test(value) ? { unit: 'fraction' } : {};
    return { ...unit, x, y, width, height };
  }
  if (name === 'focus' && numbers.length === 2) return { x: numbers[0], y: numbers[1] };
  return name === 'aspect' && Number.isFinite(Number(value)) ? Number(value) : value;
}

interface Node {
  readonly type: string;
  readonly position?: { readonly start: { readonly offset?: number } };
  readonly children?: readonly Node[];
  readonly alt?: string | null;
  readonly url?: string;
}

const markdown = unified().use(remarkParse).use(remarkGfm).freeze();
const mdx = markdown().use(remarkMdx).freeze();

function parseMarkdown(text: string, isMdx: boolean): Node {
  const blank = text.replace(/^---\r?\n[\s\S]*?^---[ \t]*$/m, (head) =>
    head.replace(/[^\r\n]/g, ' '),
  );
  return (isMdx ? mdx : markdown).parse(blank) as Node;
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.children ?? []).flatMap(nodesOf)];
}

function problemOfImage({ before, after, place, change }: Save): string | undefined {
  const isMdx = place.file.endsWith('.mdx');
  if (!after.startsWith(before.slice(0, place.start))) return 'text before';
  if (!after.endsWith(before.slice(place.end))) return 'text after';
  const old = parseBefore(before, isMdx);
  if (!old) return 'unread';
  const now = parseMarkdown(after, isMdx);
  const find = (tree: Node) =>
    nodesOf(tree).find(
      ({ type, position }) => type === 'image' && position?.start.offset === place.start,
    );
  const [was, is] = [find(old), find(now)];
  if (!was) return 'unread';
  if (!is) return 'no image';
  const { alt = was.alt ?? '' } = change;
  if ((is.alt ?? '') !== alt) return `alt ${JSON.stringify(is.alt)}`;
  const problem = problemOfAddress(was.url ?? '', is.url, change);
  if (problem) return problem;
  return textAround(old, was) === textAround(now, is) ? undefined : 'other nodes';
}

/** A tree without positions, and without the address and the text of one image. */
function textAround(tree: Node, image: Node): string {
  return JSON.stringify(tree, (name, value) => {
    if (name === 'position' || name === 'data') return undefined;
    return value === image ? { ...image, alt: '', url: '' } : value;
  });
}

let last: { readonly text: string; readonly tree: Node | undefined } | undefined;

/** Reads a text once for all of its places. `undefined` if it can't be read. */
function parseBefore(text: string, isMdx: boolean): Node | undefined {
  if (last?.text === text) return last.tree;
  let tree: Node | undefined;
  try {
    tree = parseMarkdown(text, isMdx);
  } catch {
    // Refused.
  }
  last = { text, tree };
  return tree;
}

function problemOfTag({ before, after, place, change }: Save): string | undefined {
  const [start, end] = [before.slice(0, place.start), before.slice(place.end)];
  if (!after.startsWith(start) || !after.endsWith(end)) return 'text around';
  const old = readTag(before.slice(place.start, place.end));
  if (!old) return 'unread';
  const now = readTag(after.slice(start.length, after.length - end.length));
  if (!now) return 'broken tag';
  const names = Object.keys(change);
  const others = (all: readonly Attribute[]) =>
    all.filter(({ name }) => !names.includes(name)).map(({ text }) => text);
  if (!isDeepStrictEqual(others(old), others(now))) return 'other attributes';
  const valuesOf = (all: readonly Attribute[]) =>
    Object.fromEntries(
      all.filter(({ name }) => names.includes(name)).map(({ name, value }) => [name, value]),
    );
  const twice = now
    .map(({ name }) => name)
    .filter((name, index, all) => names.includes(name) && all.indexOf(name) !== index);
  if (twice.length > 0) return `twice ${twice}`;
  if (isDeepStrictEqual(normal(valuesOf(now)), normal(changed(valuesOf(old), change))))
    return undefined;
  return `values ${JSON.stringify(valuesOf(now))}`;
}

interface Attribute {
  readonly name: string;
  readonly text: string;
  readonly value: unknown;
}

/** The attributes of an opening tag, as TypeScript reads it; `undefined` if it can't. */
function readTag(tag: string): Attribute[] | undefined {
  // `<MediaAsset /* c */>` ends like a closed one.
  return parseTag(tag) ?? parseTag(`${tag}</MediaAsset>`);
}

function parseTag(tag: string): Attribute[] | undefined {
  const source = ts.createSourceFile(
    'tag.tsx',
    tag,
    ts.ScriptTarget.Latest,
    true,
    ts.ScriptKind.TSX,
  );
  const { parseDiagnostics } = source as unknown as { parseDiagnostics: readonly unknown[] };
  const [statement, ...others] = source.statements;
  if (parseDiagnostics.length > 0 || others.length > 0) return undefined;
  if (!statement || !ts.isExpressionStatement(statement)) return undefined;
  const { expression } = statement;
  const opening = ts.isJsxElement(expression) ? expression.openingElement : expression;
  if (!ts.isJsxSelfClosingElement(opening) && !ts.isJsxOpeningElement(opening)) return undefined;
  return opening.attributes.properties.map((property) => {
    const text = property.getText();
    if (ts.isJsxSpreadAttribute(property)) return { name: '...', text, value: undefined };
    const { initializer } = property;
    const written =
      initializer && ts.isJsxExpression(initializer) ? initializer.expression : initializer;
    return { name: property.name.getText(), text, value: written && literalOf(written) };
  });
}

function literalOf(node: ts.Node): unknown {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isPrefixUnaryExpression(node)) return -Number(literalOf(node.operand));
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node))
    return literalOf(node.expression);
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(literalOf);
  if (!ts.isObjectLiteralExpression(node)) return { computed: node.getText() };
  return Object.fromEntries(
    node.properties.map((property) => {
      if (!ts.isPropertyAssignment(property)) return ['computed', property.getText()];
      const { name, initializer } = property;
      return [ts.isStringLiteral(name) ? name.text : name.getText(), literalOf(initializer)];
    }),
  );
}
