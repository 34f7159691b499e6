import { cutTo, oneLine } from '../../errors/wording.ts';
import { countIn, type Fields, isFields, plainName, valuesIn } from './known-answers.ts';

export interface Answer {
  /** `broken-json` is labelled as JSON, but can't be parsed. */
  readonly kind: 'empty' | 'html' | 'text' | 'broken-json' | 'json';
  readonly text: string;
  /** The parsed JSON. */
  readonly json?: unknown;
}

/**
 * Classifies an answer. Services may label empty answers and JSON as HTML (PHP's default), so these
 * two are recognized by content. Anything else with an HTML label or start is HTML.
 */
export function readAnswer(text: string, contentType: string | null | undefined): Answer {
  const body = text.trim();
  if (body === '') return { kind: 'empty', text };
  const labelledJson = isJsonType(contentType);
  if (labelledJson || /^(?:[[{]|false$)/.test(body)) {
    try {
      return { kind: 'json', text, json: JSON.parse(body) };
    } catch {
      // Other content is recognized below.
    }
  }
  if (isHtmlType(contentType) || htmlStart.test(body)) {
    return { kind: 'html', text };
  }
  return { kind: labelledJson ? 'broken-json' : 'text', text };
}

const htmlStart =
  /^(?:<!--.*?-->\s*|<\?.*?\?>\s*)*<(?:!doctype html|html|head|body|meta|title)\b/is;

export function isJsonType(contentType: string | null | undefined): boolean {
  return /[/+]json\b/i.test(contentType ?? '');
}

export function isHtmlType(contentType: string | null | undefined): boolean {
  return /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType ?? '');
}

/** Reads up to `maxBytes` of a body as UTF-8. `isComplete` is `false` if it's longer. */
export async function readBody(
  { body, headers }: Response,
  maxBytes: number,
): Promise<Answer & { readonly isComplete: boolean }> {
  const { bytes, isComplete } = await readUpTo(body, maxBytes);
  const answer = readAnswer(new TextDecoder().decode(bytes), headers.get('content-type'));
  return { ...answer, isComplete };
}

/** Reads up to `maxBytes` of a body. `isComplete` is `false` if it's longer. */
export async function readUpTo(body: AsyncIterable<Uint8Array> | null, maxBytes: number) {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop ends the connection.
    if (length > maxBytes) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isComplete: length <= maxBytes };
}

const failureWords = new Set(['error', 'failed', 'failure', 'fail', 'nok']);

/**
 * Whether JSON reports a failure in spite of its status:
 * - the value is `false`
 * - an object has a false `success` or `ok`, a filled `error` or `errors`, or a `status` of `error`,
 *   `failed`, `failure`, `fail` or `nok`
 * - an object has a false `isSuccess`, a `success` or `ok` of 0, a `result` of these words, a `status`,
 *   `statusCode` or `code` below 0 or of 400 or more, or a filled `fault`, `exception`, `failed` or
 *   `errorCode`. With `records`, an object with an `id` is a record, which can have fields of these names
 * - an array holds one of these
 * - an envelope holds one of these. With `records`, an array in it isn't looked at
 *
 * The texts `false` and `404` count too, because the interface writes booleans and numbers as text
 * (section 2.1). The case and punctuation of names don't count, except in a record.
 */
export function statesFailure(
  value: unknown,
  { records, levels = 0 }: { records: boolean; levels?: number },
): boolean {
  if (Array.isArray(value)) {
    return value.some((one) => !Array.isArray(one) && statesFailure(one, { records }));
  }
  if (value === false || (isFields(value) && objectFails(value, records))) return true;
  if (levels === 0 || (records && isFields(value) && holdsSomething(value.id))) return false;
  return valuesIn(value).some(
    (inner) =>
      !(records && Array.isArray(inner)) && statesFailure(inner, { records, levels: levels - 1 }),
  );
}

function objectFails(fields: Fields, records: boolean): boolean {
  const isRecord = records && holdsSomething(fields.id);
  const named = new Map(
    Object.entries(fields).map(([name, value]) => [isRecord ? name : plainName(name), value]),
  );
  const some = (names: string, test: (value: unknown) => boolean) =>
    names.split(' ').some((name) => test(named.get(name)));
  return (
    some('success ok', isFalse) ||
    some('error errors', holdsSomething) ||
    some('status', isFailureWord) ||
    (!isRecord &&
      (some('success ok issuccess', (flag) => isFalse(flag) || countIn(flag) === 0) ||
        some('result', isFailureWord) ||
        some('fault exception failed', holdsSomething) ||
        some('status statuscode code', isErrorCode) ||
        some('errorcode', (code) => holdsSomething(code) && String(code) !== '0')))
  );
}

function isFailureWord(value: unknown): boolean {
  return typeof value === 'string' && failureWords.has(value.toLowerCase());
}

function isErrorCode(value: unknown): boolean {
  const isNumeric =
    typeof value === 'number' || (typeof value === 'string' && /^-?\d+$/.test(value));
  return isNumeric && (Number(value) >= 400 || Number(value) < 0);
}

function isFalse(value: unknown): boolean {
  return value === false || (typeof value === 'string' && value.toLowerCase() === 'false');
}

export function holdsSomething(value: unknown): boolean {
  if (!value || isFalse(value)) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

const maxDepth = 4;

const messageFields = ['error_description', 'message', 'detail', 'error', 'title'] as const;

/**
 * A short quote from an answer, for messages: the message field of JSON, the title of an HTML page,
 * or the text. Whitespace and control characters are folded, and the final full stop is removed.
 * Redacts before it shortens, so that no part of a secret is left.
 */
export function excerpt(answer: Answer, redact: (text: string) => string): string {
  return shorten(redact(quoteOf(answer)));
}

/** Puts a text on one line, without its final full stop, in at most 200 characters. */
export function shorten(text: string): string {
  return cutTo(200, oneLine(text).replace(/\s+/g, ' ').trim().replace(/\.$/, ''));
}

function quoteOf({ kind, text, json }: Answer): string {
  if (kind !== 'html') return messageIn(json) || text;
  const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1]?.trim();
  return title ? `an HTML page, “${title}”` : 'an HTML page';
}

/** The message field of an object, of a single object in an array, or of its `error` object. */
function messageIn(value: unknown, levels = maxDepth): string | undefined {
  if (levels === 0 || typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    return value.length === 1 ? messageIn(value[0], levels - 1) : undefined;
  }
  const fields = value as Fields;
  for (const name of messageFields) {
    const field = fields[name];
    if (typeof field === 'string' && field.trim() !== '') return field;
  }
  return messageIn(fields.error, levels - 1);
}

/** Describes an unexpected answer, without values of JSON. Redacts like `excerpt`. */
export function describeAnswer(answer: Answer, redact: (text: string) => string): string {
  const { kind, json } = answer;
  if (kind === 'empty') return kind;
  if (kind !== 'json') return excerpt(answer, redact);
  return shorten(redact(messageIn(json) ?? shapeOf(json)));
}

/** `{files, total}`, `3 × {id}`, or the type of another value. */
function shapeOf(value: unknown): string {
  if (Array.isArray(value) && !Array.isArray(value[0])) {
    return value.length === 0 ? '[]' : `${value.length} × ${shapeOf(value[0])}`;
  }
  return isFields(value) ? `{${Object.keys(value).join(', ')}}` : typeof value;
}
