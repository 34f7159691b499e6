import { drawClouds } from '../kit/clouds.ts';
import { palette } from '../kit/colour.ts';
import { type Layer, renderSvg, type Size, stack } from '../kit/layer.ts';
import type { Random } from '../kit/random.ts';
import { reflect } from '../kit/reflect.ts';
import { drawGlints, drawRidge, radialGradient, verticalGradient } from '../kit/shapes.ts';
import { tintWater } from '../kit/water.ts';
import { drawFishingBoat } from '../motifs/boats.ts';
import { drawWarehouse } from '../motifs/warehouse.ts';
import { drawQuayWall } from './quay.ts';

/** The inner harbour on a clear night, with lamps along the quay. */
export async function drawNight(size: Size, random: Random): Promise<Layer> {
  const { width, height } = size;
  const quay = Math.round(height * 0.57);
  const waterline = quay + 56;
  const moon = { x: width * 0.22, y: height * 0.18 };
  const scene = await stack(
    await renderSvg(size, drawSky({ random, width, height, waterline, moon })),
    await drawClouds(size, {
      seed: 61,
      colour: '#3d5a72',
      grain: [1300, 120],
      cover: 0.5,
      density: 0.6,
      band: [60, height * 0.46],
      edge: 2,
    }),
    await renderSvg(size, drawTown({ random, width, quay, waterline })),
  );
  const boats = await renderSvg(
    size,
    drawFishingBoat({
      x: width * 0.32,
      y: waterline + 150,
      length: 620,
      hull: '#0f1f2e',
      trim: '#6f7f86',
      house: '#8b8272',
      lit: true,
    }) +
      drawFishingBoat({
        x: width * 0.63,
        y: waterline + 150,
        length: 480,
        hull: '#0f1f2e',
        trim: '#6f7f86',
        house: '#7f7769',
        lit: true,
        flip: true,
      }),
  );
  return stack(
    scene,
    reflect(scene, { waterline, seed: 23, ripple: 110, shimmer: 14, stretch: 1.5 }),
    await tintWater(size, { waterline, far: '#0b1b2c', near: '#050d17', strength: [0.1, 0.72] }),
    await renderSvg(
      size,
      drawGlints({
        random,
        width,
        waterline,
        bottom: height,
        count: 260,
        colour: '#cfe0ea',
        opacity: 0.5,
        around: { x: moon.x, spread: 170 },
      }) +
        drawGlints({
          random,
          width,
          waterline,
          bottom: height,
          count: 300,
          colour: '#f4c877',
          opacity: 0.28,
        }),
    ),
    reflect(boats, { waterline: waterline + 150, seed: 23, ripple: 90, fade: [0.75, 0.25] }),
    boats,
  );
}

function drawSky(sky: {
  random: Random;
  width: number;
  height: number;
  waterline: number;
  moon: { x: number; y: number };
}): string {
  const { random, width, height, waterline, moon } = sky;
  const stars = Array.from({ length: 420 }, () => {
    const y = random.next() ** 1.4 * waterline * 0.9;
    return `<circle cx="${random.between(0, width).toFixed(0)}" cy="${y.toFixed(0)}" r="${(random.next() ** 3 * 3.4 + 0.9).toFixed(1)}" fill="#f3efdc" fill-opacity="${random.between(0.25, 0.95).toFixed(2)}"/>`;
  });
  return `<defs>${verticalGradient('s', [
    { at: 0, colour: '#0a1626' },
    { at: 0.55, colour: '#17324a' },
    { at: 0.9, colour: '#38576a' },
    { at: 1, colour: '#5b6a6c' },
  ])}${radialGradient('m', [
    { at: 0, colour: '#e6eee6', opacity: 0.55 },
    { at: 0.3, colour: '#9fc0c8', opacity: 0.2 },
    { at: 1, colour: '#9fc0c8', opacity: 0 },
  ])}</defs>
  <rect width="${width}" height="${height}" fill="#38576a"/>
  <rect width="${width}" height="${waterline}" fill="url(#s)"/>${stars.join('')}
  <circle cx="${moon.x}" cy="${moon.y}" r="520" fill="url(#m)"/>
  <circle cx="${moon.x}" cy="${moon.y}" r="92" fill="#f4efd9"/>
  <g fill="#d9d5bd" fill-opacity=".7"><circle cx="${moon.x - 30}" cy="${moon.y - 18}" r="20"/><circle cx="${moon.x + 26}" cy="${moon.y + 26}" r="28"/><circle cx="${moon.x + 18}" cy="${moon.y - 46}" r="13"/></g>
  <path d="${drawRidge({ seed: 72, width, base: waterline, height: 820, grain: 1200 })}" fill="#13293c"/>
  <path d="${drawRidge({ seed: 75, width, base: waterline, height: 640, grain: 760 })}" fill="#0e1f2f"/>`;
}

function drawTown(town: {
  random: Random;
  width: number;
  quay: number;
  waterline: number;
}): string {
  const { random, width, quay, waterline } = town;
  const haze = { colour: '#0d1d2d', amount: 0.66 };
  const colours = [
    palette.cream,
    palette.brick,
    palette.ochre,
    palette.sea,
    palette.rust,
    palette.sand,
    palette.moss,
  ] as const;
  const houses: string[] = [];
  const hill = Array.from({ length: 90 }, () => {
    const x = random.between(0, width);
    return `<path d="M${x.toFixed(0)},${(quay - random.between(330, 470)).toFixed(0)}h9v12h-9z" fill="${palette.straw}" fill-opacity="${random.between(0.35, 0.9).toFixed(2)}"/>`;
  });
  let x = -40;
  for (let index = 0; x < width; index += 1) {
    const wide = random.between(230, 320);
    houses.push(
      drawWarehouse({
        random,
        x,
        base: quay,
        width: wide,
        height: random.between(280, 440),
        colour: colours[index % colours.length] ?? palette.brick,
        lit: 0.55,
        haze,
      }),
    );
    x += wide + random.between(-2, 14);
  }
  const lamps = Array.from({ length: 11 }, (_, index) => {
    const at = 130 + (index * (width - 200)) / 10;
    return `<path d="M${at},${quay}v-150" stroke="#0a1420" stroke-width="9"/><circle cx="${at}" cy="${quay - 160}" r="210" fill="url(#l)"/><circle cx="${at}" cy="${quay - 160}" r="15" fill="#fff0bf"/>`;
  });
  return `<defs>${radialGradient('l', [
    { at: 0, colour: '#ffd98a', opacity: 0.85 },
    { at: 0.16, colour: '#ffc766', opacity: 0.4 },
    { at: 1, colour: '#f0a63f', opacity: 0 },
  ])}</defs>${hill.join('')}${houses.join('')}<g opacity=".62">${drawQuayWall({ random, width, top: quay, bottom: waterline })}</g>
  <path d="M0,${quay}H${width}V${waterline}H0Z" fill="#0a1622" fill-opacity=".55"/>${lamps.join('')}`;
}
