import { drawClouds } from '../kit/clouds.ts';
import { palette } from '../kit/colour.ts';
import { type Layer, renderSvg, type Size, stack } from '../kit/layer.ts';
import { letter } from '../kit/lettering.ts';
import { horizontalGradient, radialGradient, verticalGradient } from '../kit/shapes.ts';

/** The old lens of the lighthouse, lit, on its iron stand. */
export async function drawLamp(size: Size): Promise<Layer> {
  const { width, height } = size;
  const room = await renderSvg(
    size,
    `<defs>${verticalGradient('wall', [
      { at: 0, colour: '#14323c' },
      { at: 0.7, colour: '#1d4650' },
      { at: 1, colour: '#10262f' },
    ])}${radialGradient('halo', [
      { at: 0, colour: '#ffe9ae', opacity: 0.85 },
      { at: 0.4, colour: '#f2b962', opacity: 0.34 },
      { at: 1, colour: '#f2b962', opacity: 0 },
    ])}</defs>
    <rect width="${width}" height="${height}" fill="url(#wall)"/>${drawPanels(size)}
    <path d="M0,${height * 0.86}H${width}V${height}H0Z" fill="#3b2a20"/><path d="M0,${height * 0.86}H${width}v16H0Z" fill="#5d4430"/>
    <ellipse cx="${width / 2}" cy="${height * 0.4}" rx="${width * 0.74}" ry="${height * 0.46}" fill="url(#halo)"/>`,
  );
  const dust = await drawClouds(size, {
    seed: 205,
    colour: '#ffe3a6',
    grain: [500, 380],
    cover: 0.5,
    density: 0.2,
    band: [100, height * 0.85],
    edge: 1.6,
  });
  const lens = await renderSvg(
    size,
    `<g transform="translate(${width / 2} ${height * 0.4})">${drawLens()}</g>${drawStand(width / 2, height)}`,
  );
  return stack(room, dust, lens);
}

function drawPanels({ width, height }: Size): string {
  const boards = Array.from(
    { length: 11 },
    (_, index) => `M${(index * width) / 10},0V${height * 0.86}`,
  );
  return `<path d="${boards.join('')}" stroke="#0a1d24" stroke-opacity=".55" stroke-width="5"/><path d="${boards.join('')}" stroke="#4f8188" stroke-opacity=".2" stroke-width="3" transform="translate(5 0)"/>`;
}

/** A beehive of prisms: rings in the middle, bent bands above and below. */
function drawLens(): string {
  const outline =
    'M-330,-640C-560,-470 -640,-220 -640,0C-640,220 -560,470 -330,640H330C560,470 640,220 640,0C640,-220 560,-470 330,-640Z';
  const bands = Array.from({ length: 8 }, (_, index) => {
    const y = 330 + index * 40;
    const half = 640 * Math.sqrt(1 - (y / 830) ** 2) - 24;
    const bow = 46 - index * 5;
    return [1, -1].map(
      (side) =>
        `<path d="M${-half},${side * y}Q0,${side * (y + bow)} ${half},${side * y}L${half - 14},${side * (y + 30)}Q0,${side * (y + bow + 26)} ${-half + 14},${side * (y + 30)}Z" fill="url(#glass)" stroke="#7d5a22" stroke-width="5"/>`,
    );
  });
  const rings = Array.from({ length: 7 }, (_, index) => {
    const radius = 300 - index * 37;
    return `<circle r="${radius}" fill="url(#ring)" fill-opacity="${0.5 + index * 0.07}" stroke="${index % 2 ? '#a87a32' : '#fff6d6'}" stroke-width="${index % 2 ? 5 : 7}"/>`;
  });
  const sides = [-1, 1].flatMap((side) =>
    Array.from({ length: 5 }, (_, index) => {
      const x = side * (350 + index * 54);
      const reach = 292 - index * 26;
      return `<path d="M${x},${-reach}Q${x + side * 60},0 ${x},${reach}L${x + side * 38},${reach - 14}Q${x + side * 92},0 ${x + side * 38},${-reach + 14}Z" fill="url(#glass)" stroke="#7d5a22" stroke-width="5"/>`;
    }),
  );
  return `<defs>${radialGradient('ring', [
    { at: 0, colour: '#fffdf0' },
    { at: 0.55, colour: '#ffe39a' },
    { at: 1, colour: '#dba44a' },
  ])}${horizontalGradient('glass', [
    { at: 0, colour: '#4b8a86' },
    { at: 0.2, colour: '#bfe0cd' },
    { at: 0.5, colour: '#fff3c9' },
    { at: 0.82, colour: '#b3d9c8' },
    { at: 1, colour: '#3c7a7c' },
  ])}${horizontalGradient('metal', [
    { at: 0, colour: '#6f4716' },
    { at: 0.3, colour: '#f2cd7e' },
    { at: 0.6, colour: '#b57e2e' },
    { at: 1, colour: '#5d3a12' },
  ])}</defs>
  <path d="${outline}" fill="#e8b65a" fill-opacity=".5" stroke="url(#metal)" stroke-width="40" stroke-linejoin="round"/>
  ${bands.flat().join('')}${sides.join('')}${rings.join('')}
  <circle r="66" fill="#fffef6"/><path d="M-640,312H640M-640,-312H640" stroke="url(#metal)" stroke-width="26"/>
  <path d="M-330,-660H330L250,-760H-250Z" fill="url(#metal)"/><path d="M-120,-760H120L70,-850H-70Z" fill="url(#metal)"/><circle cy="-874" r="44" fill="url(#metal)"/>
  <path d="M-330,660H330V720H-330Z" fill="url(#metal)"/>
  <path d="M-420,-430C-520,-280 -556,-120 -548,40" fill="none" stroke="#fff" stroke-opacity=".55" stroke-width="22" stroke-linecap="round"/>`;
}

function drawStand(middle: number, height: number): string {
  const top = height * 0.4 + 718;
  const floor = height * 0.9;
  return `<g transform="translate(${middle} 0)">
    <path d="M-380,${top}H380V${top + 54}H-380Z" fill="#20313a"/><path d="M-380,${top}H380v12H-380Z" fill="#54707a"/>
    <path d="M-300,${top + 54}L-420,${floor}h64L-210,${top + 54}ZM300,${top + 54}L420,${floor}h-64L210,${top + 54}Z" fill="#1a2a33"/>
    <path d="M-56,${top + 54}h112V${floor}h-112Z" fill="#24363f"/><path d="M-56,${top + 54}h26V${floor}h-26Z" fill="#47616b"/>
    <path d="M-360,${top + 290}H360" stroke="#1a2a33" stroke-width="34"/><path d="M-520,${floor}H520v44H-520Z" fill="#172630"/>
    <path d="M-200,${top + 120}h400v110h-400z" fill="#c89a4a" stroke="#5d3a12" stroke-width="6"/>
    <path d="${letter('RAVNSUND 1868', { x: 0, y: top + 190, size: 28, anchor: 'middle' })}" fill="none" stroke="${palette.ink}" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/></g>`;
}
