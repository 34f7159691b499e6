export interface UnavailableAsset {
  readonly id: number;
  /** The HTTP status that the service gave, or undefined where it was another failure. */
  readonly status: number | undefined;
  readonly pages: readonly string[];
}

const mostNames = 10;

/**
 * A text on one line. Names come from pages and services, and may hold what moves a terminal's cursor
 * or turns a line around.
 */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, ' ');
}

export function countOf(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Asset ids as a sentence has them: ten at most, and how many more there are. */
export function listIds(ids: readonly number[]): string {
  return listNames(ids.map(String));
}

/** The same for names. */
export function listNames(names: readonly string[]): string {
  const more = names.length - mostNames;
  return `${names.slice(0, mostNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A value as a message shows it: JSON where it has one, at most 80 characters. */
export function show(value: unknown): string {
  let text: string | undefined;
  try {
    text =
      typeof value === 'number' || typeof value === 'bigint'
        ? String(value)
        : JSON.stringify(value);
  } catch {
    // A circular value has no JSON; its plain form must do.
  }
  text = oneLine(text ?? String(value));
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** One asset stands in the sentence, since such a message is often shown on one line; several stand below it. */
export function nameUnavailable(sentence: string, assets: readonly UnavailableAsset[]): string {
  const [first, ...others] = assets.map(({ id, status, pages }) =>
    [
      `asset ${id}`,
      ...(status === undefined ? [] : [`(${status})`]),
      ...(pages.length === 0 ? [] : [`on ${pages.join(', ')}`]),
    ].join(' '),
  );
  if (others.length === 0) return `${sentence} ${first}.`;
  return `${sentence}:\n${[first, ...others].map((one) => `  - ${one}`).join('\n')}`;
}

/** A part of the error catalogue: each code with what makes its message, and its hint. */
export type CatalogueEntries = Record<
  string,
  { message: (details: never) => string; hint: string }
>;
