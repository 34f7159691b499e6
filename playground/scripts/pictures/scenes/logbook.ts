import { palette } from '../kit/colour.ts';
import { type Layer, renderSvg, type Size } from '../kit/layer.ts';
import { letter } from '../kit/lettering.ts';
import type { Random } from '../kit/random.ts';
import { horizontalGradient, verticalGradient } from '../kit/shapes.ts';
import { drawSchooner } from '../motifs/boats.ts';

/** The open log of a schooner: a page of handwriting, a sketch, a pencil across the fold. */
export async function drawLogbook(size: Size, random: Random): Promise<Layer> {
  const { width, height } = size;
  const middle = width / 2;
  return renderSvg(
    size,
    `<defs>${verticalGradient('desk', [
      { at: 0, colour: '#7b4a2b' },
      { at: 1, colour: '#4d2a17' },
    ])}${horizontalGradient('left', [
      { at: 0, colour: '#f1e3c2' },
      { at: 0.82, colour: '#f7edd4' },
      { at: 1, colour: '#c6b187' },
    ])}${horizontalGradient('right', [
      { at: 0, colour: '#bfa97e' },
      { at: 0.16, colour: '#f7edd4' },
      { at: 1, colour: '#efdfba' },
    ])}</defs>
    <rect width="${width}" height="${height}" fill="url(#desk)"/>${drawWood({ ...size, random })}
    <g transform="rotate(-1.600 ${middle} ${height / 2})">
      <path d="M170,150H${width - 150}V${height - 100}H170Z" fill="#1a0d06" fill-opacity=".45" transform="translate(18 34)"/>
      <path d="M150,130H${width - 150}V${height - 120}H150Z" fill="#6a2d20"/>
      ${[0, 1, 2, 3].map((leaf) => `<path d="M${190 - leaf * 7},${166 - leaf * 3}H${width - 190 + leaf * 7}V${height - 150 + leaf * 5}H${190 - leaf * 7}Z" fill="#d9c69c" stroke="#a48d60" stroke-width="2"/>`).join('')}
      <path d="M200,160C${middle * 0.5},132 ${middle * 0.86},140 ${middle},176V${height - 140}C${middle * 0.86},${height - 174} ${middle * 0.5},${height - 178} 200,${height - 156}Z" fill="url(#left)"/>
      <path d="M${width - 200},160C${middle * 1.5},132 ${middle * 1.14},140 ${middle},176V${height - 140}C${middle * 1.14},${height - 174} ${middle * 1.5},${height - 178} ${width - 200},${height - 156}Z" fill="url(#right)"/>
      ${drawHand({ random, left: 290, right: middle - 110, top: 420, bottom: height - 250, step: 66 })}
      ${drawHand({ random, left: middle + 110, right: width - 290, top: height * 0.66, bottom: height - 250, step: 66 })}
      ${drawHeadings({ middle, width })}${drawSketch({ middle, width, height })}
    </g>${drawPencil(width, height)}`,
  );
}

function drawWood({ width, height, random }: Size & { random: Random }): string {
  const grain = Array.from({ length: 150 }, () => {
    const y = random.between(0, height);
    return `M${random.between(-300, width).toFixed(0)},${y.toFixed(0)}q${random.between(200, 700).toFixed(0)},${random.between(-22, 22).toFixed(0)} ${random.between(500, 1400).toFixed(0)},${random.between(-10, 10).toFixed(0)}`;
  });
  return `<path d="${grain.join('')}" stroke="#2b140a" stroke-opacity=".24" stroke-width="4" fill="none"/>`;
}

/** Lines that look like a quick slanted hand, and say nothing. */
function drawHand(hand: {
  random: Random;
  left: number;
  right: number;
  top: number;
  bottom: number;
  step: number;
}): string {
  const { random, left, right, top, bottom, step } = hand;
  const strokes: string[] = [];
  for (let y = top; y < bottom; y += step) {
    const end = random.next() < 0.18 ? left + (right - left) * random.between(0.3, 0.7) : right;
    let x = left + (random.next() < 0.16 ? 60 : 0);
    while (x < end - 60) {
      const letters = random.whole(3, 9);
      strokes.push(`M${x.toFixed(0)},${y.toFixed(0)}`);
      for (let index = 0; index < letters; index += 1) {
        const kind = random.next();
        const wide = random.between(11, 18);
        const rise = kind < 0.2 ? -40 : kind < 0.32 ? 26 : -random.between(14, 20);
        strokes.push(
          `q${(wide * 0.9).toFixed(1)},${rise.toFixed(1)} ${(wide * 0.55).toFixed(1)},${(rise * 0.18).toFixed(1)}t${(wide * 0.45).toFixed(1)},${(-rise * 0.18).toFixed(1)}`,
        );
        x += wide;
      }
      x += random.between(18, 30);
    }
  }
  return `<path d="${strokes.join('')}" fill="none" stroke="#27364a" stroke-opacity=".85" stroke-width="3.600" stroke-linecap="round" stroke-linejoin="round"/>`;
}

function drawHeadings({ middle, width }: { middle: number; width: number }): string {
  const text = (words: string, x: number) =>
    letter(words, { x, y: 300, size: 32, anchor: 'middle', spacing: 2.4 });
  return `<g fill="none" stroke="${palette.rust}" stroke-width="5" stroke-linecap="round" stroke-linejoin="round">
    <path d="${text('SCHOONER AURORA', (200 + middle) / 2)}"/><path d="${text('14 OCTOBER 1893', (middle + width - 200) / 2)}"/>
    <path d="M290,340H${middle - 110}M${middle + 110},340H${width - 290}" stroke-width="3"/></g>`;
}

function drawSketch({
  middle,
  width,
  height,
}: {
  middle: number;
  width: number;
  height: number;
}): string {
  const x = (middle + width - 200) / 2;
  const y = height * 0.57;
  const sea = Array.from({ length: 7 }, (_, index) => {
    const wide = 420 - index * 34;
    return `M${x - wide},${y + 8 + index * 12}q${wide / 4},${-12} ${wide / 2},0t${wide / 2},0t${wide / 2},0t${wide / 2},0`;
  });
  return `<g opacity=".86">${drawSchooner({ x, y, length: 560, hull: '#3d4d5c', trim: '#8c9696', sail: '#e4d8b8' })}</g>
    <path d="${sea.join('')}" fill="none" stroke="#3d5266" stroke-opacity=".7" stroke-width="4"/>`;
}

function drawPencil(width: number, height: number): string {
  return `<g transform="translate(${width * 0.46} ${height * 0.9}) rotate(-21)">
    <path d="M0,14H840L930,40L840,66H0Z" fill="#180c05" fill-opacity=".32" transform="translate(10 22)"/>
    <path d="M0,0H840V52H0Z" fill="${palette.ochre}"/><path d="M0,0H840V15H0Z" fill="#efb65f"/><path d="M0,38H840V52H0Z" fill="#a5661f"/>
    <path d="M840,0L930,26L840,52Z" fill="#ecd3a4"/><path d="M900,17.500L930,26L900,34.500Z" fill="#2b2b2f"/>
    <path d="M-70,0H0V52H-70Z" fill="#b3b8b6"/><path d="M-120,2H-70V50H-120Z" fill="${palette.brick}"/></g>`;
}
