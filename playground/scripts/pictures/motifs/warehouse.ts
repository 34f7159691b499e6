import { mixColours, palette } from '../kit/colour.ts';
import type { Random } from '../kit/random.ts';

export interface Warehouse {
  readonly random: Random;
  readonly x: number;
  /** The row of the quay. */
  readonly base: number;
  readonly width: number;
  /** Up to the eaves; the gable comes on top. */
  readonly height: number;
  readonly colour: string;
  /** Share of windows with light in them, 0 to 1. */
  readonly lit?: number;
  /** How far everything is drawn towards another colour, for distance and dusk. */
  readonly haze?: { readonly colour: string; readonly amount: number };
}

/** A wooden warehouse with its gable to the water, rows of windows and a hoist. */
export function drawWarehouse(warehouse: Warehouse): string {
  const { random, x, base, width, height, colour, lit = 0, haze } = warehouse;
  const tone = (value: string) => (haze ? mixColours(value, haze.colour, haze.amount) : value);
  const gable = width * 0.52;
  const top = base - height;
  const middle = x + width / 2;
  const wall = tone(colour);
  const trim = tone(palette.cream);
  const eave = width * 0.035;
  const boards = Array.from({ length: Math.floor(width / 13) }, (_, index) => {
    const at = x + (index + 1) * 13;
    return `M${at.toFixed(1)},${base}V${(top - gable * (1 - Math.abs(at - middle) / (width / 2))).toFixed(1)}`;
  }).join('');
  const body = `M${x},${base}V${top}L${middle},${top - gable}L${x + width},${top}V${base}Z`;
  return `<path d="${body}" fill="${wall}"/>
    <path d="${boards}" stroke="${tone(palette.ink)}" stroke-opacity=".12" stroke-width="1.6"/>
    <path d="M${x + width * 0.72},${base}V${top - gable * 0.56}L${x + width},${top}V${base}Z" fill="${tone(palette.ink)}" fill-opacity=".1"/>
    <path d="M${x - eave},${top + eave}L${middle},${top - gable - eave * 0.6}L${x + width + eave},${top + eave}" fill="none" stroke="${trim}" stroke-width="${width * 0.034}" stroke-linejoin="miter"/>
    <path d="M${x - eave},${top + eave - width * 0.028}L${middle},${top - gable - eave * 0.6 - width * 0.028}L${x + width + eave},${top + eave - width * 0.028}" fill="none" stroke="${tone(palette.ink)}" stroke-width="${width * 0.026}"/>
    ${drawWindows({ random, x, top, width, height, gable, lit, trim, glass: tone(palette.navy), light: palette.straw })}
    ${drawHoist({ middle, top, width, height, gable, door: tone(palette.rust), trim, beam: tone(palette.ink) })}`;
}

function drawWindows(windows: {
  random: Random;
  x: number;
  top: number;
  width: number;
  height: number;
  gable: number;
  lit: number;
  trim: string;
  glass: string;
  light: string;
}): string {
  const { random, x, top, width, height, lit, trim, glass, light } = windows;
  const storeys = Math.max(2, Math.round(height / (width * 0.42)));
  const storey = height / storeys;
  const [paneWidth, paneHeight] = [width * 0.13, storey * 0.48];
  return Array.from({ length: storeys }, (_, row) =>
    [0.12, 0.75].map((across) => {
      const left = x + width * across;
      const upper = top + row * storey + storey * 0.26;
      const fill = random.next() < lit ? light : glass;
      return `<path d="M${left},${upper}h${paneWidth}v${paneHeight}h${-paneWidth}z" fill="${fill}" stroke="${trim}" stroke-width="${width * 0.02}"/>
        <path d="M${left + paneWidth / 2},${upper}v${paneHeight}M${left},${upper + paneHeight / 2}h${paneWidth}" stroke="${trim}" stroke-width="${width * 0.011}"/>`;
    }),
  )
    .flat()
    .join('');
}

function drawHoist(hoist: {
  middle: number;
  top: number;
  width: number;
  height: number;
  gable: number;
  door: string;
  trim: string;
  beam: string;
}): string {
  const { middle, top, width, height, gable, door, trim, beam } = hoist;
  const half = width * 0.11;
  const doors = [0.1, 0.42, 0.74].map((down) => {
    const upper = top + height * down;
    const tall = height * 0.24;
    return `<path d="M${middle - half},${upper}h${half * 2}v${tall}h${-half * 2}z" fill="${door}" stroke="${trim}" stroke-width="${width * 0.018}"/><path d="M${middle},${upper}v${tall}" stroke="${trim}" stroke-width="${width * 0.01}"/>`;
  });
  const loft = top - gable * 0.42;
  return `${doors.join('')}
    <path d="M${middle - half * 0.8},${loft}h${half * 1.6}v${gable * 0.34}h${-half * 1.6}z" fill="${door}" stroke="${trim}" stroke-width="${width * 0.018}"/>
    <path d="M${middle - width * 0.018},${loft - gable * 0.2}h${width * 0.036}v${gable * 0.16}h${-width * 0.036}z" fill="${beam}"/>
    <path d="M${middle + width * 0.012},${loft - gable * 0.06}V${top + height * 0.3}" stroke="${beam}" stroke-width="${Math.max(1.2, width * 0.008)}"/>`;
}
