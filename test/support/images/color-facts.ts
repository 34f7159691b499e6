import { pngChunk } from './handmade-images.ts';

/** Where the chunks after a PNG's header begin. */
const pngStart = 33;

/** The chromaticities of white, red, green and blue. */
export const chromaticities = {
  srgb: [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06],
  p3: [0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06],
  rec2020: [0.3127, 0.329, 0.708, 0.292, 0.17, 0.797, 0.131, 0.046],
} as const;

/** A PNG with further chunks. */
export function withChunks(png: Buffer, ...chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([png.subarray(0, pngStart), ...chunks, png.subarray(pngStart)]);
}

/** By the codes of ITU-T H.273. */
export const cicp = (primaries: number, transfer: number, matrix = 0, isFull = 1): Buffer =>
  pngChunk('cICP', Buffer.from([primaries, transfer, matrix, isFull]));

export const gama = (gamma: number): Buffer => pngChunk('gAMA', hundredThousandths([gamma]));

export const chrm = (name: keyof typeof chromaticities): Buffer =>
  pngChunk('cHRM', hundredThousandths(chromaticities[name]));

export const srgb = (intent = 0): Buffer => pngChunk('sRGB', Buffer.from([intent]));

/** A chunk whose checksum is wrong. */
export const damaged = (chunk: Buffer): Buffer =>
  Buffer.concat([chunk.subarray(0, -1), Buffer.from([(chunk.at(-1) ?? 0) ^ 1])]);

function hundredThousandths(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries())
    bytes.writeUInt32BE(Math.round(value * 100_000), 4 * at);
  return bytes;
}

/** An AVIF of sharp that says these codes of ITU-T H.273. */
export function withCodes(avif: Buffer, primaries: number, transfer: number): Buffer {
  const coded = Buffer.from(avif);
  const box = coded.indexOf('colrnclx');
  coded.writeUInt16BE(primaries, box + 8);
  coded.writeUInt16BE(transfer, box + 10);
  return coded;
}
