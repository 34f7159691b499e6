import { oneLine } from '../errors/wording.ts';
import { type Answer, readAnswer } from './read-answer.ts';

/** In characters. */
const longest = 200;

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

/** The message field of an object, or of the object in an array of one. */
export function messageIn(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.length === 1 ? messageIn(value[0]) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Record<string, unknown>;
  for (const name of messageFields) {
    const field = fields[name];
    if (typeof field === 'string' && field.trim() !== '') return field;
  }
  return messageIn(fields.error);
}
