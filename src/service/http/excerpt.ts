import { oneLine } from '../../errors/wording.ts';
import { type Answer, readAnswer } from './read-answer.ts';

/** In characters. */
const longest = 200;

/** Objects and arrays in each other. */
const deepest = 4;

const messageFields = ['error_description', 'message', 'detail', 'error', 'title'] as const;

/**
 * What an answer says, short enough for a message: the message field of JSON, the title of an HTML
 * page, else its text; whitespace and control characters folded, the full stop left to the message.
 * `redact` comes before anything is cut, so that no half of a secret is left.
 */
export function excerpt(answer: Answer, redact: (text: string) => string): string {
  return shorten(redact(sayingOf(answer)));
}

/** A text on one line, without its full stop, in at most 200 characters. */
export function shorten(text: string): string {
  const folded = oneLine(text).replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  const characters = [...folded];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : folded;
}

function sayingOf(answer: Answer): string {
  const content = readAnswer(answer);
  if (content.kind === 'html') return titleOf(answer.text);
  if (content.kind === 'json') return messageIn(content.value) ?? answer.text;
  return answer.text;
}

function titleOf(html: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(html)?.[1]?.trim();
  return title ? `an HTML page, “${title}”` : 'an HTML page';
}

/** The message field of an object, of the object in an array of one, or of its `error`. */
function messageIn(value: unknown, levels = deepest): string | undefined {
  if (levels === 0 || typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    return value.length === 1 ? messageIn(value[0], levels - 1) : undefined;
  }
  const fields = value as Record<string, unknown>;
  for (const name of messageFields) {
    const field = fields[name];
    if (typeof field === 'string' && field.trim() !== '') return field;
  }
  return messageIn(fields.error, levels - 1);
}

const mostFields = 8;

/**
 * What came, for a person who asks why it fits nothing: what JSON says, or else its shape, in which
 * no value stands (`{ files: 3 × { id: text } }`); other text as an excerpt. `redact` as there.
 */
export function describeAnswer(answer: Answer, redact: (text: string) => string): string {
  const content = readAnswer(answer);
  if (content.kind === 'empty') return 'empty';
  if (content.kind !== 'json') return excerpt(answer, redact);
  return shorten(redact(messageIn(content.value) ?? shapeOf(content.value, deepest)));
}

function shapeOf(value: unknown, levels: number): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'text';
  if (typeof value !== 'object') return typeof value;
  if (levels === 0) return '…';
  if (Array.isArray(value)) {
    return value.length === 0 ? '[]' : `${value.length} × ${shapeOf(value[0], levels - 1)}`;
  }
  const names = Object.keys(value);
  const fields = names
    .slice(0, mostFields)
    .map((name) => `${name}: ${shapeOf(Reflect.get(value, name), levels - 1)}`);
  if (names.length > mostFields) fields.push('…');
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}
