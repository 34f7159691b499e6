import { createNoise, layerNoise } from './noise.ts';
import type { Random } from './random.ts';

export interface Stop {
  /** 0 to 1 */
  readonly at: number;
  readonly colour: string;
  /** 0 to 1 */
  readonly opacity?: number;
}

/** A gradient from top to bottom of what it fills. */
export function verticalGradient(id: string, stops: readonly Stop[]): string {
  return `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${drawStops(stops)}</linearGradient>`;
}

export function horizontalGradient(id: string, stops: readonly Stop[]): string {
  return `<linearGradient id="${id}" x1="0" y1="0" x2="1" y2="0">${drawStops(stops)}</linearGradient>`;
}

export function radialGradient(id: string, stops: readonly Stop[]): string {
  return `<radialGradient id="${id}">${drawStops(stops)}</radialGradient>`;
}

function drawStops(stops: readonly Stop[]): string {
  return stops
    .map(
      ({ at, colour, opacity = 1 }) =>
        `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`,
    )
    .join('');
}

export interface Ridge {
  readonly seed: number;
  readonly width: number;
  /** The row where the land meets the water. */
  readonly base: number;
  /** Height of the highest peaks above the base. */
  readonly height: number;
  /** Width of a typical hill. */
  readonly grain: number;
  /** Height from 0 to 1 along the picture, 0 at its left edge and 1 at its right. */
  readonly profile?: (across: number) => number;
}

/** Path data of a hilly shore, closed along its base. */
export function drawRidge(ridge: Ridge): string {
  const noise = layerNoise(createNoise(ridge.seed), 6);
  const points: string[] = [];
  for (let x = 0; x <= ridge.width + 8; x += 8) {
    const rise = 0.55 + 0.75 * noise(x / ridge.grain, 3.7);
    const profile = ridge.profile?.(x / ridge.width) ?? 1;
    const top = ridge.base - Math.max(0, rise) * ridge.height * profile;
    points.push(`${x},${top.toFixed(1)}`);
  }
  return `M0,${ridge.base}L${points.join('L')}V${ridge.base}Z`;
}

/** Short strokes of light on water, smaller and closer together towards the horizon. */
export function drawGlints(glints: {
  readonly random: Random;
  readonly width: number;
  readonly waterline: number;
  readonly bottom: number;
  readonly count: number;
  readonly colour: string;
  readonly opacity: number;
  /** Where the strokes gather: a column, and how far they stray from it. */
  readonly around?: { readonly x: number; readonly spread: number };
}): string {
  const { random, width, waterline, bottom, count, colour, opacity, around } = glints;
  return Array.from({ length: count }, () => {
    const nearness = random.next() ** 1.7;
    const y = waterline + 3 + nearness * (bottom - waterline);
    const stray = random.next() + random.next() + random.next() - 1.5;
    const x = around
      ? around.x + stray * around.spread * (0.5 + nearness)
      : random.between(-0.05 * width, width);
    const length = (14 + 130 * nearness) * random.between(0.4, 1.3);
    const thickness = (1.2 + 6 * nearness) * random.between(0.6, 1.1);
    const sag = thickness * random.between(-0.8, 0.8);
    return `<path d="M${x.toFixed(1)},${y.toFixed(1)}q${(length / 2).toFixed(1)},${sag.toFixed(1)} ${length.toFixed(1)},0q${(-length / 2).toFixed(1)},${(thickness + sag).toFixed(1)} ${(-length).toFixed(1)},0z" fill="${colour}" fill-opacity="${(opacity * random.between(0.35, 1)).toFixed(2)}"/>`;
  }).join('');
}
