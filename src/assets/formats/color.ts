import { z } from 'zod';

/** The colors of an image without an ICC profile. */
export const colorSchema = z.object({
  /** The chromaticities x and y of white, red, green and blue. */
  primaries: z.array(z.number()).length(8).readonly(),
  /** From a value to light: a function's name, or an exponent. */
  curve: z.union([z.enum(['srgb', 'smpte240', 'dci', 'pq', 'hlg']), z.number()]),
});
export type Color = Readonly<z.output<typeof colorSchema>>;
type Vector = readonly number[];

const d65 = [0.3127, 0.329];
const c = [0.31, 0.316];
const srgb: Color = { primaries: [...d65, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06], curve: 'srgb' };

/** By the codes of ITU-T H.273 (CICP). Chromium takes all others for those of sRGB. */
const primariesOf: Readonly<Record<number, Vector>> = {
  4: [...c, 0.67, 0.33, 0.21, 0.71, 0.14, 0.08],
  5: [...d65, 0.64, 0.33, 0.29, 0.6, 0.15, 0.06],
  6: [...d65, 0.63, 0.34, 0.31, 0.595, 0.155, 0.07],
  7: [...d65, 0.63, 0.34, 0.31, 0.595, 0.155, 0.07],
  8: [...c, 0.681, 0.319, 0.243, 0.692, 0.145, 0.049],
  9: [...d65, 0.708, 0.292, 0.17, 0.797, 0.131, 0.046],
  10: [1 / 3, 1 / 3, 1, 0, 0, 1, 0, 0],
  11: [0.314, 0.351, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06],
  12: [...d65, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06],
  22: [...d65, 0.63, 0.34, 0.295, 0.605, 0.155, 0.077],
};
const curveOf: Readonly<Record<number, Color['curve']>> = {
  ...{ 4: 2.2, 5: 2.8, 7: 'smpte240', 8: 1, 16: 'pq', 17: 'dci', 18: 'hlg' },
};

/** @param video the curve that Chromium uses for those of a video (BT.709) in a format */
export function colorOfCodes(code: number, transfer: number, video: Color['curve']): Color {
  const curve = [1, 6, 11, 14, 15].includes(transfer) ? video : curveOf[transfer];
  return { primaries: primariesOf[code] ?? srgb.primaries, curve: curve ?? srgb.curve };
}

/**
 * The colors of a PNG's `gAMA` and `cHRM`, as numbers. A gamma of 1/2.2 with its primaries stands for sRGB,
 * and so does everything with impossible ones.
 */
export function colorOfGamma(gamma: number, primaries: Vector = srgb.primaries): Color {
  const isPossible = colorantsOf(primaries)
    .flat()
    .every((value) => Math.abs(value) < 2);
  const isNear = primaries.every(
    (value, at) => Math.abs(value - (srgb.primaries[at] ?? 0)) < 0.002,
  );
  const isPlain = isNear && Math.abs(gamma - 0.4545) < 0.01;
  return isPlain || !isPossible ? srgb : { primaries, curve: 1 / gamma };
}

export function isSrgb({ primaries, curve }: Color): boolean {
  return curve === srgb.curve && primaries.join() === srgb.primaries.join();
}

/** The light of HDR's brightest white in that of a plain white: 1000 and 203 cd/m² (ITU-R BT.2408). */
const peak = 1000 / 203;

/** Maps the light of HDR to 0 to 1, about as Chromium does: plain white becomes half as light. */
function toneMap(light: number): number {
  const [over, slope] = [light - 1, 0.37];
  const bend = 2 * slope - 1 / (peak - 1);
  return over < 0 ? light / 2 : Math.min(1, 0.5 + (slope * over) / (1 + bend * over));
}

const curves = {
  srgb: (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4),
  smpte240: (value: number) =>
    value < 0.0913 ? value / 4 : ((value + 0.1115) / 1.1115) ** (20 / 9),
  dci: (value: number) => Math.min(1, (52.37 / 48) * value ** 2.6),
  pq(value: number) {
    const power = value ** (32 / 2523);
    const linear = Math.max(0, power - 0.8359375) / (18.8515625 - 18.6875 * power);
    return toneMap(10 * peak * linear ** (8192 / 1305));
  },
  hlg(value: number) {
    const dark = value ** 2 / 3;
    const light = (Math.exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12;
    return toneMap(peak * (value <= 0.5 ? dark : light) ** 1.2);
  },
};

const dot = ([a = 0, b = 0, c = 0]: Vector, [d = 0, e = 0, f = 0]: Vector) => a * d + b * e + c * f;
const cross = ([a = 0, b = 0, c = 0]: Vector, [d = 0, e = 0, f = 0]: Vector) => [
  b * f - c * e,
  c * d - a * f,
  a * e - b * d,
];

/** From XYZ to the responses of eyes, by which colors are adapted to another white, and back (Bradford). */
const toCones = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];
const fromCones = [
  [0.98699, -0.14705, 0.15996],
  [0.43231, 0.51836, 0.04929],
  [-0.00853, 0.04004, 0.96849],
];
/** The white of ICC profiles, in XYZ. */
const d50 = [0.9642, 1, 0.8249];

/** Red, green and blue in XYZ, adapted to that white. */
function colorantsOf(primaries: Vector): Vector[] {
  const [white = [], ...pure] = [0, 2, 4, 6].map((at) => {
    const [x = 0, y = 0] = primaries.slice(at);
    return [x, y, 1 - x - y];
  });
  const from = toCones.map((row) => dot(row, white) / (white[1] ?? 1));
  return pure.map((color, at) => {
    const others = cross(pure[(at + 1) % 3] ?? [], pure[(at + 2) % 3] ?? []);
    const amount = dot(white, others) / dot(color, others) / (white[1] ?? 1);
    const cones = toCones.map(
      (row, cone) => (amount * dot(row, color) * dot(row, d50)) / (from[cone] ?? 1),
    );
    return fromCones.map((row) => dot(row, cones));
  });
}

/** Of a profile: its curve's entries, where its colors and its curve begin, and its tags for them. */
const [entries, start, end] = [4096, 216, 296];
const tags = ['wtpt', 'rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'];

/** An ICC profile (version 2.4, a matrix and a curve) of these colors. */
export function profileOf({ primaries, curve }: Color): Buffer {
  const bytes = Buffer.alloc(end + 12 + 2 * entries);
  bytes.writeUInt32BE(bytes.length);
  bytes.write('\x02\x40\0\0mntrRGB XYZ ', 8, 'latin1');
  bytes.write('acsp', 36);
  bytes.writeUInt32BE(tags.length, 128);
  for (const [at, tag] of tags.entries()) {
    bytes.write(tag, 132 + 12 * at);
    bytes.writeUInt32BE(Math.min(end, start + 20 * at), 136 + 12 * at);
    bytes.writeUInt32BE(at < 4 ? 20 : bytes.length - end, 140 + 12 * at);
  }
  const write = (at: number, xyz: Vector) => {
    for (const [index, value] of xyz.entries())
      bytes.writeInt32BE(Math.round(65_536 * value), at + 4 * index);
  };
  write(68, d50);
  for (const [at, color] of [d50, ...colorantsOf(primaries)].entries()) {
    bytes.write('XYZ ', start + 20 * at);
    write(start + 20 * at + 8, color);
  }
  bytes.write('curv', end);
  bytes.writeUInt32BE(entries, end + 8);
  for (let at = 0; at < entries; at += 1) {
    const value = at / (entries - 1);
    const light = typeof curve === 'number' ? value ** curve : curves[curve](value);
    bytes.writeUInt16BE(Math.round(65_535 * light), end + 12 + 2 * at);
  }
  return bytes;
}
