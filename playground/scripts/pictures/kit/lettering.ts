/**
 * Capitals, digits and a few marks drawn with strokes, on a grid 4 wide and 6 high: pictures look
 * the same on machines with other fonts, or none.
 */
const glyphs: Readonly<Record<string, string>> = {
  A: '0,6 2,0 4,6|0.8,4 3.2,4',
  B: '0,3 2.6,3 3.8,3.8 3.8,5.2 2.6,6 0,6 0,0 2.4,0 3.5,0.8 3.5,2.2 2.4,3',
  C: '4,1 2.8,0 1.4,0 0,1.4 0,4.6 1.4,6 2.8,6 4,5',
  D: '0,0 2.2,0 4,1.6 4,4.4 2.2,6 0,6 0,0',
  E: '3.6,0 0,0 0,6 3.6,6|0,3 2.8,3',
  F: '3.6,0 0,0 0,6|0,3 2.8,3',
  G: '4,1 2.8,0 1.4,0 0,1.4 0,4.6 1.4,6 2.8,6 4,5 4,3.2 2.4,3.2',
  H: '0,0 0,6|4,0 4,6|0,3 4,3',
  I: '2,0 2,6',
  J: '3.4,0 3.4,4.8 2.4,6 1.2,6 0.2,5',
  K: '0,0 0,6|3.8,0 0,3.4|1.4,2.3 4,6',
  L: '0,0 0,6 3.6,6',
  M: '0,6 0,0 2,3.4 4,0 4,6',
  N: '0,6 0,0 4,6 4,0',
  O: '1.4,0 2.6,0 4,1.4 4,4.6 2.6,6 1.4,6 0,4.6 0,1.4 1.4,0',
  P: '0,6 0,0 2.6,0 3.8,0.9 3.8,2.4 2.6,3.3 0,3.3',
  Q: '1.4,0 2.6,0 4,1.4 4,4.6 2.6,6 1.4,6 0,4.6 0,1.4 1.4,0|2.6,4.4 4.2,6.4',
  R: '0,6 0,0 2.6,0 3.8,0.9 3.8,2.4 2.6,3.3 0,3.3|2,3.3 4,6',
  S: '3.8,0.9 2.8,0 1.2,0 0.1,0.9 0.1,2 1.2,2.9 2.8,3.2 3.9,4.1 3.9,5.1 2.8,6 1.2,6 0,5.1',
  T: '0,0 4,0|2,0 2,6',
  U: '0,0 0,4.6 1.4,6 2.6,6 4,4.6 4,0',
  V: '0,0 2,6 4,0',
  W: '0,0 1,6 2,2.4 3,6 4,0',
  X: '0,0 4,6|4,0 0,6',
  Y: '0,0 2,3 4,0|2,3 2,6',
  Z: '0,0 4,0 0,6 4,6',
  '0': '1.4,0 2.6,0 3.8,1.4 3.8,4.6 2.6,6 1.4,6 0.2,4.6 0.2,1.4 1.4,0',
  '1': '0.8,1.2 2.2,0 2.2,6',
  '2': '0.2,1.2 1.4,0 2.8,0 3.8,1.1 3.8,2.2 0.2,6 4,6',
  '3': '0.2,0.8 1.4,0 2.8,0 3.7,0.9 3.7,2 2.7,2.9 1.6,2.9|2.7,2.9 3.8,3.9 3.8,5.1 2.7,6 1.3,6 0.1,5.1',
  '4': '3,6 3,0 0,4.2 4,4.2',
  '5': '3.6,0 0.6,0 0.3,2.7 1.5,2.2 2.7,2.2 3.8,3.3 3.8,4.8 2.7,6 1.3,6 0.1,5.1',
  '6': '3.5,0.6 2.7,0 1.6,0 0.3,1.6 0.2,4.6 1.4,6 2.6,6 3.8,4.8 3.8,3.8 2.6,2.7 1.4,2.7 0.2,3.8',
  '7': '0.1,0 3.9,0 1.6,6',
  '8': '1.4,2.8 0.4,2 0.4,0.9 1.4,0 2.6,0 3.6,0.9 3.6,2 2.6,2.8 1.4,2.8 0.1,3.8 0.1,5 1.3,6 2.7,6 3.9,5 3.9,3.8 2.6,2.8',
  '9': '0.5,5.4 1.3,6 2.4,6 3.7,4.4 3.8,1.4 2.6,0 1.4,0 0.2,1.2 0.2,2.2 1.4,3.3 2.6,3.3 3.8,2.2',
  x: '0.4,2.2 3.6,6|3.6,2.2 0.4,6',
  y: '0.4,2.2 2.1,5.4|3.8,2.2 1.4,7.2 0.4,7.6',
  '/': '0.6,6.6 3.4,-0.6',
  '.': '1.8,5.8 2.1,5.8 2.1,6.1 1.8,6.1 1.8,5.8',
  '-': '0.8,3 3.2,3',
  "'": '2,-0.2 2,1.4',
  '°': '1.4,0 2.4,0 2.9,0.6 2.9,1.4 2.4,2 1.4,2 0.9,1.4 0.9,0.6 1.4,0',
};

export interface Lettering {
  readonly x: number;
  /** The row of the capitals' feet. */
  readonly y: number;
  /** Height of a capital, in pixels. */
  readonly size: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  /** Space between letters, in quarters of a letter's width. */
  readonly spacing?: number;
}

/** Path data for a line of text; letters it doesn't know are left blank. */
export function letter(text: string, lettering: Lettering): string {
  const { x, y, size, anchor = 'start', spacing = 1.7 } = lettering;
  const unit = size / 6;
  const advance = (4 + spacing) * unit;
  const width = text.length * advance - spacing * unit;
  const start = anchor === 'start' ? x : anchor === 'middle' ? x - width / 2 : x - width;
  const strokes = Array.from(text).flatMap((character, index) =>
    (glyphs[character]?.split('|') ?? []).map((stroke) => {
      const points = stroke.split(' ').map((point) => {
        const [across = 0, down = 0] = point.split(',').map(Number);
        return `${round(start + index * advance + across * unit)},${round(y - size + down * unit)}`;
      });
      return `M${points.join('L')}`;
    }),
  );
  return strokes.join('');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
