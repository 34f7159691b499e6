import type * as z from 'zod';
import { formatSubject, joinSubjects, listSubjects, type Subject } from './place.ts';

export interface UnavailableAsset {
  readonly id: number;
  /** Why it's unavailable, if the message doesn't say it, such as the HTTP status. */
  readonly reason: string | number | undefined;
  /** Where pages ask for it. */
  readonly asked: readonly Subject[];
}

const mostNames = 10;

/** Puts a text on one line, without characters that move a terminal's cursor or reverse it. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, ' ');
}

/** Starts a message with its page and place, if they're known. */
export function at(subject: Subject): string {
  const text = formatSubject(subject);
  return text && `${text}: `;
}

export function countOf(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Asset IDs for a sentence: at most ten, then the number of the rest. */
export function listIds(ids: readonly number[]): string {
  return listNames(ids.map(String));
}

/** Names for a sentence: at most ten, then the number of the rest. */
export function listNames(names: readonly string[], separator = ', '): string {
  const more = names.length - mostNames;
  return `${names.slice(0, mostNames).join(separator)}${more > 0 ? ` and ${more} more` : ''}`;
}

/** ` Did you mean \`crop\`?` for a name that's a slip away from a known one, or nothing. */
export function didYouMean(name: string, known: readonly string[]): string {
  const meant = known.find((one) => isSlip(name.toLowerCase(), one.toLowerCase()));
  return meant === undefined ? '' : ` Did you mean \`${meant}\`?`;
}

/** Whether two names differ in one place only, by one or two letters. */
function isSlip(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const differing = Math.max(one.length, other.length) - start - end;
  return differing <= (shorter > 3 ? 2 : 1);
}

/** What a schema says against a value: `pages.0.url: expected a URL`. `top` names the value itself. */
export function problemsIn(
  { issues }: { readonly issues: readonly { path: PropertyKey[]; message: string }[] },
  top = 'top level',
): string[] {
  return issues.map(({ path, message }) => `${path.join('.') || top}: ${message}`);
}

/** Reads JSON of a schema. Throws what `broken` makes of the first problem. */
export function parseJson<T>(
  text: string,
  schema: z.ZodType<T>,
  broken: (problem: string, cause?: unknown) => Error,
): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw broken("it isn't valid JSON", cause);
  }
  const { data, error } = schema.safeParse(value);
  if (error) throw broken(problemsIn(error)[0] ?? '', error);
  return data;
}

/** Shows a value in a message, as JSON if possible, in at most 80 characters. */
export function show(value: unknown): string {
  let text: string | undefined;
  try {
    text = /number|bigint/.test(typeof value) ? String(value) : JSON.stringify(value);
  } catch {
    // A circular value has no JSON.
  }
  return cutTo(80, oneLine(text ?? String(value)));
}

/** The start of a text that is longer than so many characters. */
export function cutTo(most: number, text: string): string {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
}

/** The subject of a list with one asset. */
export function subjectOfOne({ assets }: { assets: readonly UnavailableAsset[] }): Subject {
  const [one, ...others] = assets;
  return one && others.length === 0 ? joinSubjects(one) : {};
}

/** Names one asset in the sentence, because many logs show one line. Several assets become a list. */
export function nameUnavailable(sentence: string, assets: readonly UnavailableAsset[]): string {
  const [first, ...others] = assets.map(({ id, reason, asked }) =>
    [
      `asset ${id}`,
      ...(reason === undefined ? [] : [`(${reason})`]),
      ...(asked.length === 0 ? [] : [`on ${listSubjects(asked)}`]),
    ].join(' '),
  );
  if (others.length === 0) return `${sentence} ${first}.`;
  return `${sentence}:\n${[first, ...others].map((one) => `  - ${one}`).join('\n')}`;
}

/** What the catalogue says for a code. */
export interface CatalogueEntry<Details> {
  /** `{name}` stands for a detail, and `{at}` for its page and place, as `at()` writes them. */
  readonly message: string | ((details: Details) => string);
  readonly hint: string;
  /** What the details are about. @default their `page`, `place` and `id` */
  readonly subject?: (details: Details) => Subject;
  /** A better hint for some details. */
  readonly hintFor?: (details: Details) => string | undefined;
}

/** A part of the catalogue, by code. */
export type CatalogueEntries = Record<string, CatalogueEntry<never>>;
