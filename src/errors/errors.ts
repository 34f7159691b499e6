import { catalogue } from './error-catalogue.ts';
import type { Place, Subject } from './place.ts';
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
  /** Its URL or path. */
  declare readonly page?: string;
  /** The code or text that asked for the asset. */
  declare readonly place?: Place;
  /** The asset's ID. */
  declare readonly asset?: number;
  /** The function that asked, if no page or place is known. */
  declare readonly call?: string;

  constructor(
    code: Code,
    text: { message: string; hint: string },
    options: ErrorOptions & Subject = {},
  ) {
    super(text.message, 'cause' in options ? { cause: options.cause } : undefined);
    // Only what is known, because consoles print all properties.
    const { page, place, id: asset, call } = options;
    for (const [name, value] of Object.entries({ page, place, asset, call })) {
      if (value !== undefined) Object.assign(this, { [name]: value });
    }
    this.name = `MediaAssetError [${code}]`;
    this.code = code;
    const hint = hintWithCode({ code, hint: text.hint });
    this.hint = `${hint}\ndocs/reference/errors.md#${code}`;
  }
}

export function mediaAssetError<C extends Code>(
  code: C,
  details: Details<C>,
  options?: ErrorOptions & Subject,
): MediaAssetError {
  return new MediaAssetError(code, describe(code, details), { ...subjectOf(details), ...options });
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
  /** Its URL or path, if the finding is about one page. */
  readonly page?: string | undefined;
  /** The code or text that asked for the asset, or the file that the finding is about. */
  readonly place?: Place | undefined;
  /** The asset's ID, if the finding is about one asset. */
  readonly asset?: number | undefined;
  readonly message: string;
  readonly hint: string;
}

export function finding<C extends Code>(
  severity: Finding['severity'],
  code: C,
  details: Details<C>,
  subject: Subject = subjectOf(details),
): Finding {
  const { page, place, id } = subject;
  return { code, severity, page, place, asset: id, ...describe(code, details) };
}

/** An error as a finding, for a run that goes on. */
export function findingOf(severity: Finding['severity'], error: MediaAssetError): Finding {
  const { code, page, place, asset, message, hint } = error;
  return { code, severity, page, place, asset, message, hint };
}

/** The details of an error that say what it's about. */
function subjectOf(details: unknown): Subject {
  const { page, place, id, call }: Subject = Object(details);
  return { page, place, id, call };
}
