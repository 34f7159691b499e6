import { palette } from '../kit/colour.ts';
import { type Layer, renderSvg, type Size } from '../kit/layer.ts';
import { letter } from '../kit/lettering.ts';
import { createNoise, layerNoise } from '../kit/noise.ts';
import type { Random } from '../kit/random.ts';

type Place = readonly [number, number];

/** The town and its quays in 1782, as a surveyor drew them. */
export async function drawTownPlan(size: Size, random: Random): Promise<Layer> {
  const { width, height } = size;
  const shore = createShore(size);
  return renderSvg(
    size,
    `<rect width="${width}" height="${height}" fill="#eadbb6"/>${drawFields({ ...size, random })}
    ${drawWater(size, shore)}${drawBlocks({ ...size, random, shore })}${drawQuays(shore)}${drawFort(width * 0.84, height * 0.5)}
    ${drawLabels(size)}${drawFrame(size)}`,
  );
}

/** The row of the shore at a column: a bay with two headlands. */
type Shore = (x: number) => number;

function createShore({ width, height }: Size): Shore {
  const noise = layerNoise(createNoise(701), 4);
  return (x) =>
    height * (0.63 - 0.1 * Math.cos(((x / width) * 1.1 + 0.42) * Math.PI * 2)) +
    46 * noise(x / 330, 1.7);
}

function trace(shore: Shore, width: number, offset: number): string {
  const points: string[] = [];
  for (let x = 0; x <= width; x += 10) points.push(`${x},${(shore(x) + offset).toFixed(1)}`);
  return points.join('L');
}

function drawWater({ width, height }: Size, shore: Shore): string {
  const lines = Array.from({ length: 11 }, (_, index) => {
    const offset = 12 + 11 * index + index ** 2 * 1.7;
    return `<path d="M${trace(shore, width, offset)}" stroke-opacity="${(0.75 - index * 0.06).toFixed(2)}"/>`;
  });
  return `<path d="M0,${height}L${trace(shore, width, 0)}V${height}Z" fill="#a9cac2"/><g fill="none" stroke="#2f6673" stroke-width="2.600">${lines.join('')}</g>
    <path d="M${trace(shore, width, 0)}" fill="none" stroke="${palette.ink}" stroke-width="6"/>`;
}

/** Crooked blocks of houses between the shore and the town wall. */
function drawBlocks(town: Size & { random: Random; shore: Shore }): string {
  const { width, random, shore } = town;
  const bend = layerNoise(createNoise(707), 3);
  const at = (column: number, row: number): Place => {
    const x = width * 0.2 + column * 128 + 46 * bend(column * 0.43, row * 0.51);
    return [x, shore(x) - 66 - row * 118 + 38 * bend(column * 0.5 + 9, row * 0.5)];
  };
  const blocks: string[] = [];
  for (let row = 0; row < 7; row += 1) {
    for (let column = 0; column < 12; column += 1) {
      const centre = Math.hypot((column - 5.5) / 6.6, (row + 0.3) / 7.2);
      if (centre > 0.98 || (row === 2 && (column === 5 || column === 6))) continue;
      const corners = [
        at(column, row),
        at(column + 1, row),
        at(column + 1, row + 1),
        at(column, row + 1),
      ] as const;
      blocks.push(drawBlock({ corners, random }));
    }
  }
  const square = at(6, 2.5);
  return `${blocks.join('')}<g stroke="${palette.ink}" stroke-width="4" fill="${palette.brick}"><path d="M${square[0] - 20},${square[1] - 74}h40v54h54v40h-54v70h-40v-70h-54v-40h54z"/></g>`;
}

function drawBlock({
  corners,
  random,
}: {
  corners: readonly [Place, Place, Place, Place];
  random: Random;
}): string {
  const inner = (across: number, down: number): Place => {
    const [a, b, c, d] = corners;
    const blend = (axis: 0 | 1) => {
      const upper = a[axis] + (b[axis] - a[axis]) * across;
      const lower = d[axis] + (c[axis] - d[axis]) * across;
      return upper + (lower - upper) * down;
    };
    return [blend(0), blend(1)];
  };
  const quad = (left: number, top: number, right: number, bottom: number) =>
    `M${[inner(left, top), inner(right, top), inner(right, bottom), inner(left, bottom)].map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join('L')}Z`;
  const houses: string[] = [];
  for (const [top, bottom] of [
    [0.1, 0.4],
    [0.6, 0.9],
  ] as const) {
    let left = 0.09;
    while (left < 0.82) {
      const right = Math.min(0.91, left + random.between(0.15, 0.3));
      const colour = random.pick(['#c0583c', '#c96f4d', '#b64b31', '#a9482f', '#d08a5f'] as const);
      houses.push(
        `<path d="${quad(left, top, right, bottom)}" fill="${colour}" stroke="${palette.ink}" stroke-width="2.600"/>`,
      );
      left = right + (random.next() < 0.12 ? 0.1 : 0.008);
    }
  }
  return `<path d="${quad(0.07, 0.08, 0.93, 0.92)}" fill="#b9bf8d" stroke="${palette.ink}" stroke-opacity=".5" stroke-width="2"/>${houses.join('')}`;
}

function drawQuays(shore: Shore): string {
  return [880, 1120, 1360, 1600]
    .map((x, index) => {
      const top = shore(x) - 20;
      const length = 190 + (index % 2) * 90;
      const ships = [-1, 1].map((side) => {
        const [shipX, shipY] = [x + side * 54, top + length * 0.62];
        return `<path d="M${shipX},${shipY - 62}C${shipX + 22},${shipY - 24} ${shipX + 20},${shipY + 34} ${shipX + 12},${shipY + 62}h-24C${shipX - 20},${shipY + 34} ${shipX - 22},${shipY - 24} ${shipX},${shipY - 62}Z" fill="#e8d3a0" stroke="${palette.ink}" stroke-width="4"/><path d="M${shipX - 20},${shipY}h40" stroke="${palette.ink}" stroke-width="4"/>`;
      });
      return `<path d="M${x - 22},${top}h44v${length}h-44z" fill="#b8945f" stroke="${palette.ink}" stroke-width="4"/>${index % 2 ? ships.join('') : (ships[0] ?? '')}`;
    })
    .join('');
}

function drawFort(x: number, y: number): string {
  const star = (radius: number) =>
    Array.from({ length: 10 }, (_, index) => {
      const angle = (index * Math.PI) / 5 - Math.PI / 2;
      const reach = index % 2 ? radius * 0.62 : radius;
      return `${(x + Math.cos(angle) * reach).toFixed(0)},${(y + Math.sin(angle) * reach).toFixed(0)}`;
    }).join('L');
  return `<g stroke="${palette.ink}" stroke-width="5" stroke-linejoin="round"><path d="M${star(190)}Z" fill="#a9b37e"/><path d="M${star(140)}Z" fill="#dcc795"/><path d="M${x - 34},${y - 30}h68v60h-68z" fill="${palette.brick}"/></g>`;
}

function drawFields({ width, height, random }: Size & { random: Random }): string {
  const furrows = Array.from({ length: 46 }, () => {
    const [x, y] = [random.between(60, width - 200), random.between(60, height * 0.62)];
    const [wide, tall, turn] = [
      random.between(120, 230),
      random.between(80, 150),
      random.between(-28, 28),
    ];
    const lines = Array.from({ length: 8 }, (_, index) => `M0,${(index * tall) / 7}h${wide}`);
    return `<g transform="translate(${x.toFixed(0)} ${y.toFixed(0)}) rotate(${turn.toFixed(0)})"><path d="M0,0h${wide}v${tall}h${-wide}z" fill="${random.pick(['#c9c795', '#d8c58c', '#b9bf8d', '#dfcf9f'] as const)}"/><path d="${lines.join('')}" stroke="#6f6a3d" stroke-opacity=".6" stroke-width="2.600" stroke-dasharray="14 7"/></g>`;
  });
  const trees = Array.from({ length: 240 }, () => {
    const [x, y] = [random.between(60, width - 60), random.between(70, height * 0.6)];
    return `<path d="M${x.toFixed(0)},${y.toFixed(0)}v14" stroke="#4e3d22" stroke-width="4"/><circle cx="${x.toFixed(0)}" cy="${(y - 6).toFixed(0)}" r="${random.between(9, 15).toFixed(0)}" fill="#7c8f58" stroke="#3f4f2c" stroke-width="2.600"/>`;
  });
  return furrows.join('') + trees.join('');
}

function drawLabels({ width, height }: Size): string {
  const text = (words: string, x: number, y: number, size: number, weight: number) =>
    `<path d="${letter(words, { x, y, size, anchor: 'middle', spacing: 2.6 })}" stroke-width="${weight}"/>`;
  return `<path d="M${width * 0.08},${height * 0.1}h820v250h-820z" fill="#f4e9cb" stroke="${palette.ink}" stroke-width="6"/><path d="M${width * 0.08 + 20},${height * 0.1 + 20}h780v210h-780z" fill="none" stroke="${palette.rust}" stroke-width="4"/>
    <g fill="none" stroke="${palette.ink}" stroke-linecap="round" stroke-linejoin="round">
    ${text('TOWN OF RAVNSUND', width * 0.08 + 410, height * 0.1 + 120, 36, 7)}${text('SURVEYED 1782', width * 0.08 + 410, height * 0.1 + 190, 28, 5)}
    ${text('THE POOL', width * 0.45, height * 0.92, 54, 8)}${text('FORT', width * 0.84, height * 0.5 + 260, 32, 6)}</g>`;
}

function drawFrame({ width, height }: Size): string {
  return `<path d="M0,0H${width}V${height}H0ZM44,44V${height - 44}H${width - 44}V44Z" fill="#f2e6c6" fill-rule="evenodd"/><path d="M44,44H${width - 44}V${height - 44}H44ZM62,62H${width - 62}V${height - 62}H62Z" fill="none" stroke="${palette.ink}" stroke-width="5"/>`;
}
