import type { CropState } from '../../crop-editor/crop-state.ts';
import type { LibraryPosition } from '../../library/library.ts';
import type { SavedPlace } from '../protocol.ts';

export interface Drawing {
  readonly draftKey: string;
  /** The props that the source has. */
  readonly before: string;
  readonly states: readonly CropState[];
}

/** What was just saved, or undone. */
export interface Done extends SavedPlace {
  readonly isUndone?: boolean;
}

/** What a reload of the page, as after a save, must not lose. */
export interface TabMemory {
  readonly isOpen?: boolean | undefined;
  readonly isInLibrary?: boolean;
  /** Whether the panel is on the left. */
  readonly isLeft?: boolean | undefined;
  readonly selected?: string | undefined;
  readonly done?: Done | undefined;
  /** The `draftKey` of the image whose alt text has the keyboard's focus. */
  readonly typing?: string | undefined;
  /** Alt texts that aren't saved, by `draftKey`, with those that the source had. */
  readonly drafts?: Readonly<Record<string, { readonly text: string; readonly before: string }>>;
  /** What is drawn in the crop editor. */
  readonly drawing?: Drawing | undefined;
  readonly library?: LibraryPosition | undefined;
}

const key = 'astro-media-asset';

/** Reads what this browser tab remembers: nothing if the browser allows no storage. */
export function readMemory(): TabMemory {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}');
  } catch {
    return {};
  }
}

/** Adds to what this browser tab remembers. `undefined` removes a value. */
export function remember(values: TabMemory): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ ...readMemory(), ...values }));
  } catch {
    // Without storage, a reload closes the app.
  }
}
