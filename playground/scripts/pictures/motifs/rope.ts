import { mixColours } from '../kit/colour.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Rope {
  readonly points: readonly Point[];
  readonly colour: string;
}

interface Crossing {
  /** Place along the first and along the second strand, counted in points over all ropes. */
  readonly at: readonly [number, number];
}

/**
 * Draws ropes that pass over and under each other by turns, as knots and plaits do: crossings are
 * found on the drawing itself, and each rope alternates along its length.
 */
export function drawRopes(ropes: readonly Rope[], thickness: number): string {
  const starts = ropes.map((_, index) =>
    ropes.slice(0, index).reduce((sum, rope) => sum + rope.points.length, 0),
  );
  const heights = alternate(findCrossings(ropes, starts), starts);
  const pieces = ropes.flatMap((rope, index) => cutPieces(rope, heights[index] ?? [], thickness));
  return pieces
    .toSorted((a, b) => a.height - b.height)
    .map(({ drawing }) => drawing)
    .join('');
}

function findCrossings(ropes: readonly Rope[], starts: readonly number[]): Crossing[] {
  const segments = ropes.flatMap(({ points }, rope) =>
    points.slice(1).map((end, index) => ({
      from: points[index] ?? end,
      to: end,
      at: (starts[rope] ?? 0) + index,
    })),
  );
  return segments.flatMap((first, index) =>
    segments.slice(index + 2).flatMap((second) => {
      const meet = intersect(first, second);
      return meet ? [{ at: [first.at + meet[0], second.at + meet[1]] as const }] : [];
    }),
  );
}

interface Segment {
  readonly from: Point;
  readonly to: Point;
}

function intersect(first: Segment, second: Segment): [number, number] | undefined {
  const [ax, ay] = [first.to.x - first.from.x, first.to.y - first.from.y];
  const [bx, by] = [second.to.x - second.from.x, second.to.y - second.from.y];
  const cross = ax * by - ay * bx;
  if (cross === 0) return undefined;
  const [dx, dy] = [second.from.x - first.from.x, second.from.y - first.from.y];
  const alongFirst = (dx * by - dy * bx) / cross;
  const alongSecond = (dx * ay - dy * ax) / cross;
  const inside = [alongFirst, alongSecond].every((along) => along >= 0 && along < 1);
  return inside ? [alongFirst, alongSecond] : undefined;
}

interface Pass {
  /** Place along its rope. */
  readonly at: number;
  readonly height: 1 | -1;
}

/** Over and under by turns along each rope; ropes are turned over where their neighbours need it. */
function alternate(crossings: readonly Crossing[], starts: readonly number[]): Pass[][] {
  const ropeOf = (at: number) => starts.findLastIndex((start) => at >= start);
  const passes = crossings
    .flatMap(({ at }, crossing) => at.map((place) => ({ place, crossing, rope: ropeOf(place) })))
    .toSorted((a, b) => a.place - b.place);
  const sides = new Map<number, 1 | -1>();
  return starts.map((start, rope) => {
    const own = passes.filter((pass) => pass.rope === rope);
    const known = own.findIndex(({ crossing }) => sides.has(crossing));
    const side = known < 0 ? 1 : -(sides.get(own[known]?.crossing ?? -1) ?? 1);
    return own.map(({ place, crossing }, index) => {
      const height = ((index - Math.max(known, 0)) % 2 === 0 ? side : -side) as 1 | -1;
      sides.set(crossing, height);
      return { at: place - start, height };
    });
  });
}

const pieceLength = 4;

function cutPieces(rope: Rope, passes: readonly Pass[], thickness: number) {
  const { points, colour } = rope;
  const pieces: { height: number; drawing: string }[] = [];
  for (let from = 0; from < points.length - 1; from += pieceLength) {
    const piece = points.slice(Math.max(0, from - 1), from + pieceLength + 2);
    const path = `M${piece.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join('L')}`;
    pieces.push({
      height: heightAt(passes, from + pieceLength / 2),
      drawing: `<g fill="none" stroke-linejoin="round"><path d="${path}" stroke="${mixColours(colour, '#1c130c', 0.72)}" stroke-width="${thickness * 1.16}"/><path d="${path}" stroke="${colour}" stroke-width="${thickness * 0.94}"/><path d="${path}" stroke="${mixColours(colour, '#ffffff', 0.42)}" stroke-width="${thickness * 0.36}" stroke-opacity=".6"/></g>${drawTwist({ piece, thickness, colour, from })}`,
    });
  }
  return pieces;
}

/** The height between crossings follows the nearest ones, so that each piece sorts where it lies. */
function heightAt(passes: readonly Pass[], at: number): number {
  const before = passes.findLast((pass) => pass.at <= at);
  const after = passes.find((pass) => pass.at > at);
  if (!before || !after) return (before ?? after)?.height ?? 0;
  const along = (at - before.at) / (after.at - before.at);
  return before.height + (after.height - before.height) * along;
}

/** Slanted strokes: the strands that the rope is laid from. */
function drawTwist(twist: {
  piece: readonly Point[];
  thickness: number;
  colour: string;
  from: number;
}): string {
  const { piece, thickness, colour } = twist;
  const strokes = piece.slice(1, -1).map((point, index) => {
    const next = piece[index + 2] ?? point;
    const length = Math.hypot(next.x - point.x, next.y - point.y) || 1;
    const [alongX, alongY] = [(next.x - point.x) / length, (next.y - point.y) / length];
    const half = thickness * 0.43;
    const lean = thickness * 0.3;
    const corner = (side: number) =>
      `${(point.x - alongY * half * side + alongX * lean * side).toFixed(1)},${(point.y + alongX * half * side + alongY * lean * side).toFixed(1)}`;
    return `M${corner(-1)}L${corner(1)}`;
  });
  return `<path d="${strokes.join('')}" stroke="${mixColours(colour, '#2a1a0c', 0.62)}" stroke-opacity=".75" stroke-width="${thickness * 0.085}" stroke-linecap="round" fill="none"/>`;
}
