import { drawClouds } from '../kit/clouds.ts';
import { palette } from '../kit/colour.ts';
import { type Layer, renderSvg, type Size, stack } from '../kit/layer.ts';
import { createNoise, layerNoise } from '../kit/noise.ts';
import type { Random } from '../kit/random.ts';
import { reflect } from '../kit/reflect.ts';
import { drawGlints, verticalGradient } from '../kit/shapes.ts';
import { tintWater } from '../kit/water.ts';
import { drawFlock } from '../motifs/gulls.ts';
import { drawLighthouse as drawTower } from '../motifs/lighthouse.ts';

/** The lighthouse on its skerry, upright, on a bright windy day. */
export async function drawLighthouse(size: Size, random: Random): Promise<Layer> {
  const { width, height } = size;
  const waterline = Math.round(height * 0.76);
  const scene = await stack(
    await renderSvg(size, drawSky({ width, height, waterline })),
    await drawClouds(size, {
      seed: 84,
      colour: '#fdf3e0',
      grain: [760, 330],
      cover: 0.47,
      density: 0.96,
      band: [200, height * 0.74],
      edge: 4.2,
    }),
    await drawClouds(size, {
      seed: 88,
      colour: '#e9b99a',
      grain: [900, 150],
      cover: 0.44,
      density: 0.6,
      band: [height * 0.4, height * 0.76],
      edge: 3,
    }),
    await renderSvg(size, drawSkerry({ random, width, waterline })),
  );
  return stack(
    scene,
    reflect(scene, { waterline, seed: 41, ripple: 95, shimmer: 30, stretch: 0.7 }),
    await tintWater(size, { waterline, far: '#2b6377', near: '#0f3044', strength: [0.3, 0.85] }),
    await renderSvg(
      size,
      drawGlints({
        random,
        width,
        waterline,
        bottom: height,
        count: 480,
        colour: '#fbf1da',
        opacity: 0.42,
      }) +
        drawFlock({
          random,
          count: 11,
          x: [width * 0.08, width * 0.92],
          y: [500, 1500],
          span: [60, 150],
          colour: '#33414f',
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
    { at: 0, colour: '#2b6a84' },
    { at: 0.45, colour: '#6fa9ae' },
    { at: 0.8, colour: '#d9d8b9' },
    { at: 1, colour: '#f3d6a6' },
  ])}</defs><rect width="${width}" height="${height}" fill="#f3d6a6"/><rect width="${width}" height="${waterline}" fill="url(#s)"/>`;
}

function drawSkerry({
  random,
  width,
  waterline,
}: {
  random: Random;
  width: number;
  waterline: number;
}): string {
  const top = waterline - 300;
  const tower = drawTower({
    x: width * 0.58,
    base: top + 24,
    height: 1490,
    wall: palette.cream,
    band: palette.brick,
    roof: '#2a2328',
    glass: '#fff0b8',
  });
  return `${drawHouse(width * 0.27, top + 96)}${tower}${drawRock(width, waterline)}${drawFoam({ random, width, waterline })}`;
}

function drawHouse(x: number, base: number): string {
  return `<g transform="translate(${x} ${base})">
    <path d="M-190,0V-150H190V0Z" fill="${palette.cream}"/><path d="M60,0V-150H190V0Z" fill="#000" fill-opacity=".08"/>
    <path d="M-214,-146L-150,-262H150L214,-146Z" fill="${palette.brick}"/><path d="M-214,-146L-150,-262H-120L-172,-146Z" fill="#fff" fill-opacity=".1"/>
    <path d="M-96,-256v-58h40v58zM70,-256v-58h40v58z" fill="#6d3324"/>
    <path d="M-150,-110h56v66h-56zM94,-110h56v66h-56zM-64,-110h56v66h-56z" fill="${palette.navy}" stroke="#fff" stroke-width="9"/>
    <path d="M20,0v-112h52v112z" fill="${palette.sea}" stroke="#fff" stroke-width="9"/>
    <path d="M-122,-110v66M-150,-77h56M122,-110v66M94,-77h56M-36,-110v66M-64,-77h56" stroke="#fff" stroke-width="5"/></g>`;
}

/** Layers of rock, each lower, nearer and darker. */
function drawRock(width: number, waterline: number): string {
  const layers = [
    { seed: 2, height: 330, colour: '#77706b', reach: 0.5 },
    { seed: 6, height: 210, colour: '#585a5e', reach: 0.62 },
    { seed: 13, height: 120, colour: '#3b444c', reach: 0.9 },
  ];
  return layers
    .map(({ seed, height, colour, reach }) => {
      const noise = layerNoise(createNoise(seed), 5);
      const points: string[] = [];
      for (let x = 0; x <= width; x += 26) {
        const across = (x / width - 0.47) / reach;
        const dome = Math.max(0, 1 - (across * 1.7) ** 4);
        const top = waterline - height * dome * (0.84 + 0.34 * noise(x / 260, seed));
        points.push(`${x},${top.toFixed(0)}`);
      }
      return `<path d="M0,${waterline}L${points.join('L')}V${waterline}Z" fill="${colour}"/>`;
    })
    .join('');
}

function drawFoam({
  random,
  width,
  waterline,
}: {
  random: Random;
  width: number;
  waterline: number;
}): string {
  return Array.from({ length: 260 }, () => {
    const x = width * (0.03 + 0.94 * random.next());
    const lift = random.next() ** 3 * 74;
    return `<ellipse cx="${x.toFixed(0)}" cy="${(waterline - lift).toFixed(0)}" rx="${random.between(5, 30).toFixed(0)}" ry="${random.between(3, 11).toFixed(0)}" fill="#fffaf0" fill-opacity="${random.between(0.25, 0.8).toFixed(2)}"/>`;
  }).join('');
}
