import { drawClouds } from '../kit/clouds.ts';
import { mixColours, palette } from '../kit/colour.ts';
import { type Layer, renderSvg, type Size, stack } from '../kit/layer.ts';
import { letter } from '../kit/lettering.ts';
import type { Random } from '../kit/random.ts';
import { drawRidge, verticalGradient } from '../kit/shapes.ts';
import { drawFlock } from '../motifs/gulls.ts';
import { drawPerson } from '../motifs/person.ts';

/** The museum in the old customs house, on the square by the water. */
export async function drawBuilding(size: Size, random: Random): Promise<Layer> {
  const { width, height } = size;
  const ground = height * 0.8;
  return stack(
    await renderSvg(
      size,
      `<defs>${verticalGradient('s', [
        { at: 0, colour: '#5d9db0' },
        { at: 0.6, colour: '#b9d6cd' },
        { at: 1, colour: '#f4e7c6' },
      ])}</defs><rect width="${width}" height="${height}" fill="url(#s)"/>
      <path d="${drawRidge({ seed: 501, width, base: ground, height: 900, grain: 1100 })}" fill="#9dbdb5"/>
      <path d="${drawRidge({ seed: 507, width, base: ground, height: 640, grain: 760 })}" fill="#7fa594"/>`,
    ),
    await drawClouds(size, {
      seed: 511,
      colour: '#fffaf0',
      grain: [800, 230],
      cover: 0.5,
      density: 0.95,
      band: [-120, height * 0.56],
      edge: 3.4,
    }),
    await renderSvg(
      size,
      `${drawMasts(width, ground)}${drawHouse(width / 2, ground)}${drawGround({ random, width, height, ground })}
      ${drawTree({ random, x: width * 0.075, base: ground + 30, size: 420 })}${drawTree({ random, x: width * 0.93, base: ground + 30, size: 460 })}
      ${drawPerson({ x: width * 0.3, base: height * 0.9, height: 300, coat: palette.brick, hat: 'none', hatColour: '#3d2a1d' })}
      ${drawPerson({ x: width * 0.335, base: height * 0.9, height: 200, coat: palette.straw, hat: 'scarf', hatColour: palette.sea })}
      ${drawPerson({ x: width * 0.71, base: height * 0.87, height: 280, coat: palette.navy, hat: 'cap', hatColour: palette.ink, flip: true })}
      ${drawFlock({ random, count: 9, x: [width * 0.1, width * 0.9], y: [120, 520], span: [50, 110], colour: '#4d6470' })}`,
    ),
  );
}

function drawMasts(width: number, ground: number): string {
  return [0.16, 0.2, 0.83, 0.87]
    .map((across, index) => {
      const x = width * across;
      const top = ground - 760 - index * 40;
      return `<path d="M${x},${ground}V${top}M${x - 90},${top + 190}h180M${x},${top}L${x - 190},${ground}M${x},${top}L${x + 190},${ground}" stroke="#5b5148" stroke-width="8" fill="none"/><path d="M${x},${top}l70,18l-70,20z" fill="${palette.brick}"/>`;
    })
    .join('');
}

/** Five bays wide, two and a half storeys, a pediment over the middle. */
function drawHouse(middle: number, ground: number): string {
  const half = 860;
  const eaves = ground - 760;
  const wall = '#d9a05b';
  const windows = [-680, -430, 0, 430, 680].flatMap((x) => [
    drawWindow(middle + x, eaves + 120, 150, 230),
    x === 0 ? '' : drawWindow(middle + x, eaves + 460, 150, 210),
  ]);
  const dormers = [-520, 520].map(
    (x) =>
      `<path d="M${middle + x - 90},${eaves - 80}v-130L${middle + x},${eaves - 290}L${middle + x + 90},${eaves - 210}v130z" fill="${palette.cream}"/>${drawWindow(middle + x, eaves - 210, 84, 110)}`,
  );
  const quoins = [-half, half - 64].flatMap((x) =>
    Array.from(
      { length: 10 },
      (_, index) =>
        `<path d="M${middle + x + (index % 2 ? 0 : 14) * (x < 0 ? 0 : 1)},${eaves + 12 + index * 74}h${index % 2 ? 64 : 50}v62h${index % 2 ? -64 : -50}z"/>`,
    ),
  );
  return `<path d="M${middle - half - 60},${eaves}L${middle - half + 150},${eaves - 350}H${middle + half - 150}L${middle + half + 60},${eaves}Z" fill="#6f3427"/>
    <path d="M${middle - half + 150},${eaves - 350}H${middle + half - 150}l20,34H${middle - half + 130}z" fill="#8f4836"/>${drawTiles({ middle, half, eaves })}${dormers.join('')}
    <path d="M${middle - 560},${eaves - 330}v-150h90v150zM${middle + 470},${eaves - 330}v-150h90v150z" fill="#8a4a35"/><path d="M${middle - 574},${eaves - 480}h118v24h-118zM${middle + 456},${eaves - 480}h118v24h-118z" fill="#4e251a"/>
    <path d="M${middle - half},${eaves}h${half * 2}V${ground}h${-half * 2}z" fill="${wall}"/><path d="M${middle - half},${eaves}h${half * 2}v70h${-half * 2}z" fill="#000" fill-opacity=".12"/>
    <g fill="${palette.cream}">${quoins.join('')}<path d="M${middle - half - 50},${eaves - 16}h${half * 2 + 100}v36h${-half * 2 - 100}zM${middle - half},${eaves + 396}h${half * 2}v22h${-half * 2}z"/></g>
    <path d="M${middle - half},${ground - 70}h${half * 2}v70h${-half * 2}z" fill="#8d8478"/>
    <path d="M${middle - 300},${eaves - 8}h600V${ground}h-600z" fill="${mixColours(wall, '#ffffff', 0.16)}"/>
    <path d="M${middle - 350},${eaves - 10}L${middle},${eaves - 250}L${middle + 350},${eaves - 10}Z" fill="${palette.cream}"/><path d="M${middle - 250},${eaves - 44}L${middle},${eaves - 212}L${middle + 250},${eaves - 44}Z" fill="#c88b48"/>
    <circle cx="${middle}" cy="${eaves - 104}" r="48" fill="${palette.cream}"/><path d="M${middle},${eaves - 138}v34l22,16" stroke="${palette.ink}" stroke-width="8" fill="none"/>
    ${windows.join('')}${drawWindow(middle - 190, eaves + 120, 120, 230)}${drawWindow(middle + 190, eaves + 120, 120, 230)}${drawDoor(middle, ground, eaves)}
    <path d="M${middle},${eaves - 250}V${eaves - 620}" stroke="#f4ead4" stroke-width="13"/><path d="M${middle + 6},${eaves - 616}h250v150h-250z" fill="${palette.navy}"/><path d="M${middle + 6},${eaves - 556}h250v30h-250zM${middle + 76},${eaves - 616}h30v150h-30z" fill="${palette.cream}"/>`;
}

function drawTiles({
  middle,
  half,
  eaves,
}: {
  middle: number;
  half: number;
  eaves: number;
}): string {
  const lines = Array.from({ length: 9 }, (_, index) => {
    const reach = half + 60 - (index * 210) / 10;
    return `M${middle - reach},${eaves - index * 36}H${middle + reach}`;
  });
  return `<path d="${lines.join('')}" stroke="#3f1a12" stroke-opacity=".4" stroke-width="6"/>`;
}

function drawWindow(x: number, y: number, width: number, height: number): string {
  const left = x - width / 2;
  return `<path d="M${left - 16},${y - 16}h${width + 32}v${height + 44}h${-width - 32}z" fill="${palette.cream}"/><path d="M${left},${y}h${width}v${height}h${-width}z" fill="#27485a"/>
    <path d="M${left},${y}h${width}L${left},${y + height * 0.7}z" fill="#7fb0b8" fill-opacity=".5"/>
    <path d="M${x},${y}v${height}M${left},${y + height / 3}h${width}M${left},${y + (height * 2) / 3}h${width}" stroke="${palette.cream}" stroke-width="9"/><path d="M${left - 26},${y + height + 20}h${width + 52}v16h${-width - 52}z" fill="#b57a38"/>`;
}

function drawDoor(middle: number, ground: number, eaves: number): string {
  const top = ground - 222;
  return `<path d="M${middle - 270},${eaves + 396}h540v64h-540z" fill="${palette.ink}"/><path d="${letter('RAVNSUND MUSEUM', { x: middle, y: eaves + 444, size: 32, anchor: 'middle', spacing: 2.4 })}" fill="none" stroke="${palette.straw}" stroke-width="6.500" stroke-linecap="round" stroke-linejoin="round"/>
    <path d="M${middle - 130},${ground - 40}V${top + 60}a130,110 0 0 1 260,0V${ground - 40}z" fill="${palette.cream}"/><path d="M${middle - 100},${ground - 40}V${top + 70}a100,86 0 0 1 200,0V${ground - 40}z" fill="#1f5560"/>
    <path d="M${middle},${top - 10}V${ground - 40}M${middle - 100},${top + 76}h200" stroke="#12363f" stroke-width="7"/><circle cx="${middle - 20}" cy="${ground - 130}" r="8" fill="${palette.straw}"/><circle cx="${middle + 20}" cy="${ground - 130}" r="8" fill="${palette.straw}"/>
    ${[-190, 190].map((x) => `<path d="M${middle + x},${ground - 250}v-44" stroke="${palette.ink}" stroke-width="9"/><path d="M${middle + x - 20},${ground - 250}h40l-9,64h-22z" fill="#ffe6a6" stroke="${palette.ink}" stroke-width="7"/>`).join('')}
    <path d="M${middle - 190},${ground - 42}h380v22h-380zM${middle - 220},${ground - 20}h440v24h-440z" fill="#a59b8c"/>`;
}

function drawGround({
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
  for (let row = 0; row < 14; row += 1) {
    const y = ground + (height - ground) * (row / 14) ** 1.3;
    const wide = 40 + row * 12;
    for (let x = -random.between(0, wide); x < width; x += wide) {
      stones.push(
        `<path d="M${x.toFixed(0)},${y.toFixed(0)}h${wide - 6}v${(wide * 0.34).toFixed(0)}h${-(wide - 6)}z" fill="${mixColours('#c2b396', '#a0937c', random.next())}"/>`,
      );
    }
  }
  return `<path d="M0,${ground}H${width}V${height}H0Z" fill="#8f846f"/>${stones.join('')}<path d="M${width / 2 - 860},${ground}h1720l90,60H${width / 2 - 950}z" fill="#1d2529" fill-opacity=".2"/>`;
}

function drawTree({
  random,
  x,
  base,
  size,
}: {
  random: Random;
  x: number;
  base: number;
  size: number;
}): string {
  const leaves = Array.from({ length: 70 }, () => {
    const angle = random.between(0, Math.PI * 2);
    const reach = Math.sqrt(random.next()) * size * 0.46;
    return `<circle cx="${(x + Math.cos(angle) * reach).toFixed(0)}" cy="${(base - size * 1.25 + Math.sin(angle) * reach * 1.1).toFixed(0)}" r="${(size * random.between(0.09, 0.17)).toFixed(0)}" fill="${mixColours('#476246', '#8a9a5c', random.next())}"/>`;
  });
  return `<path d="M${x - size * 0.05},${base}L${x - size * 0.03},${base - size}h${size * 0.06}L${x + size * 0.05},${base}z" fill="#5c4332"/>${leaves.join('')}`;
}
