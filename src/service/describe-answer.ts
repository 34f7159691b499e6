import { excerpt, messageIn, shorten } from './excerpt.ts';
import { type Answer, readAnswer } from './read-answer.ts';

/** Fields that an object shows. */
const mostFields = 8;
/** In characters. */
const longestName = 40;
/** Objects and arrays in each other. */
const deepest = 4;

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
  const fields = names.slice(0, mostFields).map((name) => {
    const shown = name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;
    return `${shown}: ${shapeOf(Reflect.get(value, name), levels - 1)}`;
  });
  if (names.length > mostFields) fields.push('…');
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}
