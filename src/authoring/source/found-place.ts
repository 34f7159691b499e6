import { isMediaAddress, parseMediaAddress } from '../../assets/request/media-address.ts';
import { isAssetId, parseAssetId } from '../../errors/asset-id.ts';
import { isMediaAssetError } from '../../errors/errors.ts';
import type { SourcePlace } from '../toolbar/protocol.ts';
import type { DataEntry, DataNode } from './data-node.ts';
import type { Range } from './source-text.ts';

/** A place in a source text that names an asset by literal values. */
export type FoundPlace = ImagePlace | ValuePlace;

interface InFile extends Written, Range, Readonly<Pick<SourcePlace, 'file' | 'line' | 'column'>> {
  /** Whether the place links or plays the asset; `undefined` for data, which can be used in any way. */
  readonly isFile?: boolean;
  /** Whether it's a `<MediaVideo>`, which can have a poster. */
  readonly isVideo?: true | undefined;
}

export interface Written {
  /** The literal values, in the form of `MediaAssetRequest`. */
  readonly props: Readonly<Record<string, unknown>> & { readonly id: number };
  /** The names of props with expressions. A spread counts as `...`. */
  readonly computed: readonly string[];
}

export interface ImagePlace extends InFile {
  readonly kind: 'markdown';
  readonly node?: undefined;
  readonly alt: Range;
  readonly address: Range & { readonly value: string };
}

/** A component's opening tag, or a value in YAML or JSON. */
export interface ValuePlace extends InFile {
  readonly kind: 'component' | 'yaml' | 'json';
  readonly node: DataNode;
  /** The keys and indexes that lead to it in the file's data. */
  readonly path: readonly (string | number)[];
}

export interface PlacedText {
  readonly text: string;
  readonly place: FoundPlace;
}

/** What the entries of a value say about an image; `undefined` if its ID isn't literal. */
export function readEntries(entries: readonly DataEntry[]): Written | undefined {
  // Of several with the same name, the last one counts.
  const literals = new Map(entries.map(({ name, value }) => [name, value.literal]));
  const props = Object.fromEntries(
    Array.from(literals).flatMap(([name, literal]) => (literal ? [[name, literal.value]] : [])),
  );
  const id = typeof props.id === 'string' ? parseAssetId(props.id) : props.id;
  if (!isAssetId(id)) return undefined;
  const names = entries.map(({ name }) => name);
  const computed = names.filter((name, at) => !literals.get(name) || names.indexOf(name) !== at);
  return { props: { ...props, id }, computed };
}

export function toSourcePlace(place: FoundPlace, hash: string): SourcePlace {
  const { file, line, column, kind, start, isVideo } = place;
  return { file, line, column, kind, start, hash, number: numberOf(place), isVideo };
}

/** The ID of a place that has the number alone, which could be anything. */
export function numberOf({ node, props }: FoundPlace): number | undefined {
  const isNumber = node && !node.entries && !isMediaAddress(node.literal?.value);
  return isNumber ? props.id : undefined;
}

/** The props of a `media:` address; `undefined` for one that the build refuses, or another text. */
export function addressProps(
  url: unknown,
  parse: (url: string) => Written['props'] = (url) => ({ ...parseMediaAddress(url) }),
): Written['props'] | undefined {
  if (!isMediaAddress(url)) return undefined;
  try {
    return parse(url);
  } catch (thrown) {
    if (isMediaAssetError(thrown)) return undefined;
    throw thrown;
  }
}
