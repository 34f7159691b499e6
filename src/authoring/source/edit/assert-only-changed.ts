import { isDeepStrictEqual } from 'node:util';
import { Lexer } from 'yaml';
import { mediaAssetError } from '../../../errors/errors.ts';
import type { AssetChange } from '../../toolbar/protocol.ts';
import { dataValue } from '../data-node.ts';
import type { FoundPlace, PlacedText } from '../found-place.ts';
import { parseMarkdown } from '../markdown-places.ts';
import { frontmatterRange, isMarkdown } from '../source-text.ts';
import { parseAstro } from '../tag-places.ts';
import { changeable } from './write-value.ts';

type WrittenProps = Readonly<Record<string, unknown>>;

/** A change, and in an address whether the image is a decoration. */
export type SourceChange = AssetChange & { readonly decoration?: true | null };

/**
 * The props that a place has after a change.
 *
 * @throws `source-computed` if it doesn't have the entry of `sources` to change
 */
export function expectedProps(
  { file, line, props }: Pick<FoundPlace, 'file' | 'line'> & { readonly props: unknown },
  change: SourceChange,
): WrittenProps {
  const expected: Record<string, unknown> = { ...(props as WrittenProps) };
  for (const name of changeable) {
    const value = change[name];
    if (value === null) delete expected[name];
    else if (value !== undefined) expected[name] = value;
  }
  if (!change.sources) return expected;
  const sources: WrittenProps[] = Array.isArray(expected.sources) ? [...expected.sources] : [];
  for (const { index, crop } of change.sources) {
    const source = sources[index];
    if (!source) throw mediaAssetError('source-computed', { file, line, prop: 'sources' });
    sources[index] = { ...source, crop: crop ?? undefined };
  }
  return { ...expected, sources };
}

export function unsafe({ file, line }: Pick<FoundPlace, 'file' | 'line'>, cause?: unknown): Error {
  return mediaAssetError('source-unsafe', { file, line }, { cause });
}

/** UTF-8 has no halves of a surrogate pair, and Markdown no NUL. */
export function isWritable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/**
 * The gate in front of every save: the place has the intended props and every other part of it is the
 * same, all text around it is the same, and a parser reads the same around it.
 */
export async function assertOnlyChanged(
  before: PlacedText,
  { now, change }: { now: PlacedText; change: SourceChange },
): Promise<void> {
  const { place } = before;
  const isSame =
    isWritable(now.text) &&
    canonical(now.place.props) === canonical(expectedProps(place, change)) &&
    (isText(before.place) || isDeepStrictEqual(othersOf(before, change), othersOf(now, change))) &&
    isSameAround(before, now) &&
    isDeepStrictEqual(commentsOf(before), commentsOf(now));
  if (!isSame) throw unsafe(place);
  const isWhole = isText(now.place);
  // A parser may read another value at the place if a key is there twice, or its form has no value.
  const intended = (own: unknown) => {
    if (isWhole) return now.place.node?.literal?.value;
    const props = Object(own) === own ? own : place.props;
    return canonical(expectedProps({ ...place, props }, change));
  };
  const read = (own: unknown) => (isWhole ? own : canonical(own));
  const isRead = isDeepStrictEqual(await readFile(before, intended), await readFile(now, read));
  if (!isRead) throw unsafe(place);
}

/** Whether a place is an address in data, which has no other parts. It may become a map. */
function isText({ node }: FoundPlace): boolean {
  return node !== undefined && node.entries === undefined;
}

/** Crops with and without `unit: 'pixel'` are the same, keys in another order, and a poster's ID alone. */
function canonical(props: unknown): string {
  return JSON.stringify(props, (key, value) => {
    if (key === 'aspect' || key === 'id') return String(value);
    if (key === 'poster' && typeof value === 'number') return { id: value };
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const entries = Object.entries(value).filter(
      ([name, one]) => !(name === 'unit' && one === 'pixel'),
    );
    return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/** What the place's text has apart from the props to change. */
function othersOf({ text, place }: PlacedText, change: SourceChange): unknown {
  const isKept = ({ name }: { name: string }) =>
    !(Object.hasOwn(change, name) && Reflect.get(change, name) !== undefined);
  if (place.node) {
    return place.node.entries
      ?.filter(isKept)
      .map(({ name, start, end }) => [name, text.slice(start, end)]);
  }
  const { alt, address } = place;
  const start = text.slice(place.start, alt.start);
  return [start, text.slice(alt.end, address.start), text.slice(address.end, place.end)];
}

/** Comments of YAML may follow the place that were in it, before an entry that is gone. */
function isSameAround(before: PlacedText, now: PlacedText): boolean {
  const start = before.text.slice(0, before.place.start);
  const end = before.text.slice(before.place.end);
  const after = now.text.slice(now.place.end);
  const added = after.slice(0, after.length - end.length).split('\n');
  return (
    now.text.slice(0, now.place.start) === start &&
    after.endsWith(end) &&
    added.every((line) => (now.place.kind === 'yaml' ? /^\s*(?:#|$)/ : /^$/).test(line))
  );
}

function commentsOf({ text, place }: PlacedText): string[] {
  if (place.kind === 'component') {
    const tag = text.slice(place.start, place.end);
    return Array.from(tag.matchAll(commentOrText), ([, comment]) => comment ?? '').filter(Boolean);
  }
  const tokens = place.kind === 'yaml' ? [...new Lexer().lex(yamlOf(text, place))] : [];
  return tokens.filter((token) => token.startsWith('#'));
}

/** A comment of JavaScript, or a text, which has none. */
const commentOrText = /"[^"]*"|'[^']*'|`[^`]*`|(\/\*[\s\S]*?\*\/|\/\/.*)/g;

/** The frontmatter of a Markdown file, or the whole text of a YAML file. */
function yamlOf(text: string, { file }: FoundPlace): string {
  const range = isMarkdown(file) ? frontmatterRange(text) : undefined;
  return range ? text.slice(range.start, range.end) : text;
}

/**
 * What parsers read in the file, without the props of the place. In YAML and JSON, `ownOf` makes the
 * value at the place comparable.
 */
async function readFile(
  { text, place }: PlacedText,
  ownOf: (value: unknown) => unknown,
): Promise<unknown> {
  const { file, kind, start } = place;
  try {
    if (kind === 'yaml' || kind === 'json') {
      const value = kind === 'json' ? JSON.parse(text) : dataValue(yamlOf(text, place));
      return replaceAt(value, place.path, ownOf);
    }
    const parse = isMarkdown(file) ? parseMarkdown : parseAstro;
    return bare(await parse({ file, text }), start);
  } catch (cause) {
    throw unsafe(place, cause);
  }
}

function replaceAt(
  value: unknown,
  [key, ...rest]: readonly (string | number)[],
  replace: (inner: unknown) => unknown,
): unknown {
  if (key === undefined) return replace(value);
  if (typeof value !== 'object' || value === null) throw new TypeError('The parsers disagree.');
  const inner = replaceAt(Reflect.get(value, key), rest, replace);
  return Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner };
}

/** Positions in a tree, which move with the change. */
const positions: ReadonlySet<string> = new Set(['start', 'end', 'position']);

/** A parser's tree without positions, and without the props of the node that starts at the place. */
export function bare(node: unknown, place?: number): unknown {
  if (Array.isArray(node)) return node.map((one) => bare(one, place));
  if (typeof node !== 'object' || node === null) return node;
  const type = String(Reflect.get(node, 'type'));
  const isPlace = place !== undefined && startOf(node) === place;
  // The text around the address has the title.
  if (isPlace && /^(?:image|link)$/.test(type)) return 'the place';
  const isTag = isPlace && /^(?:JSXOpeningElement|mdxJsx\w+Element)$/.test(type);
  const kept = Object.entries(node).filter(
    ([name]) => !positions.has(name) && !(isTag && name === 'attributes'),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, bare(value, place)]));
}

function startOf(node: object): unknown {
  const { start, position } = node as {
    start?: unknown;
    position?: { start?: { offset?: unknown } };
  };
  return start ?? position?.start?.offset;
}
