import type { Crop, Focus } from '../geometry/crop.ts';
import { parseAspect } from '../geometry/fit-image.ts';
import type { Rectangle } from '../geometry/rectangle.ts';
import type { Readers } from './prop-readers.ts';

const sides = ['x', 'y', 'width', 'height'] as const;

/** Rounding errors in sums of fractions. It's far less than a pixel of any image. */
const noise = 1e-9;

/** Checks a crop, as far as possible without the image. */
export function readCrop(value: unknown, _: string, read: Readers): Crop {
  const problem = problemOf(value);
  if (problem !== undefined) throw read.wrongCrop(problem, value);
  const { x, y, width, height } = value as Rectangle;
  if (Reflect.get(value as object, 'unit') !== 'fraction') return { x, y, width, height };
  return { unit: 'fraction', x: Math.max(0, x), y: Math.max(0, y), width, height };
}

function problemOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'expected an object';
  const missing = sides.filter((side) => Reflect.get(value, side) === undefined);
  if (missing.length > 0) return `${missing.join(', ')} missing`;
  const known: readonly string[] = [...sides, 'unit'];
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  if (unknown.length > 0) return `${unknown.join(', ')} unknown`;
  const unit = Reflect.get(value, 'unit');
  if (unit !== undefined && unit !== 'pixel' && unit !== 'fraction')
    return "unit is neither 'pixel' nor 'fraction'";
  for (const side of sides) {
    const problem = problemOfSide(side, Reflect.get(value, side), unit === 'fraction');
    if (problem !== undefined) return problem;
  }
  if (unit !== 'fraction') return undefined;
  const { x, y, width, height } = value as Rectangle;
  if (x + width > 1 + noise) return 'it reaches outside the image (x + width is more than 1)';
  if (y + height > 1 + noise) return 'it reaches outside the image (y + height is more than 1)';
  return undefined;
}

function problemOfSide(side: string, value: unknown, fraction: boolean): string | undefined {
  if (typeof value !== 'number' || Number.isNaN(value)) return `${side} isn't a number`;
  if (value < (fraction ? -noise : 0)) return `${side} is negative`;
  if (value <= 0 && (side === 'width' || side === 'height')) return `${side} is zero`;
  if (fraction) return value > 1 + noise ? `${side} is larger than 1` : undefined;
  if (Number.isSafeInteger(value)) return undefined;
  return value < 1
    ? `${side} isn't a whole number of pixels (for fractions of the image, add unit: 'fraction')`
    : `${side} isn't a whole number of pixels`;
}

export function readAspect(value: unknown, name: string, read: Readers): number {
  const aspect = parseAspect(value);
  if (aspect !== undefined) return aspect;
  const expected = 'width divided by height: a number such as 1.5, or a string such as "16:9"';
  throw read.wrong(name, value, expected);
}

export function readFocus(value: unknown, name: string, read: Pick<Readers, 'wrong'>): Focus {
  if (value === 'attention') return value;
  if (typeof value === 'object' && value !== null) {
    const { x, y } = value as { x?: unknown; y?: unknown };
    if (isShare(x) && isShare(y)) return { x, y };
  }
  throw read.wrong(name, value, '"attention", or { x, y } in fractions from 0 to 1');
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}
