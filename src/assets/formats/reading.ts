import { deflateSync } from 'node:zlib';
import type { Metadata } from 'sharp';
import { z } from 'zod';
import { type Color, colorOfCodes, colorOfGamma, colorSchema, isSrgb, profileOf } from './color.ts';
import { largestImage, longestDecoding } from './decoding-memory.ts';
import { addChunk, pickFrame, readChunks, wholeFrame } from './png-chunks.ts';
import { clearCanvas } from './read-gif.ts';
import { inspectTiff } from './read-tiff.ts';
import { sharp } from './sharp.ts';

/**
 * How an image is read to show what browsers show, if a decoder shows something else. It's a part of the
 * URL of renditions.
 */
export const readingSchema = z.object({
  color: colorSchema.optional(),
  /** Another frame than a PNG's still image, on a transparent canvas, or with its EXIF orientation ignored. */
  as: z.enum(['frame', 'canvas', 'unturned']).optional(),
});
export type Reading = Readonly<z.output<typeof readingSchema>>;

interface Inspected {
  readonly reading?: Reading | undefined;
  /** What the decoder would get wrong, for messages. */
  readonly unread?: string | undefined;
  /** Whether the decoder reads only one frame of an animation. */
  readonly isStill: boolean;
  /** Whether it has a gain map for HDR. */
  readonly hasGainMap?: boolean;
  /** Whether the decoder only warns of damaged parts. */
  readonly hidesDamage?: boolean;
}

const plain: Inspected = { isStill: false };

/** What a decoder doesn't tell about an image. */
export function inspectImage(bytes: Buffer, metadata: Metadata): Inspected {
  switch (metadata.format) {
    case 'png':
      return inspectPng(bytes);
    case 'heif':
      return inspectAvif(bytes, metadata.hasProfile);
    case 'gif':
      return clearCanvas(bytes) ? { ...plain, reading: { as: 'canvas' } } : plain;
    case 'webp':
      return (metadata.orientation ?? 1) > 1 ? { ...plain, reading: { as: 'unturned' } } : plain;
    case 'tiff':
      return { ...plain, ...inspectTiff(bytes) };
    default:
      return { ...plain, hasGainMap: metadata.gainMap !== undefined };
  }
}

function inspectPng(bytes: Buffer): Inspected {
  const chunks = readChunks(bytes);
  const first = new Map(chunks.toReversed());
  const [bits = 8, type] = first.get('IHDR')?.subarray(8) ?? [];
  // Of this color, decoders and browsers compare different bits.
  if (type === 0 && (first.get('tRNS')?.[1] ?? 0) >> bits > 0)
    return { ...plain, unread: 'a PNG whose transparent color is out of range' };
  const types = chunks.map(([type]) => type);
  const frames = first.has('acTL') ? types.filter((type) => type === 'fcTL').length : 0;
  const isHidden = frames > 0 && types.indexOf('IDAT') < types.indexOf('fcTL');
  if (isHidden && wholeFrame(chunks) < 0)
    return { ...plain, unread: 'an animated PNG without a whole frame' };
  const color = colorOfPng(first);
  const reading = { ...(color && { color }), ...(isHidden && { as: 'frame' as const }) };
  return { isStill: frames > 1, ...(Object.keys(reading).length > 0 && { reading }) };
}

/** A code of CICP. */
const unspecified = 2;

/** In Chromium, `cICP` comes before `iCCP`, `sRGB`, and `gAMA` with or without `cHRM`. */
function colorOfPng(chunks: ReadonlyMap<string, Buffer>): Color | undefined {
  const sized = (type: string, size: number) => {
    const data = chunks.get(type);
    return data?.length === size ? data : undefined;
  };
  const [code = 0, transfer = 0, matrix, isFull] = sized('cICP', 4) ?? [];
  const hasProfile = chunks.has('iCCP');
  const isCoded = matrix === 0 && isFull === 1 && code !== unspecified && transfer !== unspecified;
  const coded = isCoded && colorOfCodes(code, transfer, 2.4);
  if (coded) return isSrgb(coded) && !hasProfile ? undefined : coded;
  const gamma = sized('gAMA', 4)?.readUInt32BE();
  const [intent = 4] = sized('sRGB', 1) ?? [];
  if (hasProfile || intent < 4 || !gamma) return undefined;
  const written = sized('cHRM', 32);
  const primaries =
    written && Array.from({ length: 8 }, (_, at) => written.readUInt32BE(4 * at) / 1e5);
  const color = colorOfGamma(gamma / 1e5, primaries);
  return isSrgb(color) ? undefined : color;
}

function inspectAvif(bytes: Buffer, hasProfile: boolean): Inspected {
  const brands = brandsOf(bytes);
  const facts = { isStill: brands.includes('avis'), hasGainMap: brands.includes('tmap') };
  const codes = bytes.indexOf('colrnclx');
  if (hasProfile || codes < 0) return facts;
  const [primaries, transfer] = [bytes.readUInt16BE(codes + 8), bytes.readUInt16BE(codes + 10)];
  const color = colorOfCodes(primaries, transfer, 'srgb');
  return { ...facts, ...(!isSrgb(color) && { reading: { color } }) };
}

/** The brands in the first box of an ISO file, as one text. */
function brandsOf(bytes: Buffer): string {
  const isIso = bytes.toString('latin1', 4, 8) === 'ftyp';
  return isIso ? bytes.toString('latin1', 8, bytes.readUInt32BE()) : '';
}

/** libvips takes no other AVIFs for one, such as animations. Of these, it decodes the still image. */
export function withAvifBrand(bytes: Buffer): Buffer {
  if (!/^(?!avif).+avi[fs]/.test(brandsOf(bytes))) return bytes;
  const branded = Buffer.from(bytes);
  branded.write('avif', 8);
  return branded;
}

/** The bytes that a decoder gets. */
export async function applyReading(
  { buffer, byteOffset, byteLength }: Uint8Array,
  reading: Reading | null | undefined,
): Promise<Buffer> {
  let bytes = withAvifBrand(Buffer.from(buffer, byteOffset, byteLength));
  if (reading?.as === 'frame') bytes = pickFrame(bytes);
  if (reading?.as === 'canvas') bytes = clearCanvas(bytes) ?? bytes;
  return reading?.color ? withProfile(bytes, reading.color) : bytes;
}

async function withProfile(bytes: Buffer, color: Color): Promise<Buffer> {
  const settings = { failOn: 'error', limitInputPixels: largestImage, ignoreIcc: true } as const;
  const image = sharp(bytes, settings).timeout({ seconds: longestDecoding }).autoOrient();
  const { depth } = await image.metadata();
  image.toColourspace(depth === 'ushort' ? 'rgb16' : 'srgb');
  const png = await image.png({ compressionLevel: 0 }).toBuffer();
  const profile = deflateSync(profileOf(color));
  return addChunk(png, ['iCCP', Buffer.concat([Buffer.from('color\0\0'), profile])]);
}
