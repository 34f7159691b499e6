import type { AssetChange, ShownProps, SourcePlace } from '../toolbar/protocol.ts';

/** A place in a source file that names an asset by literal values. */
export interface FoundPlace extends SourcePlace {
  /** Of `text` in the file, in UTF-16 code units. */
  readonly start: number;
  /** The literal values. */
  readonly props: ShownProps & { readonly id?: number; readonly alt?: string };
  /** Names of props whose values are expressions. `...` stands for a spread. */
  readonly computed: readonly string[];
  /** `text` with other props. @throws `ComputedProp` */
  change(change: AssetChange): string;
}

/** A place before its line and column are known. */
export type Found = Omit<FoundPlace, 'file' | 'line' | 'column'>;

export interface SourceText {
  /** For messages, and its extension tells the syntax. */
  readonly path: string;
  readonly text: string;
}
