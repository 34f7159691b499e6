import { isMediaAssetError } from '../../errors/errors.ts';

/** Marks an object that stands for a value without JSON. */
const mark = 'astro-media-asset.value';

/**
 * Writes a value as JSON. Unlike in JSON, `undefined`, `NaN`, infinite numbers and big integers stay
 * what they are, because messages show what a page has written. Functions and symbols keep their text.
 * Our errors keep code, hint, place and others. Anything can be in other errors and in causes, circles
 * too, so only their messages stay.
 */
export function encode(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (part instanceof Error) {
      const { name, message, stack } = part;
      return { ...(isMediaAssetError(part) ? part : { name }), message, stack, [mark]: 'error' };
    }
    const hasJson = /^(?:object|string|boolean)$/.test(typeof part) || Number.isFinite(part);
    return hasJson ? part : { [mark]: typeof part, text: String(part) };
  });
}

export function decode<T>(json: string): T {
  return restore(JSON.parse(json)) as T;
}

function restore(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(restore);
  if (typeof value !== 'object' || value === null) return value;
  const { [mark]: type, text } = value as Record<string, string>;
  if (type === 'undefined') return undefined;
  if (type === 'number') return Number(text);
  if (type === 'bigint') return BigInt(text ?? '');
  if (type === 'function' || type === 'symbol')
    return Object.assign(() => {}, { toString: () => text });
  const entries = Object.entries(value).map(([name, part]) => [name, restore(part)]);
  if (type !== 'error') return Object.fromEntries(entries);
  const { message, [mark]: _, ...others } = Object.fromEntries(entries);
  return Object.assign(new Error(message), others);
}
