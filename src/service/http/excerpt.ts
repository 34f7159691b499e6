import { oneLine } from '../../errors/wording.ts';
import { type Answer, readAnswer } from './read-answer.ts';

/** In characters. */
const maxLength = 200;

/** Maximum nesting of objects and arrays. */
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
  const folded = oneLine(text).replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  const characters = [...folded];
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : folded;
}

function quoteOf(answer: Answer): string {
  const content = readAnswer(answer);
  if (content.kind === 'html') return titleOf(answer.text);
  if (content.kind === 'json') return messageIn(content.value) ?? answer.text;
  return answer.text;
}

function titleOf(html: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(html)?.[1]?.trim();
  return title ? `an HTML page, “${title}”` : 'an HTML page';
}

/** The message field of an object, of a single object in an array, or of its `error` object. */
function messageIn(value: unknown, levels = maxDepth): string | undefined {
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

const maxFields = 8;

/**
 * Describes an unexpected answer: the message or shape of JSON (`{ files: 3 × { id: text } }`,
 * without values), or an excerpt of other text. Redacts like `excerpt`.
 */
export function describeAnswer(answer: Answer, redact: (text: string) => string): string {
  const content = readAnswer(answer);
  if (content.kind === 'empty') return 'empty';
  if (content.kind !== 'json') return excerpt(answer, redact);
  return shorten(redact(messageIn(content.value) ?? shapeOf(content.value, maxDepth)));
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
    .slice(0, maxFields)
    .map((name) => `${name}: ${shapeOf(Reflect.get(value, name), levels - 1)}`);
  if (names.length > maxFields) fields.push('…');
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}
