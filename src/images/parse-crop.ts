import { mediaAssetError } from '../errors.ts';
import type { Rectangle } from './rendition.ts';

const sides = ['x', 'y', 'width', 'height'] as const;

/**
 * Reads a crop from a template, as far as that goes without knowing the picture.
 *
 * @throws `crop-invalid`
 */
export function parseCrop(
  value: unknown,
  { id, page }: { readonly id: number; readonly page: string },
): Rectangle {
  const problem = problemOf(value);
  if (problem !== undefined) throw mediaAssetError('crop-invalid', { id, page, problem, value });
  const { x, y, width, height } = value as Rectangle;
  return { x, y, width, height };
}

function problemOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'it is no object';
  }
  const missing = sides.filter((side) => Reflect.get(value, side) === undefined);
  if (missing.length > 0) return `${missing.join(', ')} missing`;
  const unknown = Object.keys(value).filter((key) => !sides.some((side) => side === key));
  if (unknown.length > 0) return `${unknown.join(', ')} unknown`;
  for (const side of sides) {
    const problem = problemOfSide(side, Reflect.get(value, side));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOfSide(side: (typeof sides)[number], value: unknown): string | undefined {
  if (typeof value !== 'number' || Number.isNaN(value)) return `${side} is no number`;
  if (value < 0) return `${side} is negative`;
  if (!Number.isSafeInteger(value)) return `${side} is no whole number of pixels`;
  if (value === 0 && (side === 'width' || side === 'height')) return `${side} is zero`;
  return undefined;
}
