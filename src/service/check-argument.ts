import { z } from 'zod';
import { mediaAssetError } from '../errors.ts';

/**
 * An argument of a call as its schema gives it, defaults filled in. Throws `argument-invalid` with
 * the first problem; `place` is the method as a caller writes it, `name` the argument.
 */
export function checkArgument<T extends z.ZodType>(
  { place, name, schema }: { place: string; name: string; schema: T },
  value: unknown,
): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path = [], message: expected = '' } = parsed.error.issues[0] ?? {};
  throw mediaAssetError('argument-invalid', {
    place,
    name: [name, ...path].join('.'),
    value: path.reduce<unknown>(valueAt, value),
    expected: expected.replace(/^(?:Invalid input: )?expected /, ''),
  });
}

function valueAt(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

/** The abort signal of a call. */
export const signalArgument = z
  .custom<AbortSignal>((value) => value instanceof AbortSignal, 'expected an AbortSignal')
  .optional();
