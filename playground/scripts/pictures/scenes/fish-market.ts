import { drawClouds } from '../kit/clouds.ts';
import { mixColours, palette } from '../kit/colour.ts';
import { type Layer, renderSvg, type Size, stack } from '../kit/layer.ts';
import type { Random } from '../kit/random.ts';
import { verticalGradient } from '../kit/shapes.ts';
import { drawFlock } from '../motifs/gulls.ts';
import { drawPerson } from '../motifs/person.ts';
import { drawWarehouse } from '../motifs/warehouse.ts';

/** Two stalls on the square, early, with the night's catch. */
export async function drawFishMarket(size: Size, random: Random): Promise<Layer> {
  const { width, height } = size;
  const ground = height * 0.74;
  return stack(
    await renderSvg(
      size,
      `<defs>${verticalGradient('s', [
        { at: 0, colour: '#86b2b8' },
        { at: 0.6, colour: '#e9d9b6' },
        { at: 1, colour: '#f3dcae' },
      ])}</defs><rect width="${width}" height="${height}" fill="url(#s)"/>`,
    ),
    await drawClouds(size, {
      seed: 401,
      colour: '#fff8e8',
      grain: [700, 150],
      cover: 0.5,
      density: 0.85,
      band: [0, height * 0.5],
      edge: 3,
    }),
    await renderSvg(size, drawTown({ random, width, ground })),
    await drawClouds(size, {
      seed: 405,
      colour: '#f6e3bd',
      grain: [900, 200],
      cover: 0.62,
      density: 0.5,
      band: [ground - 300, ground + 130],
      edge: 1,
    }),
    await renderSvg(
      size,
      drawSquare({ random, width, height, ground }) +
        drawPerson({
          x: width * 0.32,
          base: ground + 70,
          height: 560,
          coat: palette.sea,
          hat: 'cap',
          hatColour: palette.navy,
          apron: palette.cream,
        }) +
        drawPerson({
          x: width * 0.76,
          base: ground + 70,
          height: 530,
          coat: palette.ochre,
          hat: 'scarf',
          hatColour: palette.brick,
          apron: '#dfe6e0',
          flip: true,
        }) +
        drawStall({
          random,
          left: width * 0.07,
          right: width * 0.47,
          ground,
          height,
          stripe: palette.brick,
        }) +
        drawStall({
          random,
          left: width * 0.56,
          right: width * 0.95,
          ground,
          height,
          stripe: palette.sea,
        }) +
        drawPerson({
          x: width * 0.515,
          base: height * 0.945,
          height: 640,
          coat: '#5d4a63',
          legs: '#33303f',
          hat: 'none',
          hatColour: '#5a3722',
          flip: true,
        }) +
        drawFlock({
          random,
          count: 7,
          x: [width * 0.1, width * 0.9],
          y: [80, 330],
          span: [50, 110],
          colour: '#4d6470',
        }),
    ),
  );
}

function drawTown({
  random,
  width,
  ground,
}: {
  random: Random;
  width: number;
  ground: number;
}): string {
  const colours = [
    palette.ochre,
    palette.cream,
    palette.brick,
    palette.moss,
    palette.sand,
    palette.rust,
    palette.sea,
  ] as const;
  const haze = { colour: '#e3cfa6', amount: 0.52 };
  const houses: string[] = [];
  let x = -60;
  for (let index = 0; x < width; index += 1) {
    const wide = random.between(250, 340);
    houses.push(
      drawWarehouse({
        random,
        x,
        base: ground,
        width: wide,
        height: random.between(480, 640),
        colour: colours[index % colours.length] ?? palette.cream,
        haze,
      }),
    );
    x += wide + random.between(0, 18);
  }
  return houses.join('');
}

function drawSquare({
  random,
  width,
  height,
  ground,
}: {
  random: Random;
  width: number;
  height: number;
  ground: number;
}): string {
  const stones: string[] = [];
  for (let row = 0; row < 13; row += 1) {
    const y = ground + (height - ground) * (row / 13) ** 1.25;
    const wide = 46 + row * 13;
    for (let x = -random.between(0, wide); x < width; x += wide) {
      stones.push(
        `<path d="M${x.toFixed(0)},${y.toFixed(0)}h${wide - 7}v${(wide * 0.36).toFixed(0)}h${-(wide - 7)}z" fill="${mixColours('#9c917f', '#7b766e', random.next())}"/>`,
      );
    }
  }
  return `<path d="M0,${ground}H${width}V${height}H0Z" fill="#6c665f"/>${stones.join('')}`;
}

function drawStall(stall: {
  random: Random;
  left: number;
  right: number;
  ground: number;
  height: number;
  stripe: string;
}): string {
  const { random, left, right, ground, height, stripe } = stall;
  const table = ground - 60;
  const front = height * 0.88;
  const roof = height * 0.26;
  const count = 9;
  const wide = (right - left + 120) / count;
  const cloth = Array.from({ length: count }, (_, index) => {
    const x = left - 60 + index * wide;
    const colour = index % 2 ? palette.cream : stripe;
    const inset = (at: number) =>
      left + 10 + ((at - left + 60) / (right - left + 120)) * (right - left - 20);
    return `<path d="M${inset(x)},${roof}H${inset(x + wide)}L${x + wide},${roof + 190}H${x}Z" fill="${colour}"/><path d="M${x},${roof + 190}h${wide}v34a${wide / 2},${wide * 0.36} 0 0 1 ${-wide},0z" fill="${mixColours(colour, '#1c2630', 0.14)}"/>`;
  });
  const posts = [left + 14, right - 30].map(
    (x) => `<path d="M${x},${roof + 150}h20V${front}h-20z" fill="#5c4028"/>`,
  );
  const planks = Array.from(
    { length: 10 },
    (_, index) => `M${left + (index * (right - left)) / 10},${table + 150}V${front}`,
  );
  return `${posts.join('')}
    <path d="M${left - 30},${table}H${right + 30}L${right + 50},${table + 130}H${left - 50}Z" fill="#b9cdd0"/>
    ${drawCatch({ random, left: left - 10, right: right + 10, top: table + 6, rows: 3 })}
    <path d="M${left - 50},${table + 122}H${right + 50}V${table + 160}H${left - 50}Z" fill="#a9794a"/>
    <path d="M${left - 36},${table + 160}H${right + 36}V${front}H${left - 36}Z" fill="#7d5532"/><path d="${planks.join('')}" stroke="#4d321b" stroke-width="5"/>
    <path d="M${left - 36},${table + 160}H${right + 36}v26H${left - 36}Z" fill="#000" fill-opacity=".2"/>
    ${cloth.join('')}${drawLamp(left + (right - left) * 0.24, roof + 224)}${drawLamp(left + (right - left) * 0.78, roof + 224)}`;
}

function drawCatch(fishes: {
  random: Random;
  left: number;
  right: number;
  top: number;
  rows: number;
}): string {
  const { random, left, right, top, rows } = fishes;
  const drawn: string[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let x = left + 40; x < right - 60; x += random.between(66, 96)) {
      const colour = random.pick(['#6f8f98', '#88a5a8', '#5c7a86', '#d98f6a', '#a8b8b4'] as const);
      const turn = random.between(-16, 16) + (random.next() < 0.3 ? 180 : 0);
      drawn.push(
        `<g transform="translate(${x.toFixed(0)} ${(top + 24 + row * 34).toFixed(0)}) rotate(${turn.toFixed(0)}) scale(${random.between(0.85, 1.15).toFixed(2)})"><path d="M-46,0C-22,-22 22,-20 44,-2L62,-16L58,2L64,18L44,5C22,22 -22,20 -46,0Z" fill="${colour}"/><path d="M-40,3C-18,18 20,17 42,4C20,10 -16,10 -40,3Z" fill="#eef2ea"/><circle cx="-31" cy="-3" r="3.600" fill="#1b252d"/><path d="M-20,-9q6,9 0,17" stroke="#1b252d" stroke-opacity=".5" stroke-width="2" fill="none"/></g>`,
      );
    }
  }
  return drawn.join('');
}

function drawLamp(x: number, y: number): string {
  return `<path d="M${x},${y}v52" stroke="#3a2c22" stroke-width="5"/><path d="M${x - 34},${y + 84}q34,-58 68,0z" fill="#2c3d45"/><circle cx="${x}" cy="${y + 88}" r="17" fill="#ffeab0"/><circle cx="${x}" cy="${y + 88}" r="60" fill="#ffdf95" fill-opacity=".24"/>`;
}
