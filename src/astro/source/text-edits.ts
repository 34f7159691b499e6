/** A part of a text, in UTF-16 code units, and its new text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits that don't overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let changed = text;
  for (const edit of edits.toSorted((a, b) => b.start - a.start)) {
    changed = changed.slice(0, edit.start) + edit.text + changed.slice(edit.end);
  }
  return changed;
}

/** A prop that the source computes, or that its syntax can't hold. The message is its name. */
export class ComputedProp extends Error {
  override readonly name = 'ComputedProp';
}
