import { drawClouds } from '../kit/clouds.ts';
import { palette } from '../kit/colour.ts';
import { type Layer, renderSvg, type Size, stack } from '../kit/layer.ts';
import type { Random } from '../kit/random.ts';
import { reflect } from '../kit/reflect.ts';
import { drawGlints, drawRidge, radialGradient, verticalGradient } from '../kit/shapes.ts';
import { drawFishingBoat, drawSailingBoat } from '../motifs/boats.ts';
import { drawFlock } from '../motifs/gulls.ts';
import { drawLighthouse } from '../motifs/lighthouse.ts';

/** The harbour mouth at dawn: skerries, the light, one boat going out. */
export async function drawDawn(size: Size, random: Random): Promise<Layer> {
  const { width, height } = size;
  const waterline = Math.round(height * 0.6);
  const sun = { x: width * 0.63, y: waterline - 70 };
  const sky = await stack(
    await renderSvg(size, drawSky({ ...size, waterline, sun })),
    await drawClouds(size, {
      seed: 21,
      colour: '#7d6a7d',
      grain: [1500, 130],
      cover: 0.52,
      density: 0.62,
      band: [40, height * 0.5],
      edge: 2.4,
    }),
    await drawClouds(size, {
      seed: 8,
      colour: '#ffe3b8',
      grain: [1900, 70],
      cover: 0.46,
      density: 0.75,
      band: [height * 0.2, height * 0.58],
      edge: 3,
    }),
    await renderSvg(size, drawLand({ width, waterline })),
    await drawClouds(size, {
      seed: 5,
      colour: '#ffd9ae',
      grain: [2200, 60],
      cover: 0.56,
      density: 0.6,
      band: [waterline - 120, waterline + 50],
      edge: 1,
    }),
  );
  const boats = await renderSvg(
    size,
    drawSailingBoat({
      x: width * 0.43,
      y: waterline + 130,
      length: 210,
      hull: palette.ink,
      sail: '#f8d9a6',
    }),
  );
  const trawler = await renderSvg(
    size,
    drawFishingBoat({
      x: width * 0.77,
      y: waterline + 300,
      length: 560,
      hull: palette.navy,
      house: '#f3dcbb',
      lit: true,
      flip: true,
    }),
  );
  const water = reflect(sky, { waterline, seed: 3, ripple: 70, shimmer: 26, stretch: 0.9 });
  const tint = await renderSvg(
    size,
    `<defs>${verticalGradient('t', [
      { at: 0, colour: palette.navy, opacity: 0.04 },
      { at: 1, colour: '#0d2233', opacity: 0.72 },
    ])}</defs>
    <rect y="${waterline}" width="${width}" height="${height - waterline}" fill="url(#t)"/>`,
  );
  const light = await renderSvg(
    size,
    drawGlints({
      random,
      width,
      waterline,
      bottom: height,
      count: 520,
      colour: '#ffe9bd',
      opacity: 0.75,
      around: { x: sun.x, spread: 210 },
    }) +
      drawGlints({
        random,
        width,
        waterline,
        bottom: height,
        count: 420,
        colour: '#f3c4a0',
        opacity: 0.16,
      }),
  );
  return stack(
    sky,
    water,
    tint,
    light,
    reflect(boats, { waterline: waterline + 130, seed: 3, ripple: 60, fade: [0.75, 0.3] }),
    boats,
    reflect(trawler, { waterline: waterline + 300, seed: 3, ripple: 80, fade: [0.8, 0.35] }),
    trawler,
    await renderSvg(
      size,
      drawFlock({
        random,
        count: 7,
        x: [width * 0.66, width * 0.9],
        y: [waterline - 330, waterline - 60],
        span: [46, 96],
        colour: '#3a4152',
      }),
    ),
  );
}

function drawSky(scene: Size & { waterline: number; sun: { x: number; y: number } }): string {
  const { width, height, waterline, sun } = scene;
  return `<defs>${verticalGradient('s', [
    { at: 0, colour: '#22425a' },
    { at: 0.3, colour: '#5c7f8e' },
    { at: 0.58, colour: '#c9ab9c' },
    { at: 0.8, colour: '#f2bd87' },
    { at: 1, colour: '#fbd792' },
  ])}${radialGradient('g', [
    { at: 0, colour: '#fff6d8', opacity: 0.95 },
    { at: 0.2, colour: '#ffe3a0', opacity: 0.55 },
    { at: 1, colour: '#ffc97c', opacity: 0 },
  ])}</defs>
  <rect width="${width}" height="${height}" fill="#fbd792"/>
  <rect width="${width}" height="${waterline}" fill="url(#s)"/>
  <ellipse cx="${sun.x}" cy="${sun.y}" rx="1000" ry="560" fill="url(#g)"/>
  <circle cx="${sun.x}" cy="${sun.y}" r="74" fill="#fffbe9"/>`;
}

function drawLand({ width, waterline }: { width: number; waterline: number }): string {
  const ridge = (
    seed: number,
    height: number,
    grain: number,
    colour: string,
    profile: (across: number) => number,
  ) =>
    `<path d="${drawRidge({ seed, width, base: waterline, height, grain, profile })}" fill="${colour}"/>`;
  const fall = (across: number) => Math.max(0, 1 - across * 1.25);
  return [
    ridge(11, 330, 620, '#b99893', (across) => 0.55 + 0.45 * Math.cos(across * 5)),
    ridge(4, 300, 480, '#8d7c85', (across) => fall(across) + Math.max(0, across - 0.8) * 2.4),
    ridge(
      17,
      260,
      380,
      '#5d6273',
      (across) => Math.max(0, 1 - across * 2.3) + Math.max(0, across - 0.86) * 4,
    ),
    ridge(9, 120, 300, '#33455a', (across) => Math.max(0, 1 - Math.abs(across - 0.2) * 7)),
    drawLighthouse({
      x: width * 0.2,
      base: waterline - 62,
      height: 330,
      wall: '#ecd9c2',
      band: palette.brick,
      roof: palette.ink,
      glass: '#fff3c4',
    }),
  ].join('');
}
