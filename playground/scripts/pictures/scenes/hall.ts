import { palette } from '../kit/colour.ts';
import { type Layer, renderSvg, type Size } from '../kit/layer.ts';
import { radialGradient, verticalGradient } from '../kit/shapes.ts';
import { drawFishingBoat, drawRowingBoat, drawSailingBoat, drawSchooner } from '../motifs/boats.ts';
import { drawLighthouse } from '../motifs/lighthouse.ts';
import { drawPerson } from '../motifs/person.ts';

/** The long hall on the first floor: a window on the harbour, pictures, a boat under the roof. */
export async function drawHall(size: Size): Promise<Layer> {
  const { width, height } = size;
  const back = {
    left: width * 0.27,
    right: width * 0.73,
    top: height * 0.2,
    bottom: height * 0.67,
  };
  return renderSvg(
    size,
    `<defs>${verticalGradient('back', [
      { at: 0, colour: '#2d5c62' },
      { at: 1, colour: '#3b7175' },
    ])}${verticalGradient('floor', [
      { at: 0, colour: '#c08b55' },
      { at: 1, colour: '#77482a' },
    ])}${verticalGradient('beam', [
      { at: 0, colour: '#ffe9b8', opacity: 0.65 },
      { at: 1, colour: '#ffe9b8', opacity: 0 },
    ])}${verticalGradient('view', [
      { at: 0, colour: '#8fc1c7' },
      { at: 1, colour: '#fbe2b0' },
    ])}${radialGradient('warm', [
      { at: 0, colour: '#ffe7b0', opacity: 0.5 },
      { at: 1, colour: '#ffe7b0', opacity: 0 },
    ])}</defs>
    ${drawRoom({ ...size, ...back })}${drawWindow(width / 2, back)}${drawWallPictures({ ...size, ...back })}
    ${drawHangingBoat(width / 2, height)}${drawCases(size)}
    ${drawPerson({ x: width * 0.43, base: height * 0.79, height: 400, coat: palette.brick, hat: 'none', hatColour: '#3d2a1d' })}
    ${drawPerson({ x: width * 0.475, base: height * 0.785, height: 250, coat: palette.straw, hat: 'none', hatColour: '#6b4426' })}
    <ellipse cx="${width / 2}" cy="${height * 0.45}" rx="${width * 0.42}" ry="${height * 0.42}" fill="url(#warm)"/>`,
  );
}

interface Back {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function drawRoom({ width, height, left, right, top, bottom }: Size & Back): string {
  const boards = Array.from({ length: 23 }, (_, index) => {
    const t = index / 22;
    return `M${left + (right - left) * t},${bottom}L${-width * 0.55 + width * 2.1 * t},${height}`;
  });
  const rafters = [0, 0.2, 0.44, 0.74].map((t) => {
    const y = top * (1 - t);
    const [from, to] = [left * (1 - t), width - left * (1 - t)];
    return `<path d="M${from},${y}H${to}v${-18 - 34 * t}H${from}z" fill="#4a2f1d"/>`;
  });
  return `<path d="M0,0H${width}L${right},${top}H${left}Z" fill="#8c6240"/>${rafters.join('')}
    <path d="M0,0L${left},${top}V${bottom}L0,${height}Z" fill="#24494f"/><path d="M${width},0L${right},${top}V${bottom}L${width},${height}Z" fill="#1f4248"/>
    <path d="M${left},${top}H${right}V${bottom}H${left}Z" fill="url(#back)"/>
    <path d="M0,${height}L${left},${bottom}H${right}L${width},${height}Z" fill="url(#floor)"/><path d="${boards.join('')}" stroke="#4a2a16" stroke-opacity=".5" stroke-width="4"/>
    <path d="M0,${height - 74}L${left},${bottom - 26}H${right}L${width},${height - 74}V${height}L${right},${bottom}H${left}L0,${height}Z" fill="#efe0bf"/>`;
}

function drawWindow(middle: number, { top, bottom }: Back): string {
  const [half, upper, lower] = [330, top + 70, bottom - 150];
  return `<path d="M${middle - half - 30},${upper - 30}h${half * 2 + 60}V${lower + 30}h${-half * 2 - 60}z" fill="${palette.cream}"/>
    <path d="M${middle - half},${upper}h${half * 2}V${lower}h${-half * 2}z" fill="url(#view)"/>
    <path d="M${middle - half},${lower - 130}q90,-120 210,-70t210,10t240,-30v90z" fill="#7f9aa0"/>
    <path d="M${middle - half},${lower - 132}h${half * 2}V${lower}h${-half * 2}z" fill="#4d8590"/><path d="M${middle - half},${lower - 96}h${half * 2}M${middle - half},${lower - 52}h${half * 2}" stroke="#cfe3dc" stroke-opacity=".5" stroke-width="6" stroke-dasharray="60 34"/>
    ${drawLighthouse({ x: middle - 190, base: lower - 136, height: 220, wall: palette.cream, band: palette.brick, roof: palette.ink, glass: '#fff3c4' })}
    ${drawSailingBoat({ x: middle + 130, y: lower - 60, length: 150, hull: palette.ink, sail: '#fdf3dc' })}
    <path d="M${middle - half / 3},${upper}V${lower}M${middle + half / 3},${upper}V${lower}M${middle - half},${(upper + lower) / 2}h${half * 2}" stroke="${palette.cream}" stroke-width="15"/>
    <path d="M${middle - half + 40},${bottom + 10}H${middle + half - 40}L${middle + half + 330},${bottom + 560}H${middle - half - 330}Z" fill="url(#beam)"/>`;
}

/** Frames on the back wall, and on both side walls in perspective. */
function drawWallPictures({ width, height, left, right, top, bottom }: Size & Back): string {
  const frame = (x: number, y: number, wide: number, tall: number, inside: string) =>
    `<g transform="translate(${x} ${y})"><path d="M-14,-14h${wide + 28}v${tall + 28}h${-wide - 28}z" fill="#c8974c"/><path d="M0,0h${wide}v${tall}h${-wide}z" fill="#ecd9ae"/>${inside}</g>`;
  const hill = (wide: number, tall: number, far: string, near: string) =>
    `<path d="M0,0h${wide}v${tall}h${-wide}z" fill="#f0c992"/><path d="M0,${tall * 0.6}q${wide * 0.3},${-tall * 0.4} ${wide * 0.6},${-tall * 0.06}t${wide * 0.4},${-tall * 0.1}V${tall}H0z" fill="${far}"/><path d="M0,${tall * 0.72}H${wide}V${tall}H0z" fill="${near}"/>`;
  const rear = [
    frame(left + 60, top + 110, 190, 240, hill(190, 240, palette.plum, palette.navy)),
    frame(left + 60, top + 450, 190, 150, hill(190, 150, palette.lagoon, palette.sea)),
    frame(right - 250, top + 110, 190, 150, hill(190, 150, palette.brick, palette.rust)),
    frame(right - 250, top + 340, 190, 250, hill(190, 250, palette.lagoon, palette.navy)),
  ];
  const side = (flip: boolean) => {
    const at = (t: number, v: number): string => {
      const x = left * t;
      const y = top * t + v * (height - (height - bottom) * t - top * t);
      return `${flip ? width - x : x},${y}`;
    };
    return (
      [
        [0.12, 0.42],
        [0.52, 0.72],
        [0.79, 0.93],
      ] as const
    )
      .map(([from, to], index) => {
        const quad = (inset: number, upper: number, lower: number) =>
          `M${at(from + inset, upper)}L${at(to - inset, upper)}L${at(to - inset, lower)}L${at(from + inset, lower)}Z`;
        const colour = [palette.sea, palette.ochre, palette.brick][index] ?? palette.sea;
        return `<path d="${quad(0, 0.27, 0.6)}" fill="#c8974c"/><path d="${quad(0.018, 0.295, 0.575)}" fill="#f1d9a8"/><path d="${quad(0.018, 0.46, 0.575)}" fill="${colour}"/><path d="${quad(0.08, 0.36, 0.47)}" fill="${palette.cream}"/>`;
      })
      .join('');
  };
  return rear.join('') + side(false) + side(true);
}

function drawHangingBoat(middle: number, height: number): string {
  const y = height * 0.215;
  return `<path d="M${middle - 300},0V${y - 70}M${middle + 290},0V${y - 80}" stroke="#2a1a10" stroke-width="7"/>${drawRowingBoat({ x: middle, y, length: 860, hull: palette.brick, trim: palette.cream })}
    <path d="M${middle - 210},${y - 112}L${middle + 330},${y - 160}" stroke="${palette.sand}" stroke-width="15" stroke-linecap="round"/>`;
}

function drawCases({ width, height }: Size): string {
  const glass = (x: number, wide: number, inside: string) => {
    const [top, table, floor] = [height * 0.54, height * 0.76, height * 0.93];
    return `<ellipse cx="${x}" cy="${floor}" rx="${wide * 0.62}" ry="26" fill="#2a150a" fill-opacity=".4"/>
      <path d="M${x - wide / 2},${table}h${wide}v50h${-wide}z" fill="#8a552c"/><path d="M${x - wide * 0.42},${table + 50}h34V${floor}h-34zM${x + wide * 0.42 - 34},${table + 50}h34V${floor}h-34z" fill="#5d3619"/>
      ${inside}<path d="M${x - wide / 2 + 16},${top}h${wide - 32}V${table}h${-wide + 32}z" fill="#eaf6f0" fill-opacity=".16" stroke="#f3e2b4" stroke-width="9"/><path d="M${x - wide / 2 + 60},${top}h120L${x - wide / 2 + 40},${table - 60}v-170z" fill="#fff" fill-opacity=".14"/>`;
  };
  return (
    glass(
      width * 0.2,
      640,
      drawFishingBoat({
        x: width * 0.2,
        y: height * 0.755,
        length: 430,
        hull: palette.navy,
        trim: palette.straw,
      }),
    ) +
    glass(
      width * 0.81,
      640,
      drawSchooner({
        x: width * 0.805,
        y: height * 0.757,
        length: 400,
        hull: palette.rust,
        trim: palette.cream,
        sail: palette.cream,
      }),
    )
  );
}
