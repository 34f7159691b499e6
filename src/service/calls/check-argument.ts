import { z } from 'zod';
import { mediaAssetError } from '../../errors/errors.ts';
import type { SignalRequest } from '../types.ts';

export const signalArgument = z
  .custom<AbortSignal>((value) => value instanceof AbortSignal, 'expected an AbortSignal')
  .optional();

/** The ID of a folder. The root of a library may be 0. */
export const folderArgument = z.int('expected a folder id: an integer');

export function functionArgument<T>() {
  return z.custom<T>((value) => typeof value === 'function', 'expected a function').optional();
}

const signalRequest = z.strictObject({ signal: signalArgument });

/** The signal of such a request. Throws `argument-invalid`. */
export function checkSignal(place: string, request: SignalRequest = {}): AbortSignal | undefined {
  return checkArgument({ place, name: 'request', schema: signalRequest }, request).signal;
}

/**
 * An argument of a call as its schema gives it, defaults filled in. Throws `argument-invalid` with
 * the first problem; `place` is the method as a caller writes it, `name` the argument.
 */
export function checkArgument<T extends z.ZodType>(
  {
    place,
    name,
    schema,
    isSecret = false,
  }: { place: string; name: string; schema: T; isSecret?: boolean },
  value: unknown,
): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path = [], message: expected = '' } = parsed.error.issues[0] ?? {};
  throw mediaAssetError('argument-invalid', {
    place,
    name: [name, ...path].join('.'),
    value: isSecret ? '[secret]' : path.reduce<unknown>(valueAt, value),
    expected: expected.replace(/^(?:Invalid input: )?expected /, ''),
  });
}

function valueAt(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
