import type { Size } from '../assets/formats/rendition.ts';

/** The ratios that the editor offers next to the original's and the layout's own. */
export const commonRatios = ['1:1', '4:3', '3:2', '16:9', '2:1', '3:4', '9:16'] as const;

/**
 * Parses `16:9`, `16/9` and `1.5`.
 *
 * @returns width divided by height, `undefined` for anything else
 */
export function parseRatio(value: number | string): number | undefined {
  const parts = /^(\d+(?:\.\d+)?)(?:\s*[:/]\s*(\d+(?:\.\d+)?))?$/.exec(String(value).trim());
  if (parts === null) return undefined;
  const ratio = Number(parts[1]) / Number(parts[2] ?? 1);
  return ratio >= 0.001 && ratio <= 1000 ? ratio : undefined;
}

/** Reads a typed ratio as a value of the prop `aspect`, where `1.5` is a number. */
export function readAspect(text: string): number | string | undefined {
  const trimmed = text.trim();
  if (parseRatio(trimmed) === undefined) return undefined;
  return /[:/]/.test(trimmed) ? trimmed : Number(trimmed);
}

/** A size's ratio in the smallest whole numbers: `3:2`. `undefined` if it's no valid `aspect`. */
export function formatRatio({ width, height }: Size): string | undefined {
  const divisor = greatestDivisor(width, height);
  const ratio = `${width / divisor}:${height / divisor}`;
  return parseRatio(ratio) === undefined ? undefined : ratio;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
