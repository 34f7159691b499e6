import { palette } from '../kit/colour.ts';
import { type Layer, renderSvg, type Size } from '../kit/layer.ts';
import { letter } from '../kit/lettering.ts';
import { horizontalGradient, radialGradient, verticalGradient } from '../kit/shapes.ts';
import { drawSchooner } from '../motifs/boats.ts';

/** The builder's model of a schooner, in its glass case. */
export async function drawShipModel(size: Size): Promise<Layer> {
  const { width, height } = size;
  const table = height * 0.8;
  const middle = width / 2;
  return renderSvg(
    size,
    `<defs>${verticalGradient('wall', [
      { at: 0, colour: '#27504f' },
      { at: 1, colour: '#3c6a63' },
    ])}${radialGradient('spot', [
      { at: 0, colour: '#ffeec2', opacity: 0.8 },
      { at: 1, colour: '#ffeec2', opacity: 0 },
    ])}${verticalGradient('wood', [
      { at: 0, colour: '#a4683a' },
      { at: 1, colour: '#5f3719' },
    ])}${horizontalGradient('sheen', [
      { at: 0, colour: '#ffffff', opacity: 0.2 },
      { at: 0.5, colour: '#ffffff', opacity: 0.03 },
      { at: 1, colour: '#ffffff', opacity: 0.12 },
    ])}</defs>
    <rect width="${width}" height="${height}" fill="url(#wall)"/>${drawPaper(size)}
    <ellipse cx="${middle}" cy="${height * 0.4}" rx="${width * 0.52}" ry="${height * 0.56}" fill="url(#spot)"/>
    <path d="M0,${table + 120}H${width}V${height}H0Z" fill="#2b1d15"/><path d="M0,${table + 120}H${width}v14H0Z" fill="#4d3524"/>
    <g opacity=".2" transform="translate(52 30)">${drawShip({ middle, table, shadow: true })}</g>
    <path d="M${middle - 1080},${table}h2160v150h-2160z" fill="url(#wood)"/><path d="M${middle - 1080},${table}h2160v20h-2160z" fill="#c98c55"/>
    ${drawCradle(middle, table)}${drawShip({ middle, table, shadow: false })}
    <path d="M${middle - 240},${table + 52}h480v70h-480z" fill="#d8ab55" stroke="#6b4617" stroke-width="5"/>
    <path d="${letter('AURORA 1891', { x: middle, y: table + 104, size: 32, anchor: 'middle', spacing: 2.6 })}" fill="none" stroke="${palette.ink}" stroke-width="5.500" stroke-linecap="round" stroke-linejoin="round"/>
    ${drawCase({ left: middle - 1020, right: middle + 1020, top: height * 0.06, bottom: table })}`,
  );
}

function drawPaper({ width, height }: Size): string {
  const marks: string[] = [];
  for (let row = 0; row * 130 < height; row += 1) {
    for (let column = 0; column * 130 < width + 130; column += 1) {
      marks.push(`M${column * 130 + (row % 2) * 65},${row * 130}q22,26 0,52q-22,-26 0,-52z`);
    }
  }
  return `<path d="${marks.join('')}" fill="#fff" fill-opacity=".045"/>`;
}

function drawShip({
  middle,
  table,
  shadow,
}: {
  middle: number;
  table: number;
  shadow: boolean;
}): string {
  return drawSchooner({
    x: middle - 60,
    y: table - 96,
    length: 1330,
    hull: shadow ? '#0b1a1a' : '#1d2f3b',
    trim: shadow ? '#0b1a1a' : palette.straw,
    sail: shadow ? '#0b1a1a' : '#f5e6c4',
  });
}

function drawCradle(middle: number, table: number): string {
  return [-330, 240]
    .map(
      (x) =>
        `<path d="M${middle + x - 70},${table}L${middle + x - 46},${table - 150}Q${middle + x},${table - 70} ${middle + x + 46},${table - 150}L${middle + x + 70},${table}Z" fill="#8a552c" stroke="#4e2d13" stroke-width="6"/>`,
    )
    .join('');
}

function drawCase(glass: { left: number; right: number; top: number; bottom: number }): string {
  const { left, right, top, bottom } = glass;
  return `<path d="M${left},${top}H${right}V${bottom}H${left}Z" fill="url(#sheen)" stroke="#d9c38f" stroke-opacity=".85" stroke-width="14"/>
    <path d="M${left + 120},${top}L${left + 520},${top}L${left + 20},${bottom - 300}V${top + 420}Z" fill="#fff" fill-opacity=".07"/>
    <path d="M${right - 640},${top}h150L${right - 900},${bottom}h-150Z" fill="#fff" fill-opacity=".05"/>`;
}
