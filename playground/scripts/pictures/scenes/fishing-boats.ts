import { drawClouds } from '../kit/clouds.ts';
import { palette } from '../kit/colour.ts';
import { type Layer, renderSvg, type Size, stack } from '../kit/layer.ts';
import type { Random } from '../kit/random.ts';
import { reflect } from '../kit/reflect.ts';
import { drawGlints, drawRidge, radialGradient, verticalGradient } from '../kit/shapes.ts';
import { tintWater } from '../kit/water.ts';
import { type Boat, drawFishingBoat } from '../motifs/boats.ts';
import { drawFlock } from '../motifs/gulls.ts';

/** Three generations of fishing boats at anchor in the evening. */
export async function drawFishingBoats(size: Size, random: Random): Promise<Layer> {
  const { width, height } = size;
  const waterline = Math.round(height * 0.5);
  const scene = await stack(
    await renderSvg(size, drawShore({ width, height, waterline })),
    await drawClouds(size, {
      seed: 113,
      colour: '#fbe7c9',
      grain: [1100, 150],
      cover: 0.5,
      density: 0.85,
      band: [80, height * 0.46],
      edge: 3,
    }),
    await drawClouds(size, {
      seed: 118,
      colour: '#f4d5b4',
      grain: [1500, 70],
      cover: 0.6,
      density: 0.55,
      band: [waterline - 130, waterline + 60],
      edge: 1,
    }),
  );
  const boats: readonly Boat[] = [
    { x: width * 0.5, y: waterline + 120, length: 440, hull: palette.moss, flip: true },
    {
      x: width * 0.27,
      y: waterline + 290,
      length: 900,
      hull: palette.brick,
      trim: palette.cream,
      house: '#f2e5c8',
    },
    {
      x: width * 0.71,
      y: waterline + 590,
      length: 1240,
      hull: '#1f4c63',
      trim: palette.straw,
      house: palette.cream,
      flip: true,
    },
  ];
  const moored: Layer[] = [];
  for (const boat of boats) {
    const layer = await renderSvg(size, drawFishingBoat(boat));
    moored.push(
      reflect(layer, { waterline: boat.y, seed: 52, ripple: 90, fade: [0.78, 0.3], stretch: 0.9 }),
      layer,
    );
  }
  return stack(
    scene,
    reflect(scene, { waterline, seed: 52, ripple: 90, shimmer: 26 }),
    await tintWater(size, { waterline, far: '#4c6a75', near: '#183a4b', strength: [0.12, 0.8] }),
    await renderSvg(
      size,
      drawGlints({
        random,
        width,
        waterline,
        bottom: height,
        count: 620,
        colour: '#ffe2b0',
        opacity: 0.36,
      }),
    ),
    ...moored,
    await renderSvg(
      size,
      drawFlock({
        random,
        count: 8,
        x: [width * 0.36, width * 0.62],
        y: [160, 620],
        span: [60, 120],
        colour: '#40485a',
      }),
    ),
  );
}

function drawShore({
  width,
  height,
  waterline,
}: {
  width: number;
  height: number;
  waterline: number;
}): string {
  return `<defs>${verticalGradient('s', [
    { at: 0, colour: '#4d7f8d' },
    { at: 0.5, colour: '#b9b7a4' },
    { at: 0.8, colour: '#eeb583' },
    { at: 1, colour: '#f6cf97' },
  ])}${radialGradient('g', [
    { at: 0, colour: '#fff1cb', opacity: 0.9 },
    { at: 1, colour: '#ffd28e', opacity: 0 },
  ])}</defs><rect width="${width}" height="${height}" fill="#f6cf97"/><rect width="${width}" height="${waterline}" fill="url(#s)"/>
  <ellipse cx="${width * 0.48}" cy="${waterline - 40}" rx="900" ry="420" fill="url(#g)"/>
  <path d="${drawRidge({ seed: 131, width, base: waterline, height: 420, grain: 760, profile: (across) => 0.35 + Math.abs(across - 0.48) * 1.5 })}" fill="#b08d84"/>
  <path d="${drawRidge({ seed: 136, width, base: waterline, height: 330, grain: 520, profile: (across) => Math.abs(across - 0.46) * 2.1 })}" fill="#7d7379"/>
  <path d="${drawRidge({ seed: 139, width, base: waterline, height: 240, grain: 330, profile: (across) => Math.max(0, Math.abs(across - 0.5) * 3 - 0.55) })}" fill="#4c5663"/>`;
}
