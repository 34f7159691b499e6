import { catalogue } from './error-catalogue.ts';
import { errorPage } from './homepage.ts';
import type { Place, Subject } from './place.ts';
import { at, type CatalogueEntry } from './wording.ts';

export type { UnavailableAsset } from './wording.ts';

type Catalogue = typeof catalogue;

/** A permanent code of the catalogue. */
export type Code = keyof Catalogue;

/** The names that a message has in braces. */
type NameIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NameIn<Rest>
  : never;

/** The details that a message is built from; `undefined` if it needs none. */
type DetailsOf<Message> = Message extends (details: infer Details) => string
  ? Details
  : [NameIn<Message>] extends [never]
    ? Subject | undefined
    : Subject & Record<Exclude<NameIn<Message>, 'at'>, string | number>;
type Details<C extends Code> = DetailsOf<Catalogue[C]['message']>;

/** The text of an error or a finding, and what it's about. */
interface Described extends Omit<Subject, 'id'> {
  readonly message: string;
  readonly hint: string;
  /** The asset's ID, if it's about one asset. */
  readonly asset?: number | undefined;
  /** What the message was made from, besides: JSON values, by name. The reference lists them by code. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

const subjectNames: readonly (keyof Subject)[] = ['page', 'place', 'id', 'caller'];

export function describe<C extends Code>(code: C, details: Details<C>): Described {
  const entry = catalogue[code] as CatalogueEntry<Details<C>>;
  const { message, hint, hintFor, subject = (given: Subject | undefined) => given ?? {} } = entry;
  const about: Subject = subject(details as never);
  const { page, place, caller, id: asset } = about;
  const used: Record<string, unknown> = {};
  // Callers pass more than a message says, and some of it mustn't be shown.
  const noted = new Proxy(Object(details), {
    get(from, name) {
      const value: unknown = Reflect.get(from, name);
      const isInSubject = subjectNames.some((one) => one === name) && name in about;
      if (!isInSubject) used[String(name)] = value;
      return value;
    },
  });
  const toText = (_: string, name: string) =>
    name === 'at' ? at(about) : String(Reflect.get(noted, name));
  const text = typeof message === 'string' ? message.replace(/\{(\w+)\}/g, toText) : message(noted);
  const described = { message: text, hint: hintFor?.(details) ?? hint, page, place, caller, asset };
  return { ...described, details: asData(used) };
}

/** In UTF-16 units. A message shows less of a long text, too. */
const longestText = 1000;

/** As JSON values; `undefined` without any, or if a caller of a function passed something that has none. */
function asData(used: Record<string, unknown>): Described['details'] {
  try {
    const json = JSON.stringify(used, (_, value) => {
      if (value instanceof Error) return undefined;
      return typeof value === 'string' ? value.slice(0, longestText) : value;
    });
    return json === '{}' ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}

export function isCode(text: unknown): text is Code {
  return typeof text === 'string' && Object.hasOwn(catalogue, text);
}

/** The hint of a finding or an error, without the code and the command at its end. */
export function hintAlone({ code, hint }: { code: Code; hint: string }): string {
  return hint.split(` [${code}]`, 1)[0] ?? hint;
}

/** The hint of a finding or an error with its code. */
export function hintWithCode(found: { code: Code; hint: string }): string {
  return `${hintAlone(found)} [${found.code}]`;
}

/**
 * An error of the catalogue, with its original error as `cause`. It never contains a secret.
 *
 * Astro's command line prints `hint` and `cause`, but not `name`. So the hint ends with the code and
 * the page or the command that explains it.
 */
export class MediaAssetError extends Error implements Described {
  readonly code: Code;
  readonly hint: string;
  declare readonly page?: string;
  declare readonly place?: Place;
  declare readonly asset?: number;
  declare readonly caller?: string;
  declare readonly details?: Described['details'];

  constructor(code: Code, described: Described, options?: ErrorOptions) {
    super(described.message, options);
    this.name = `MediaAssetError [${code}]`;
    this.code = code;
    const hint = hintWithCode({ code, hint: described.hint });
    const more = errorPage(code) ?? `npx --no media-asset explain ${code}`;
    this.hint = `${hint}\nRead more: ${more}`;
    const { page, place, asset, caller, details } = described;
    // Consoles print all properties: only what is known, and nothing that the message says.
    Object.defineProperty(this, 'details', { value: details });
    for (const [name, value] of Object.entries({ page, place, asset, caller })) {
      if (value !== undefined) Object.assign(this, { [name]: value });
    }
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

/** For `catch`: `undefined` instead of one of our errors. */
export function ignoreOurs(thrown: unknown): undefined {
  if (!isMediaAssetError(thrown)) throw thrown;
  return undefined;
}

/** Something that a person should know, as data. Reporters print it. */
export interface Finding extends Omit<Described, 'caller'> {
  readonly code: Code;
  readonly severity: 'error' | 'warning' | 'notice';
}

export function finding<C extends Code>(
  severity: Finding['severity'],
  code: C,
  details: Details<C>,
): Finding {
  return toFinding(severity, { code, ...describe(code, details) });
}

/** An error as a finding, for a run that goes on. */
export function toFinding(
  severity: Finding['severity'],
  { code, page, place, asset, details, message, hint }: Described & { readonly code: Code },
): Finding {
  const text = { message, hint: hintAlone({ code, hint }) };
  return { code, severity, page, place, asset, details, ...text };
}
