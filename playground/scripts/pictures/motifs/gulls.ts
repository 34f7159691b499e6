import type { Random } from '../kit/random.ts';

interface Gull {
  readonly x: number;
  readonly y: number;
  /** Wing tip to wing tip, in pixels. */
  readonly span: number;
  readonly colour: string;
  /** How far the wings are raised, -1 to 1. */
  readonly beat: number;
  /** Degrees, clockwise. */
  readonly tilt: number;
}

/** A gull far away: two wings and a body. */
function drawGull({ x, y, span, colour, beat, tilt }: Gull): string {
  const lift = -30 * beat;
  return `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${tilt.toFixed(1)}) scale(${(span / 200).toFixed(3)})" fill="${colour}">
    <path d="M0,0C-20,${-22 + lift} -52,${-26 + lift * 1.3} -100,${lift * 1.9}C-58,${-14 + lift} -30,${-6 + lift * 0.4} -8,8Q0,13 8,8C30,${-6 + lift * 0.4} 58,${-14 + lift} 100,${lift * 1.9}C52,${-26 + lift * 1.3} 20,${-22 + lift} 0,0Z"/>
  </g>`;
}

/** A loose flock inside a rectangle. */
export function drawFlock(flock: {
  readonly random: Random;
  readonly count: number;
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
  readonly span: readonly [number, number];
  readonly colour: string;
}): string {
  const { random, count, x, y, span, colour } = flock;
  return Array.from({ length: count }, () =>
    drawGull({
      x: random.between(...x),
      y: random.between(...y),
      span: random.between(...span),
      colour,
      beat: random.between(-0.6, 1),
      tilt: random.between(-24, 24),
    }),
  ).join('');
}
