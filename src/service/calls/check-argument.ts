import type { z } from 'zod';
import { functionOf, valueAt } from '../../config/option-values.ts';
import { isAssetId } from '../../errors/asset-id.ts';
import { mediaAssetError } from '../../errors/errors.ts';

export function functionArgument<T>() {
  return functionOf<T>('expected a function').optional();
}

export function assertAssetId(id: unknown, place: string): asserts id is number {
  if (!isAssetId(id)) throw mediaAssetError('asset-id-invalid', { value: id, caller: place });
}

/**
 * Validates an argument against its schema and fills in defaults. Throws `argument-invalid` with
 * the first problem. `place` is the method, as the caller writes it, and `name` is the argument.
 */
export function checkArgument<T extends z.ZodType>(
  argument: { place: string; name: string; schema: T; isSecret?: boolean },
  value: unknown,
): z.output<T> {
  const { place, name, schema, isSecret } = argument;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path = [], message: expected = '' } = parsed.error.issues[0] ?? {};
  throw mediaAssetError('argument-invalid', {
    call: place,
    name: [name, ...path].join('.'),
    value: isSecret ? '[secret]' : valueAt(value, path),
    expected: expected.replace(/^(?:Invalid input: )?expected /, ''),
  });
}

/** Validates a method's last argument. Throws `argument-invalid`. */
export function checkRequest<T extends z.ZodType>(
  place: string,
  schema: T,
  request: unknown = {},
): z.output<T> {
  return checkArgument({ place, name: 'request', schema }, request);
}
