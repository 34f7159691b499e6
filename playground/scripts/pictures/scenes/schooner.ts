import { drawClouds } from '../kit/clouds.ts';
import { palette } from '../kit/colour.ts';
import { type Layer, renderSvg, type Size, stack } from '../kit/layer.ts';
import type { Random } from '../kit/random.ts';
import { reflect } from '../kit/reflect.ts';
import { drawGlints, drawRidge, radialGradient, verticalGradient } from '../kit/shapes.ts';
import { tintWater } from '../kit/water.ts';
import { drawSailingBoat, drawSchooner as drawShip } from '../motifs/boats.ts';
import { drawFlock } from '../motifs/gulls.ts';

/** The schooner Aurora under full sail, the sun behind her. */
export async function drawSchooner(size: Size, random: Random): Promise<Layer> {
  const { width, height } = size;
  const waterline = Math.round(height * 0.66);
  const sun = { x: width * 0.46, y: height * 0.4 };
  const scene = await stack(
    await renderSvg(size, drawSky({ width, height, waterline, sun })),
    await drawClouds(size, {
      seed: 171,
      colour: '#f7dfc0',
      grain: [900, 110],
      cover: 0.5,
      density: 0.7,
      band: [height * 0.14, height * 0.64],
      edge: 3,
    }),
  );
  const ship = await renderSvg(
    size,
    drawShip({
      x: width * 0.47,
      y: waterline + 210,
      length: 1330,
      hull: palette.ink,
      trim: palette.straw,
      sail: '#fbeed2',
    }),
  );
  const far = await renderSvg(
    size,
    drawSailingBoat({
      x: width * 0.86,
      y: waterline + 34,
      length: 130,
      hull: '#4a3f4a',
      sail: '#f6dcb2',
    }) +
      drawSailingBoat({
        x: width * 0.11,
        y: waterline + 34,
        length: 90,
        hull: '#4a3f4a',
        sail: '#f6dcb2',
      }),
  );
  return stack(
    scene,
    reflect(scene, { waterline, seed: 77, ripple: 110, shimmer: 30, stretch: 0.6 }),
    await tintWater(size, { waterline, far: '#5a5a68', near: '#1b3346', strength: [0.2, 0.86] }),
    await renderSvg(
      size,
      drawGlints({
        random,
        width,
        waterline,
        bottom: height,
        count: 520,
        colour: '#ffe7b4',
        opacity: 0.6,
        around: { x: sun.x, spread: 420 },
      }) +
        drawGlints({
          random,
          width,
          waterline,
          bottom: height,
          count: 300,
          colour: '#f2cfae',
          opacity: 0.25,
        }),
    ),
    reflect(far, { waterline: waterline + 34, seed: 77, ripple: 60, fade: [0.6, 0.2] }),
    far,
    reflect(ship, {
      waterline: waterline + 210,
      seed: 77,
      ripple: 110,
      fade: [0.72, 0.3],
      stretch: 0.7,
    }),
    ship,
    await renderSvg(
      size,
      drawFlock({
        random,
        count: 9,
        x: [width * 0.68, width * 0.94],
        y: [height * 0.2, height * 0.5],
        span: [40, 90],
        colour: '#5b4450',
      }),
    ),
  );
}

function drawSky(sky: {
  width: number;
  height: number;
  waterline: number;
  sun: { x: number; y: number };
}): string {
  const { width, height, waterline, sun } = sky;
  return `<defs>${verticalGradient('s', [
    { at: 0, colour: '#5a4a66' },
    { at: 0.35, colour: '#b77470' },
    { at: 0.7, colour: '#eaa670' },
    { at: 1, colour: '#f9d69a' },
  ])}${radialGradient('g', [
    { at: 0, colour: '#fff3d0', opacity: 0.95 },
    { at: 1, colour: '#ffc27a', opacity: 0 },
  ])}</defs><rect width="${width}" height="${height}" fill="#f9d69a"/><rect width="${width}" height="${waterline}" fill="url(#s)"/>
  <circle cx="${sun.x}" cy="${sun.y}" r="900" fill="url(#g)"/><circle cx="${sun.x}" cy="${sun.y}" r="330" fill="#fdeec6" fill-opacity=".85"/>
  <path d="${drawRidge({ seed: 181, width, base: waterline, height: 170, grain: 560, profile: (across) => Math.abs(across - 0.45) * 2 })}" fill="#a4707a"/>
  <path d="${drawRidge({ seed: 187, width, base: waterline, height: 120, grain: 400, profile: (across) => Math.max(0, across - 0.62) * 2.8 })}" fill="#74566c"/>`;
}
