import { z } from 'zod';
import { mediaAssetError } from '../../errors/errors.ts';
import type { SignalRequest } from '../types.ts';

export const signalArgument = z
  .custom<AbortSignal>((value) => value instanceof AbortSignal, 'expected an AbortSignal')
  .optional();

/** A folder ID. The root folder can be 0. */
export const folderArgument = z.int('expected a folder ID (an integer)');

export function functionArgument<T>() {
  return z.custom<T>((value) => typeof value === 'function', 'expected a function').optional();
}

const signalRequest = z.strictObject({ signal: signalArgument });

/** Returns the request's signal. Throws `argument-invalid`. */
export function checkSignal(place: string, request: SignalRequest = {}): AbortSignal | undefined {
  return checkArgument({ place, name: 'request', schema: signalRequest }, request).signal;
}

/**
 * Validates an argument against its schema and fills in defaults. Throws `argument-invalid` with
 * the first problem. `place` is the method, as the caller writes it, and `name` is the argument.
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
    call: place,
    name: [name, ...path].join('.'),
    value: isSecret ? '[secret]' : path.reduce<unknown>(valueAt, value),
    expected: expected.replace(/^(?:Invalid input: )?expected /, ''),
  });
}

function valueAt(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
