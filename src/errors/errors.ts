import { catalogue } from './error-catalogue.ts';

export type { UnavailableAsset } from './wording.ts';

type Catalogue = typeof catalogue;

/** A permanent code of the catalogue. */
export type Code = keyof Catalogue;

/** What the message of a code is made of; `undefined` for a message that needs nothing. */
type Details<C extends Code> = Parameters<Catalogue[C]['message']>[0];

/** Every code with its hint, in the order of the catalogue. */
export function codes(): { code: Code; hint: string }[] {
  return Object.entries(catalogue).map(([code, { hint }]) => ({ code: code as Code, hint }));
}

/** The text of one entry of the catalogue. */
export function describe<C extends Code>(
  code: C,
  details: Details<C>,
): { message: string; hint: string } {
  const entry = catalogue[code] as { message: (details: unknown) => string; hint: string };
  return { message: entry.message(details), hint: entry.hint };
}

/**
 * An error of the catalogue. `cause` holds what it came from. Never holds a secret. Astro's command
 * line prints `hint` and `cause` of itself, but not `name`: so the hint ends with the code.
 */
export class MediaAssetError extends Error {
  readonly code: Code;
  readonly hint: string;

  constructor(code: Code, text: { message: string; hint: string }, options?: ErrorOptions) {
    super(text.message, options);
    this.name = `MediaAssetError [${code}]`;
    this.code = code;
    const end = ` [${code}]`;
    this.hint = text.hint.endsWith(end) ? text.hint : `${text.hint}${end}`;
  }
}

export function mediaAssetError<C extends Code>(
  code: C,
  details: Details<C>,
  options?: ErrorOptions,
): MediaAssetError {
  return new MediaAssetError(code, describe(code, details), options);
}

/** Whether something thrown is an error of ours, with one of these codes if any are given. */
export function isMediaAssetError(
  thrown: unknown,
  ...codes: readonly Code[]
): thrown is MediaAssetError {
  return thrown instanceof MediaAssetError && (codes.length === 0 || codes.includes(thrown.code));
}

/** Something a person should know, as data: reporters turn it into text. */
export interface Finding {
  readonly code: Code;
  readonly severity: 'error' | 'warning' | 'notice';
  /** The page URL, file or other place that it is about. */
  readonly place: string;
  readonly message: string;
  readonly hint: string;
}

export function finding<C extends Code>(
  severity: Finding['severity'],
  code: C,
  place: string,
  details: Details<C>,
): Finding {
  return { code, severity, place, ...describe(code, details) };
}
