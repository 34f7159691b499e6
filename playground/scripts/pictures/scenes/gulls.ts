import { drawClouds } from '../kit/clouds.ts';
import { palette } from '../kit/colour.ts';
import { type Layer, renderSvg, type Size, stack } from '../kit/layer.ts';
import type { Random } from '../kit/random.ts';
import { reflect } from '../kit/reflect.ts';
import { drawGlints, drawRidge, verticalGradient } from '../kit/shapes.ts';
import { tintWater } from '../kit/water.ts';
import { drawFishingBoat } from '../motifs/boats.ts';
import { drawFlock } from '../motifs/gulls.ts';

/** Gulls behind a boat coming home, three of them near enough to touch. */
export async function drawGulls(size: Size, random: Random): Promise<Layer> {
  const { width, height } = size;
  const waterline = Math.round(height * 0.78);
  const scene = await stack(
    await renderSvg(size, drawSky({ width, height, waterline })),
    await drawClouds(size, {
      seed: 151,
      colour: '#fffaf1',
      grain: [780, 300],
      cover: 0.5,
      density: 0.92,
      band: [-100, height * 0.78],
      edge: 3,
    }),
  );
  const boat = await renderSvg(
    size,
    drawFishingBoat({
      x: width * 0.77,
      y: waterline + 120,
      length: 520,
      hull: palette.brick,
      house: palette.cream,
    }),
  );
  return stack(
    scene,
    reflect(scene, { waterline, seed: 66, ripple: 90, shimmer: 28, stretch: 0.5 }),
    await tintWater(size, { waterline, far: '#2f6f80', near: '#123d50', strength: [0.3, 0.82] }),
    await renderSvg(
      size,
      drawGlints({
        random,
        width,
        waterline,
        bottom: height,
        count: 380,
        colour: '#fbf6e6',
        opacity: 0.4,
      }),
    ),
    reflect(boat, { waterline: waterline + 120, seed: 66, ripple: 70, fade: [0.7, 0.2] }),
    boat,
    await renderSvg(
      size,
      drawFlock({
        random,
        count: 26,
        x: [width * 0.3, width * 0.98],
        y: [height * 0.12, height * 0.72],
        span: [40, 130],
        colour: '#f9f6ec',
      }) +
        drawFlock({
          random,
          count: 14,
          x: [width * 0.05, width * 0.7],
          y: [height * 0.2, height * 0.74],
          span: [30, 80],
          colour: '#5d7c88',
        }) +
        drawNearGull({ x: width * 0.29, y: height * 0.37, scale: 4.1, tilt: -7 }) +
        drawNearGull({ x: width * 0.63, y: height * 0.21, scale: 2.2, tilt: 9 }) +
        drawNearGull({ x: width * 0.52, y: height * 0.6, scale: 1.7, tilt: -14 }),
    ),
  );
}

function drawSky({
  width,
  height,
  waterline,
}: {
  width: number;
  height: number;
  waterline: number;
}): string {
  return `<defs>${verticalGradient('s', [
    { at: 0, colour: '#3b87a0' },
    { at: 0.6, colour: '#93c6c8' },
    { at: 1, colour: '#f0e5c9' },
  ])}</defs><rect width="${width}" height="${height}" fill="#f0e5c9"/><rect width="${width}" height="${waterline}" fill="url(#s)"/>
  <path d="${drawRidge({ seed: 161, width, base: waterline, height: 210, grain: 620 })}" fill="#8db3b1"/>
  <path d="${drawRidge({ seed: 167, width, base: waterline, height: 130, grain: 420, profile: (across) => Math.max(0, 0.9 - across * 1.6) })}" fill="#5f8788"/>`;
}

/** A herring gull gliding to the right, wings spread; about 220 units from tip to tip. */
function drawNearGull(gull: { x: number; y: number; scale: number; tilt: number }): string {
  const { x, y, scale, tilt } = gull;
  return `<g transform="translate(${x} ${y}) rotate(${tilt}) scale(${scale})">
    <path d="M4,-6C22,-30 54,-48 104,-50C84,-36 60,-18 30,4C18,8 8,4 4,-6Z" fill="#c7d2d3"/>
    <path d="M104,-50C92,-47 80,-44 70,-38C76,-36 82,-35 86,-37Z" fill="#26323c"/>
    <path d="M-62,10C-50,3 -38,2 -26,1C-8,-8 22,-12 40,-6C48,-4 53,0 55,4C46,14 14,20 -12,14C-28,12 -44,16 -62,10Z" fill="#fdfaf2"/>
    <path d="M-62,10C-50,9 -36,8 -20,9C4,14 30,13 54,5C46,15 14,21 -12,15C-28,13 -44,16 -62,10Z" fill="#b9c7c9"/>
    <path d="M54,1L66,5.500L54,7.500Z" fill="#e0a32e"/><path d="M60,5L63,6.500L59,6.800Z" fill="${palette.brick}"/>
    <circle cx="46.500" cy="0.800" r="1.9" fill="#1b252d"/>
    <path d="M-6,-4C-24,-34 -58,-62 -112,-74C-98,-56 -70,-26 -28,4C-16,12 2,12 14,4C10,-2 2,-5 -6,-4Z" fill="#dfe6e3"/>
    <path d="M-6,-4C-24,-34 -58,-62 -112,-74C-84,-56 -56,-34 -34,-6C-24,4 -8,8 14,4C10,-2 2,-5 -6,-4Z" fill="#9fb2b8"/>
    <path d="M-112,-74C-98,-71 -86,-67 -76,-62C-74,-56 -76,-50 -80,-46C-92,-56 -104,-66 -112,-74Z" fill="#26323c"/>
    <path d="M-99,-67l6,1.600l-2,4z" fill="#fdfaf2"/></g>`;
}
