/** Red, green, blue from 0 to 255. */
export type Rgb = readonly [number, number, number];

/** Reads `#rrggbb`. */
export function readColour(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** A colour on the way from one to another; `t` from 0 to 1. */
export function mixColours(from: string, to: string, t: number): string {
  const [a, b] = [readColour(from), readColour(to)];
  const mixed = a.map((part, index) => Math.round(part + ((b[index] ?? 0) - part) * t));
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** The museum's colours: every picture draws on them, so that the pages hang together. */
export const palette = {
  ink: '#12212f',
  navy: '#1c3a4f',
  sea: '#2f6478',
  lagoon: '#6fa3a4',
  mist: '#c9d8d3',
  cream: '#f6eddb',
  sand: '#e6d1a8',
  straw: '#efc06a',
  ochre: '#d38c34',
  rose: '#e8a98b',
  brick: '#b64b31',
  rust: '#87351f',
  plum: '#4f3550',
  moss: '#5e7350',
} as const;
