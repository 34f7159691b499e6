import { crc32 } from 'node:zlib';
import type { Metadata } from 'sharp';
import { showsCanvas } from './read-gif.ts';
import { inspectTiff } from './read-tiff.ts';

interface Inspected {
  /** What the decoder would get wrong, for messages. */
  readonly unread?: string | undefined;
  /** Colors other than sRGB that no ICC profile describes, so the decoder takes them for sRGB. */
  readonly otherColors?: string | undefined;
  /** Whether the decoder reads only one frame of an animation. */
  readonly isStill?: boolean;
  /** Whether the decoder only warns of damaged parts. */
  readonly hidesDamage?: boolean;
}

/** What a decoder doesn't tell about an image. */
export function inspectImage(bytes: Buffer, metadata: Metadata): Inspected {
  const { format, hasProfile } = metadata;
  if (format === 'png') return inspectPng(bytes);
  if (format === 'heif') return inspectAvif(bytes, hasProfile);
  if (format === 'tiff') return inspectTiff(bytes);
  const isBroken = format === 'gif' && showsCanvas(bytes);
  return isBroken ? { unread: 'a GIF that clears parts of opaque frames' } : {};
}

function inspectPng(bytes: Buffer): Inspected {
  const chunks = readChunks(bytes);
  const first = new Map(chunks.toReversed());
  const [bits = 8, type] = first.get('IHDR')?.subarray(8) ?? [];
  // Of this color, decoders and browsers compare different bits.
  if (type === 0 && (first.get('tRNS')?.[1] ?? 0) >> bits > 0)
    return { unread: 'a PNG whose transparent color is out of range' };
  const types = chunks.map(([type]) => type);
  const frames = first.has('acTL') ? types.filter((type) => type === 'fcTL').length : 0;
  const isHidden = frames > 0 && types.indexOf('IDAT') < types.indexOf('fcTL');
  if (isHidden) return { unread: 'an animated PNG that never shows its still image' };
  return { isStill: frames > 1, otherColors: otherColorsOfPng(first) };
}

/** The chunks of a PNG, except needless ones (in lower case) that are damaged: browsers ignore them. */
function readChunks(png: Buffer): [type: string, data: Buffer][] {
  const chunks: [string, Buffer][] = [];
  // The signature has 8 bytes.
  for (let at = 8; at + 12 <= png.length; ) {
    const end = at + 8 + png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const isNeedless = /^[a-z]/.test(type) && type !== 'fdAT' && end + 4 <= png.length;
    if (!isNeedless || crc32(png.subarray(at + 4, end)) === png.readUInt32BE(end))
      chunks.push([type, png.subarray(at + 8, end)]);
    at = end + 4;
  }
  return chunks;
}

/** `cICP` with the codes of ITU-T H.273 for sRGB. */
const srgbCodes = Buffer.from([1, 13, 0, 1]);
/** In an AVIF: those of sRGB, or unspecified. Chromium takes the curves of videos for that of sRGB. */
const srgbInAvif = { primaries: [1, 2], curves: [1, 2, 6, 13, 14, 15] };

/** The chromaticities of sRGB: x and y of white, red, green and blue. */
const srgbPrimaries = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06];

/** In Chromium, `cICP` comes before `sRGB`, and `gAMA` with or without `cHRM` comes last. */
function otherColorsOfPng(chunks: ReadonlyMap<string, Buffer>): string | undefined {
  if (chunks.has('iCCP')) return undefined;
  const sized = (type: string, size: number) => {
    const data = chunks.get(type);
    return data?.length === size ? data : undefined;
  };
  const codes = chunks.get('cICP');
  if (codes) return codes.equals(srgbCodes) ? undefined : describeCodes(codes[0], codes[1]);
  const gamma = (sized('gAMA', 4)?.readUInt32BE() ?? 0) / 1e5;
  const [intent = 4] = sized('sRGB', 1) ?? [];
  if (intent < 4 || gamma === 0) return undefined;
  const written = sized('cHRM', 32);
  const isNear = srgbPrimaries.every(
    (value, at) => !written || Math.abs(written.readUInt32BE(4 * at) / 1e5 - value) < 0.002,
  );
  // 1/2.2 stands for the curve of sRGB.
  if (isNear && Math.abs(gamma - 0.4545) < 0.01) return undefined;
  return `a gamma of ${gamma}${isNear ? '' : ' and primaries other than those of sRGB'}`;
}

function describeCodes(primaries = 0, curve = 0): string {
  return `the codes ${primaries} (primaries) and ${curve} (transfer) of CICP`;
}

function inspectAvif(bytes: Buffer, hasProfile: boolean): Inspected {
  const facts = { isStill: brandsOf(bytes).includes('avis') };
  const codes = bytes.indexOf('colrnclx');
  if (hasProfile || codes < 0) return facts;
  const [primaries, curve] = [bytes.readUInt16BE(codes + 8), bytes.readUInt16BE(codes + 10)];
  const isSrgb = srgbInAvif.primaries.includes(primaries) && srgbInAvif.curves.includes(curve);
  return { ...facts, ...(!isSrgb && { otherColors: describeCodes(primaries, curve) }) };
}

/** The brands in the first box of an ISO file, as one text. */
function brandsOf(bytes: Buffer): string {
  const isIso = bytes.toString('latin1', 4, 8) === 'ftyp';
  return isIso ? bytes.toString('latin1', 8, bytes.readUInt32BE()) : '';
}

/**
 * The bytes that a decoder gets. libvips takes no AVIFs with another brand for one, such as animations. Of
 * these, it decodes the still image.
 */
export function withAvifBrand({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  if (!/^(?!avif).+avi[fs]/.test(brandsOf(bytes))) return bytes;
  const branded = Buffer.from(bytes);
  branded.write('avif', 8);
  return branded;
}
