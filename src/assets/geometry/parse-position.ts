import type { Point } from '../formats/rendition.ts';

const across = new Map([
  ['left', 0],
  ['right', 1],
]);
const down = new Map([
  ['top', 0],
  ['bottom', 1],
]);

/**
 * Reads CSS's `object-position` in words and percentages: `top`, `right bottom`, `25% 75%`. Gives
 * fractions of what is left over; `undefined` for anything else.
 */
export function parsePosition(value: unknown): Point | undefined {
  if (typeof value !== 'string') return undefined;
  const [first = '', second = 'center', ...others] = value
    .trim()
    .toLowerCase()
    .split(/[\s-]+/);
  if (others.length > 0) return undefined;
  if (down.has(first) || across.has(second)) {
    // Only words may change places.
    const x = second === 'center' ? 0.5 : across.get(second);
    const y = first === 'center' ? 0.5 : down.get(first);
    return x === undefined || y === undefined ? undefined : { x, y };
  }
  const x = across.get(first) ?? share(first);
  const y = down.get(second) ?? share(second);
  return x === undefined || y === undefined ? undefined : { x, y };
}

function share(text: string): number | undefined {
  if (text === 'center') return 0.5;
  const percent = /^\d+(?:\.\d+)?%$/.test(text) ? Number(text.slice(0, -1)) : Number.NaN;
  return percent <= 100 ? percent / 100 : undefined;
}

/** The same in percentages: `50% 0%`; `undefined` for the middle, as which CSS takes it anyhow. */
export function formatPosition({ x, y }: Point): string | undefined {
  if (x === 0.5 && y === 0.5) return undefined;
  return [x, y].map((share) => `${Number((share * 100).toFixed(2))}%`).join(' ');
}
