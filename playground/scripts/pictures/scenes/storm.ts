import { drawClouds } from '../kit/clouds.ts';
import { mixColours, palette } from '../kit/colour.ts';
import { type Layer, renderSvg, type Size, stack } from '../kit/layer.ts';
import { createNoise, layerNoise } from '../kit/noise.ts';
import type { Random } from '../kit/random.ts';
import { radialGradient, verticalGradient } from '../kit/shapes.ts';
import { drawFishingBoat } from '../motifs/boats.ts';
import { drawFlock } from '../motifs/gulls.ts';

const rows = 9;

/** A cutter in heavy seas, under a gap in the clouds. */
export async function drawStorm(size: Size, random: Random): Promise<Layer> {
  const { width, height } = size;
  const cloud = (seed: number, colour: string, cover: number, density: number) =>
    drawClouds(size, {
      seed,
      colour,
      grain: [900, 260],
      cover,
      density,
      band: [-500, height * 0.66],
      edge: 2.2,
    });
  return stack(
    await renderSvg(size, drawSky(size)),
    await cloud(93, '#1d2b38', 0.53, 0.92),
    await cloud(97, '#6d7f86', 0.4, 0.7),
    await cloud(99, '#101b26', 0.43, 0.85),
    await renderSvg(size, drawRain({ ...size, random })),
    await renderSvg(size, drawWaves({ ...size, random, from: 0, to: 4 })),
    await renderSvg(
      size,
      `<g transform="rotate(-11 ${width * 0.57} ${height * 0.66})">${drawFishingBoat({ x: width * 0.57, y: height * 0.7, length: 560, hull: '#7d2f22', trim: palette.straw, lit: true })}</g>`,
    ),
    await renderSvg(size, drawWaves({ ...size, random, from: 5, to: rows - 1 })),
    await renderSvg(
      size,
      drawFlock({
        random,
        count: 8,
        x: [width * 0.12, width * 0.5],
        y: [height * 0.16, height * 0.46],
        span: [60, 130],
        colour: '#e9eee6',
      }),
    ),
  );
}

function drawSky({ width, height }: Size): string {
  return `<defs>${verticalGradient('s', [
    { at: 0, colour: '#27394a' },
    { at: 0.4, colour: '#55707a' },
    { at: 0.62, colour: '#d8c9a0' },
  ])}${radialGradient('g', [
    { at: 0, colour: '#ffeebb', opacity: 0.9 },
    { at: 1, colour: '#ffeebb', opacity: 0 },
  ])}</defs><rect width="${width}" height="${height}" fill="url(#s)"/>
  <ellipse cx="${width * 0.7}" cy="${height * 0.44}" rx="${width * 0.34}" ry="${height * 0.3}" fill="url(#g)"/>`;
}

function drawRain({ width, height, random }: Size & { random: Random }): string {
  const drops = Array.from({ length: 420 }, () => {
    const [x, y] = [random.between(-100, width * 0.55), random.between(0, height * 0.6)];
    const length = random.between(60, 190);
    return `M${x.toFixed(0)},${y.toFixed(0)}l${(length * 0.32).toFixed(0)},${length.toFixed(0)}`;
  });
  return `<path d="${drops.join('')}" stroke="#dfe8e4" stroke-opacity=".13" stroke-width="2.4"/>`;
}

/** Rows of waves from the horizon to the viewer, each with a lit crest and torn foam. */
function drawWaves(waves: Size & { random: Random; from: number; to: number }): string {
  const { width, height, random, from, to } = waves;
  const drawn: string[] = [];
  for (let row = from; row <= to; row += 1) {
    const nearness = row / (rows - 1);
    const middle = height * (0.56 + 0.4 * nearness ** 1.25);
    const crests = createCrests({ row, nearness, middle });
    const colour = mixColours('#5d8084', '#0c2635', nearness ** 0.7);
    const points: string[] = [];
    for (let x = -20; x <= width + 20; x += 10) points.push(`${x},${crests(x).toFixed(1)}`);
    const line = points.join('L');
    drawn.push(
      `<defs>${verticalGradient(`w${row}`, [
        { at: 0, colour: mixColours(colour, '#a9d0c4', 0.55) },
        { at: 0.28, colour },
        { at: 1, colour: mixColours(colour, '#06131d', 0.6) },
      ])}</defs><path d="M-20,${height}L${line}V${height}Z" fill="url(#w${row})"/>
      <path d="M${line}" fill="none" stroke="#eef3e6" stroke-opacity="${(0.16 + 0.1 * nearness).toFixed(2)}" stroke-width="${(2 + 4 * nearness).toFixed(1)}" stroke-linejoin="round"/>
      ${drawFoam({ random, crests, width, nearness })}`,
    );
  }
  return drawn.join('');
}

type Crests = (x: number) => number;

/** Narrow crests and wide troughs, as wind-driven waves have. */
function createCrests(wave: { row: number; nearness: number; middle: number }): Crests {
  const { row, nearness, middle } = wave;
  const noise = layerNoise(createNoise(200 + row), 3);
  const length = 300 + 900 * nearness;
  const swell = 40 + 230 * nearness ** 0.8;
  return (x) => {
    const drift = noise(x / (length * 1.8), row * 3.1);
    const phase = (x / length + drift * 0.55 + row * 0.37) * Math.PI;
    const point = (0.5 + 0.5 * Math.cos(2 * phase)) ** 2.2;
    return middle - swell * point * (0.8 + 0.7 * drift) - 34 * nearness * noise(x / 420, row);
  };
}

function drawFoam(foam: {
  random: Random;
  crests: Crests;
  width: number;
  nearness: number;
}): string {
  const { random, crests, width, nearness } = foam;
  const flecks = Array.from({ length: 150 }, () => {
    const x = random.between(0, width);
    const slope = (crests(x + 16) - crests(x - 16)) / 32;
    const below = random.next() ** 2 * (30 + 150 * nearness);
    const length = (12 + 90 * nearness) * random.between(0.3, 1.2);
    return `M${x.toFixed(0)},${(crests(x) + below).toFixed(0)}q${(length / 2).toFixed(0)},${(slope * length * 0.5 - 6 * nearness).toFixed(0)} ${length.toFixed(0)},${(slope * length).toFixed(0)}`;
  });
  const spray = Array.from({ length: 120 }, () => {
    const x = random.between(0, width);
    const above = random.next() ** 2.4 * (20 + 120 * nearness);
    const isCrest = crests(x) < crests(x - 60) && crests(x) < crests(x + 60);
    return isCrest || random.next() < 0.25
      ? `<circle cx="${x.toFixed(0)}" cy="${(crests(x) - above).toFixed(0)}" r="${(1 + 5 * nearness * random.next()).toFixed(1)}" fill="#f6f8ee" fill-opacity="${random.between(0.2, 0.75).toFixed(2)}"/>`
      : '';
  });
  return `<path d="${flecks.join('')}" fill="none" stroke="#eef3e6" stroke-opacity="${(0.16 + 0.2 * nearness).toFixed(2)}" stroke-width="${(1.6 + 4 * nearness).toFixed(1)}" stroke-linecap="round"/>${spray.join('')}`;
}
