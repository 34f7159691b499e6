import { palette } from '../kit/colour.ts';
import { type Layer, renderSvg, type Size } from '../kit/layer.ts';
import { letter } from '../kit/lettering.ts';
import { radialGradient, verticalGradient } from '../kit/shapes.ts';

/** The card of a ship's compass in its brass bowl, on blue cloth. */
export async function drawCompass(size: Size): Promise<Layer> {
  const middle = size.width / 2;
  const unit = size.width / 2400;
  return renderSvg(
    size,
    `<defs>${radialGradient('cloth', [
      { at: 0, colour: '#3a7183' },
      { at: 1, colour: '#1b4053' },
    ])}${verticalGradient('brass', [
      { at: 0, colour: '#f6d488' },
      { at: 0.45, colour: '#b97f2c' },
      { at: 1, colour: '#7c4d18' },
    ])}${verticalGradient('inner', [
      { at: 0, colour: '#8a5a1f' },
      { at: 1, colour: '#f0c66f' },
    ])}</defs>
    <rect width="100%" height="100%" fill="url(#cloth)"/>${drawWeave(size)}
    <g transform="translate(${middle} ${middle}) scale(${unit})">
      <circle cx="26" cy="44" r="1066" fill="#0b2230" fill-opacity=".45"/>
      <circle r="1050" fill="url(#brass)"/><circle r="960" fill="url(#inner)"/>
      <circle r="930" fill="${palette.cream}"/><circle r="930" fill="none" stroke="#5a3a16" stroke-width="8"/>
      ${drawScrews()}${drawDegrees()}${drawRose()}${drawNeedle()}
    </g>`,
  );
}

function drawWeave({ width, height }: Size): string {
  const lines = Array.from({ length: Math.ceil((width + height) / 48) }, (_, index) => {
    const at = index * 48;
    return `M${at},0L${at - height},${height}`;
  });
  return `<path d="${lines.join('')}" stroke="#fff" stroke-opacity=".05" stroke-width="10"/>`;
}

function drawScrews(): string {
  return [20, 110, 200, 290]
    .map(
      (turn) =>
        `<g transform="rotate(${turn}) translate(0 -1005)"><circle r="24" fill="#8d5c20"/><circle r="19" fill="#e5b65f"/><path d="M-14,-8L14,8" stroke="#6f4716" stroke-width="6"/></g>`,
    )
    .join('');
}

function drawDegrees(): string {
  const ticks = Array.from({ length: 360 }, (_, degree) => {
    const length = degree % 10 === 0 ? 58 : degree % 5 === 0 ? 40 : 24;
    return `<path d="M0,-884V${-884 + length}" transform="rotate(${degree})"/>`;
  });
  const numbers = Array.from({ length: 36 }, (_, index) => {
    const degree = index * 10;
    const width = degree === 0 || degree % 90 === 0 ? 5.5 : 4;
    return `<path d="${letter(String(degree), { x: 0, y: -776, size: 32, anchor: 'middle' })}" stroke-width="${width}" transform="rotate(${degree})"/>`;
  });
  return `<g fill="none" stroke="${palette.ink}" stroke-linecap="round" stroke-linejoin="round">
    <circle r="884" stroke-width="5"/><circle r="760" stroke-width="3"/>
    <g stroke-width="4">${ticks.join('')}</g>${numbers.join('')}</g>`;
}

/** Thirty-two points in four sizes, each split into a light and a dark half. */
function drawRose(): string {
  const ring = (
    count: number,
    offset: number,
    reach: number,
    waist: number,
    colours: readonly [string, string],
  ) =>
    Array.from({ length: count }, (_, index) => {
      const turn = offset + (index * 360) / count;
      return `<g transform="rotate(${turn})"><path d="M0,${-reach}L${waist},${-waist * 1.9}L0,0Z" fill="${colours[0]}"/><path d="M0,${-reach}L${-waist},${-waist * 1.9}L0,0Z" fill="${colours[1]}"/></g>`;
    }).join('');
  const names = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];
  const letters = names.map(
    (name, index) =>
      `<path d="${letter(name, { x: 0, y: index % 2 ? -560 : -654, size: index % 2 ? 50 : 84, anchor: 'middle' })}" stroke-width="${index % 2 ? 8 : 14}" transform="rotate(${index * 45})"/>`,
  );
  return `<g stroke="${palette.ink}" stroke-width="2.500" stroke-linejoin="round">
    ${ring(16, 11.25, 430, 40, ['#d9c79c', palette.lagoon])}
    ${ring(8, 22.5, 480, 62, [palette.sand, palette.sea])}
    ${ring(4, 45, 540, 104, [palette.straw, palette.rust])}
    ${ring(4, 0, 630, 130, [palette.cream, palette.brick])}</g>
    <g fill="none" stroke="${palette.ink}" stroke-linecap="round" stroke-linejoin="round">${letters.join('')}</g>`;
}

function drawNeedle(): string {
  return `<g transform="rotate(-24)"><path d="M0,-700L34,0L0,60L-34,0Z" fill="${palette.ink}" fill-opacity=".22" transform="translate(16 22)"/>
    <path d="M0,-700L34,0H-34Z" fill="#20323f"/><path d="M0,-700L34,0H0Z" fill="#3c5260"/>
    <path d="M0,520L34,0H-34Z" fill="#e8e0ca"/><path d="M0,520L34,0H0Z" fill="#bfb391"/></g>
    <circle r="74" fill="#7c4d18"/><circle r="66" fill="#e5b65f"/><circle r="24" fill="#8d5c20"/>`;
}
