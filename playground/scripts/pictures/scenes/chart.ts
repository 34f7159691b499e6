import { palette, readColour } from '../kit/colour.ts';
import { type Layer, renderSvg, type Size, stack } from '../kit/layer.ts';
import { letter } from '../kit/lettering.ts';
import { createNoise, layerNoise, type Noise } from '../kit/noise.ts';
import type { Random } from '../kit/random.ts';

type Depth = Noise;

const levels = [-0.34, -0.2, -0.06, 0.08] as const;
const tints = ['#f3ead3', '#d3e0d2', '#aecfca', '#8dbdbd', '#e3c78f'] as const;

/** The chart of the approaches to Ravnsund: depths, shores, bearings and one ship's course. */
export async function drawChart(size: Size, random: Random): Promise<Layer> {
  const { width, height } = size;
  const noise = layerNoise(createNoise(311), 5);
  const depth: Depth = (x, y) => {
    const shore = 0.62 * ((x / width - 0.5) ** 2 * 2.4 + (0.42 - y / height) * 0.9);
    return noise(x / 640, y / 560) * 0.62 + shore;
  };
  return stack(drawDepths(size, depth), await renderSvg(size, drawInk({ ...size, random, depth })));
}

/** Tints by depth, with a line wherever a level is crossed. */
function drawDepths({ width, height }: Size, depth: Depth): Layer {
  const data = new Uint8Array(width * height * 4);
  const bandAt = (value: number) => levels.filter((level) => value > level).length;
  const colours = tints.map(readColour);
  const [inkRed, inkGreen, inkBlue] = readColour('#4a5a58');
  let above = new Uint8Array(width);
  for (let y = 0; y < height; y += 1) {
    const row = new Uint8Array(width);
    for (let x = 0; x < width; x += 1) {
      const band = bandAt(depth(x, y));
      row[x] = band;
      const line = (x > 0 && row[x - 1] !== band) || (y > 0 && above[x] !== band);
      const [red, green, blue] = line ? [inkRed, inkGreen, inkBlue] : (colours[band] ?? [0, 0, 0]);
      data.set([red, green, blue, 255], (y * width + x) * 4);
    }
    above = row;
  }
  return { width, height, data };
}

function drawInk(chart: Size & { random: Random; depth: Depth }): string {
  const { width, height } = chart;
  const rose = { x: width * 0.3, y: height * 0.7 };
  return `<g fill="none" stroke="${palette.ink}" stroke-linecap="round" stroke-linejoin="round">
    ${drawBearings({ ...rose, width, height })}${drawSoundings(chart)}${drawCourse(width, height)}
    ${drawRose(rose.x, rose.y)}${drawBorder(width, height)}</g>${drawTitle(width, height)}`;
}

function drawBearings(place: { x: number; y: number } & Size): string {
  const rays = Array.from({ length: 32 }, (_, index) => {
    const angle = (index * Math.PI) / 16;
    return `M${place.x},${place.y}l${(Math.cos(angle) * 3600).toFixed(0)},${(Math.sin(angle) * 3600).toFixed(0)}`;
  });
  return `<path d="${rays.join('')}" stroke="${palette.rust}" stroke-opacity=".24" stroke-width="2.4"/>`;
}

function drawSoundings({
  width,
  height,
  random,
  depth,
}: Size & { random: Random; depth: Depth }): string {
  const numbers: string[] = [];
  for (let y = 130; y < height - 100; y += 96) {
    for (let x = 130; x < width - 100; x += 118) {
      const [atX, atY] = [x + random.between(-34, 34), y + random.between(-26, 26)];
      const value = depth(atX, atY);
      if (value > 0.03) continue;
      const fathoms = Math.max(1, Math.round((0.1 - value) * 62 + random.between(-2, 2)));
      numbers.push(letter(String(fathoms), { x: atX, y: atY, size: 22, anchor: 'middle' }));
    }
  }
  return `<path d="${numbers.join('')}" stroke-opacity=".6" stroke-width="3"/>`;
}

function drawCourse(width: number, height: number): string {
  const points = [
    [0.06, 0.93],
    [0.24, 0.84],
    [0.43, 0.73],
    [0.55, 0.6],
    [0.61, 0.5],
    [0.578, 0.43],
  ].map(([x = 0, y = 0]) => [x * width, y * height] as const);
  const line = points.map(([x, y]) => `${x},${y}`).join('L');
  const marks = points.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="15" stroke-width="6"/>`);
  return `<g stroke="${palette.brick}"><path d="M${line}" stroke-width="9" stroke-dasharray="34 26"/>${marks.join('')}</g>`;
}

function drawRose(x: number, y: number): string {
  const points = [45, 135, 225, 315, 0, 90, 180, 270].map((turn, index) => {
    const reach = index < 4 ? 140 : 235;
    return `<g transform="rotate(${turn})"><path d="M0,${-reach}L34,-34L0,0Z" fill="${palette.cream}"/><path d="M0,${-reach}L-34,-34L0,0Z" fill="${index < 4 ? palette.sea : palette.brick}"/></g>`;
  });
  const ticks = Array.from(
    { length: 72 },
    (_, index) => `<path d="M0,-262v${index % 2 ? 14 : 24}" transform="rotate(${index * 5})"/>`,
  );
  return `<g transform="translate(${x} ${y}) rotate(-6)" stroke-width="3"><circle r="262" fill="${palette.cream}" fill-opacity=".6"/><circle r="236"/>${ticks.join('')}${points.join('')}
    <path d="${letter('N', { x: 0, y: -276, size: 58, anchor: 'middle' })}" stroke-width="9"/></g>`;
}

function drawBorder(width: number, height: number): string {
  const frame = (inset: number) =>
    `M${inset},${inset}H${width - inset}V${height - inset}H${inset}Z`;
  const bars = [
    ...Array.from({ length: 13 }, (_, index) => [
      60 + (index * (width - 120)) / 13,
      60,
      (width - 120) / 26,
      26,
    ]),
    ...Array.from({ length: 13 }, (_, index) => [
      60 + (index * (width - 120)) / 13,
      height - 86,
      (width - 120) / 26,
      26,
    ]),
    ...Array.from({ length: 9 }, (_, index) => [
      60,
      60 + (index * (height - 120)) / 9,
      26,
      (height - 120) / 18,
    ]),
    ...Array.from({ length: 9 }, (_, index) => [
      width - 86,
      60 + (index * (height - 120)) / 9,
      26,
      (height - 120) / 18,
    ]),
  ].map(([x, y, wide, tall]) => `M${x},${y}h${wide}v${tall}h-${wide}z`);
  return `<path d="M0,0H${width}V${height}H0ZM60,60V${height - 60}H${width - 60}V60Z" fill="#efe2c2" fill-rule="evenodd" stroke="none"/><path d="${bars.join('')}" fill="${palette.ink}" stroke="none"/><path d="${frame(60)}${frame(86)}${frame(98)}" stroke-width="4"/>`;
}

function drawTitle(width: number, height: number): string {
  const x = width * 0.8;
  const y = height * 0.75;
  const line = (text: string, down: number, size: number, weight: number) =>
    `<path d="${letter(text, { x, y: y + down, size, anchor: 'middle', spacing: 2.4 })}" stroke-width="${weight}"/>`;
  return `<g fill="none" stroke="${palette.ink}" stroke-linecap="round" stroke-linejoin="round">
    <path d="M${x - 440},${y - 150}h880v400h-880z" fill="#f6ecd2" stroke-width="6"/><path d="M${x - 418},${y - 128}h836v356h-836z" stroke-width="3"/>
    ${line('RAVNSUND', 0, 84, 12)}${line('AND ITS APPROACHES', 74, 34, 6)}${line('SOUNDINGS IN FATHOMS', 142, 24, 4)}${line('1874', 196, 28, 5)}
    <path d="M${x - 250},${y + 96}h500" stroke-width="3"/></g>`;
}
