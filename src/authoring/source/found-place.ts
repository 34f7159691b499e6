import type { SourcePlace } from '../toolbar/protocol.ts';
import type { DataNode } from './data-node.ts';
import type { Attribute } from './literal-value.ts';
import type { Range } from './range.ts';

/** A place in a source text that names an asset by literal values. */
export interface FoundPlace extends Readonly<Omit<SourcePlace, 'hash'>> {
  /** In UTF-16 code units of the whole text, as `start`. */
  readonly end: number;
  /** The literal values, in the form of `MediaAssetRequest`. */
  readonly props: Readonly<Record<string, unknown>> & { readonly id: number };
  /** The names of props with expressions. A spread counts as `...`. */
  readonly computed: readonly string[];
  /** What `changePlace` edits. */
  readonly form: PlaceForm;
}

/** A source file's text, with a place in it. */
export interface PlacedText {
  readonly text: string;
  readonly place: FoundPlace;
}

type PlaceForm = TagForm | ImageForm | DataForm;

/** The opening tag of a component. */
export interface TagForm {
  readonly kind: 'tag';
  readonly attributes: readonly Attribute[];
}

/** A Markdown image with an address. */
export interface ImageForm {
  readonly kind: 'image';
  readonly alt: Range;
  readonly address: Range & { readonly value: string };
  /** Whether braces and `<` have a meaning in texts. */
  readonly mdx: boolean;
}

/** A value in YAML or JSON. */
export interface DataForm {
  readonly kind: 'value';
  readonly node: DataNode;
  readonly syntax: 'yaml' | 'json';
  /** The keys and indexes that lead to it in the file's data. */
  readonly path: readonly (string | number)[];
}

/** A part of a text to replace, in UTF-16 code units. */
export interface Edit extends Range {
  readonly text: string;
}

/** Line and column of an offset, both counted from 1. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - before.lastIndexOf('\n') };
}

export function applyEdits(text: string, edits: readonly Edit[]): string {
  const ordered = edits.toSorted((one, other) => other.start - one.start);
  return ordered.reduce(
    (result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end),
    text,
  );
}
