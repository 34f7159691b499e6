import type { Place } from '../../errors/place.ts';
import type { Edit } from '../source/source-text.ts';

/** A mention of a local image in a source. */
export interface LocalImage {
  readonly place: Place;
  /** From the project's root, with `/`. */
  readonly path: string;
  /** Its alt text, if that's written there. */
  readonly alt: string | undefined;
  /** The key of frontmatter or data whose value it is. */
  readonly field?: string | undefined;
  /** The edits that make it an asset, or why only a person can. */
  readonly edits: ((id: number) => readonly Edit[]) | string;
}

/** The path of an image to import that a source names by a URL; `undefined` for anything else. */
export type ResolveImage = (file: string, url: string) => string | undefined;
