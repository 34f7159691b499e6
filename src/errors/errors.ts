import { catalogue } from './error-catalogue.ts';
import type { CatalogueEntry } from './wording.ts';

export type { UnavailableAsset } from './wording.ts';

type Catalogue = typeof catalogue;

/** A permanent code of the catalogue. */
export type Code = keyof Catalogue;

/** The details that a code's message is built from; `undefined` if it needs none. */
type Details<C extends Code> = Parameters<Catalogue[C]['message']>[0];

export function describe<C extends Code>(
  code: C,
  details: Details<C>,
): { message: string; hint: string } {
  const { message, hint, hintFor } = catalogue[code] as CatalogueEntry<Details<C>>;
  return { message: message(details), hint: hintFor?.(details) ?? hint };
}

export function isCode(text: unknown): text is Code {
  return typeof text === 'string' && Object.hasOwn(catalogue, text);
}

/** The hint of a finding or an error, without the code and the link at its end. */
export function hintAlone({ code, hint }: { code: Code; hint: string }): string {
  return hint.split(` [${code}]`, 1)[0] ?? hint;
}

/** The hint of a finding or an error with its code, which is the heading in the docs. */
export function hintWithCode(found: { code: Code; hint: string }): string {
  return `${hintAlone(found)} [${found.code}]`;
}

/**
 * An error of the catalogue, with its original error as `cause`. It never contains a secret.
 *
 * Astro's command line prints `hint` and `cause`, but not `name`. So the hint ends with the code and
 * a link to the docs.
 */
export class MediaAssetError extends Error {
  readonly code: Code;
  readonly hint: string;

  constructor(code: Code, text: { message: string; hint: string }, options?: ErrorOptions) {
    super(text.message, options);
    this.name = `MediaAssetError [${code}]`;
    this.code = code;
    const hint = hintWithCode({ code, hint: text.hint });
    this.hint = `${hint}\ndocs/reference/errors.md#${code}`;
  }
}

export function mediaAssetError<C extends Code>(
  code: C,
  details: Details<C>,
  options?: ErrorOptions,
): MediaAssetError {
  return new MediaAssetError(code, describe(code, details), options);
}

/**
 * Whether a thrown value is one of our errors and, if codes are given, has one of them. It can come
 * from another copy of this package: commands evaluate the site's config, which has its own.
 */
export function isMediaAssetError(
  thrown: unknown,
  ...codes: readonly Code[]
): thrown is MediaAssetError {
  if (!(thrown instanceof Error && 'code' in thrown && 'hint' in thrown)) return false;
  const { code } = thrown;
  return isCode(code) && (codes.length === 0 || codes.includes(code));
}

/** Something that a person should know, as data. Reporters turn it into text. */
export interface Finding {
  readonly code: Code;
  readonly severity: 'error' | 'warning' | 'notice';
  /** The page URL, file or other place that the finding is about. */
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
