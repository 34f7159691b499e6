import sharp, { type Metadata, type Region, type Sharp } from 'sharp';
import type { CallContext } from '../emulator-state.ts';
import { badRequest, HttpError } from './http-error.ts';

/**
 * Crops an image as displayed, in its own format and colour space, with its profile and metadata.
 * Takes the first frame of an animation. Harmless damage is no reason to refuse it.
 */
export async function cropImage(
  given: Uint8Array,
  place: (metadata: Metadata) => Region,
  scale: (cut: Sharp, metadata: Metadata) => Sharp = (cut) => cut,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string }> {
  const original = Buffer.from(given);
  // libvips takes an animated AVIF for one under this name only.
  if (original.toString('latin1', 4, 12) === 'ftypavis') original.write('avif', 8);
  const settings = { failOn: 'error' } as const;
  const metadata = await orNotAnImage(() => sharp(original, settings).metadata());
  const encoder = encoders[metadata.format ?? ''];
  if (encoder === undefined) throw notAnImage(`${metadata.format} isn't supported`);
  // With its profile, sharp would convert CMYK to sRGB and back, which changes the inks.
  const isCmyk = metadata.space === 'cmyk';
  const opened = sharp(original, { ...settings, ignoreIcc: isCmyk });
  if (isCmyk) opened.pipelineColourspace('cmyk');
  if (isTurned(metadata)) opened.autoOrient();
  const cut = opened.extract(place(metadata));
  // Without a colour space, sharp would turn greyscale, CMYK and 16-bit images into plain sRGB.
  const kept = scale(cut, metadata).keepMetadata();
  const image = metadata.space === 'srgb' ? kept : kept.toColourspace(metadata.space ?? 'srgb');
  const bytes = await orNotAnImage(() => encoder.encode(image).toBuffer());
  return { bytes: new Uint8Array(bytes), type: encoder.type };
}

/** Image formats that can be cropped. All are encoded nearly lossless. */
const encoders: Record<string, { type: string; encode: (image: Sharp) => Sharp }> = {
  jpeg: {
    type: 'image/jpeg',
    encode: (image) => image.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }),
  },
  png: { type: 'image/png', encode: (image) => image.png() },
  webp: { type: 'image/webp', encode: (image) => image.webp({ lossless: true, effort: 2 }) },
  gif: { type: 'image/gif', encode: (image) => image.gif() },
  tiff: { type: 'image/tiff', encode: (image) => image.tiff({ compression: 'deflate' }) },
  heif: {
    type: 'image/avif',
    encode: (image) => image.avif({ quality: 95, chromaSubsampling: '4:4:4', effort: 2 }),
  },
};

/** Browsers ignore the EXIF orientation of a WebP. */
const isTurned = ({ format, orientation = 1 }: Metadata) => format !== 'webp' && orientation > 1;

export const displayedSize = (metadata: Metadata) =>
  isTurned(metadata) ? metadata.autoOrient : metadata;

async function orNotAnImage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw notAnImage(error instanceof Error ? error.message : String(error));
  }
}

function notAnImage(why: string): HttpError {
  return new HttpError(415, 'not-a-picture', `The file can't be cropped: ${why}.`);
}

/** Reads parameters of a call that are whole numbers, each from its least one. */
export function wholeNumbers<Name extends string>(c: CallContext, least: Record<Name, number>) {
  const names = Object.keys(least) as Name[];
  const numbers = names.map((name) => [name, wholeNumber(c, name, least[name])]);
  return Object.fromEntries(numbers) as Record<Name, number>;
}

function wholeNumber(c: CallContext, name: string, least: number): number {
  const values = c.req.queries(name) ?? [];
  const text = values[0] ?? '';
  if (values.length !== 1 || !/^(0|[1-9]\d{0,9})$/.test(text) || Number(text) < least)
    throw badRequest(
      'crop-invalid',
      `${name} must be given once, as a whole number from ${least}; received ${values.length === 0 ? 'nothing' : values.join(', ').slice(0, 80)}.`,
    );
  return Number(text);
}
