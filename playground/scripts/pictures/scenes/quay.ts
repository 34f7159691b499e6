import { drawClouds } from '../kit/clouds.ts';
import { palette } from '../kit/colour.ts';
import { type Layer, renderSvg, type Size, stack } from '../kit/layer.ts';
import type { Random } from '../kit/random.ts';
import { reflect } from '../kit/reflect.ts';
import { drawGlints, drawRidge, verticalGradient } from '../kit/shapes.ts';
import { tintWater } from '../kit/water.ts';
import { drawFishingBoat, drawRowingBoat } from '../motifs/boats.ts';
import { drawFlock } from '../motifs/gulls.ts';
import { drawWarehouse } from '../motifs/warehouse.ts';

/** The row of warehouses on the old quay, by day, doubled in the water. */
export async function drawQuay(size: Size, random: Random): Promise<Layer> {
  const { width, height } = size;
  const quay = Math.round(height * 0.6);
  const waterline = quay + 74;
  const scene = await stack(
    await renderSvg(size, drawSky({ width, height, waterline })),
    await drawClouds(size, {
      seed: 31,
      colour: '#fffaf0',
      grain: [820, 210],
      cover: 0.49,
      density: 0.95,
      band: [0, height * 0.56],
      edge: 3.4,
    }),
    await renderSvg(size, drawRow({ random, width, quay, waterline })),
  );
  const rowing = await renderSvg(
    size,
    drawRowingBoat({ x: width * 0.3, y: waterline + 120, length: 300, hull: palette.brick }) +
      drawRowingBoat({
        x: width * 0.46,
        y: waterline + 130,
        length: 270,
        hull: palette.navy,
        flip: true,
      }),
  );
  const cutter = await renderSvg(
    size,
    drawFishingBoat({
      x: width * 0.74,
      y: waterline + 190,
      length: 760,
      hull: '#275a63',
      trim: palette.straw,
    }),
  );
  return stack(
    scene,
    reflect(scene, { waterline, seed: 12, ripple: 90, shimmer: 22, stretch: 0.92 }),
    await tintWater(size, { waterline, far: '#2c5f6d', near: '#123646', strength: [0.22, 0.78] }),
    await renderSvg(
      size,
      drawGlints({
        random,
        width,
        waterline,
        bottom: height,
        count: 520,
        colour: '#f3f0df',
        opacity: 0.3,
      }),
    ),
    reflect(rowing, { waterline: waterline + 122, seed: 12, ripple: 60, fade: [0.8, 0.2] }),
    rowing,
    reflect(cutter, { waterline: waterline + 190, seed: 12, ripple: 90, fade: [0.85, 0.3] }),
    cutter,
    await renderSvg(
      size,
      drawFlock({
        random,
        count: 9,
        x: [width * 0.1, width * 0.9],
        y: [120, 420],
        span: [50, 110],
        colour: '#fdf9ef',
      }),
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
    { at: 0, colour: '#4f8fa6' },
    { at: 0.6, colour: '#a9cfcd' },
    { at: 1, colour: '#f1e6c8' },
  ])}</defs>
  <rect width="${width}" height="${height}" fill="#f1e6c8"/>
  <rect width="${width}" height="${waterline}" fill="url(#s)"/>
  <path d="${drawRidge({ seed: 44, width, base: waterline, height: 640, grain: 900 })}" fill="#86adb0"/>
  <path d="${drawRidge({ seed: 47, width, base: waterline, height: 470, grain: 640 })}" fill="#6d958f"/>`;
}

function drawRow(row: { random: Random; width: number; quay: number; waterline: number }): string {
  const { random, width, quay, waterline } = row;
  const colours = [
    palette.brick,
    palette.cream,
    palette.ochre,
    '#7c3a2a',
    palette.moss,
    palette.straw,
    '#c8694a',
    '#e9dcc0',
    palette.sea,
    palette.rust,
  ] as const;
  const houses: string[] = [];
  let x = -70;
  for (let index = 0; x < width; index += 1) {
    const wide = random.between(270, 380);
    houses.push(
      drawWarehouse({
        random,
        x,
        base: quay,
        width: wide,
        height: random.between(400, 560),
        colour: colours[index % colours.length] ?? palette.brick,
        lit: 0.08,
      }),
    );
    x += wide + random.between(-2, 26);
  }
  return houses.join('') + drawQuayWall({ random, width, top: quay, bottom: waterline });
}

/** A timber quay on piles, with bollards, barrels and crates. */
export function drawQuayWall(wall: {
  random: Random;
  width: number;
  top: number;
  bottom: number;
}): string {
  const { random, width, top, bottom } = wall;
  const piles = Array.from({ length: Math.ceil(width / 92) }, (_, index) => {
    const x = index * 92 + random.between(-8, 8);
    return `<path d="M${x},${top + 8}h20v${bottom - top - 8}h-20z" fill="#3a2c26"/><path d="M${x},${top + 8}h6v${bottom - top - 8}h-6z" fill="#5b463a"/>`;
  });
  const barrels = Array.from({ length: 13 }, () => {
    const x = random.between(0, width);
    return random.next() < 0.5
      ? `<g transform="translate(${x} ${top})"><path d="M-20,0Q-27,-30 -20,-60H20Q27,-30 20,0Z" fill="#8a5a34"/><path d="M-23.500,-16h47M-23.500,-44h47" stroke="#33302e" stroke-width="5"/></g>`
      : `<g transform="translate(${x} ${top})"><path d="M-36,0v-46h72v46z" fill="#b98a52"/><path d="M-36,-15h72M-36,-31h72M-30,0v-46M30,0v-46" stroke="#7c5a33" stroke-width="4"/></g>`;
  });
  return `<path d="M0,${top + 20}H${width}V${bottom}H0Z" fill="#1d2529"/>${piles.join('')}
    <path d="M0,${top - 2}H${width}v26H0Z" fill="#8d7459"/><path d="M0,${top + 18}H${width}v9H0Z" fill="#57452f"/>${barrels.join('')}`;
}
