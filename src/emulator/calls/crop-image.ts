import sharp, { type Metadata, type Sharp } from 'sharp';
import type { CropRectangle } from './crop-query.ts';
import { HttpError } from './http-error.ts';

/** Changes when the same crop of the same original may have other bytes. */
export const cutterVersion = `4-${sharp.versions.sharp ?? ''}-${sharp.versions.vips}`;

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

/**
 * Crops an image, in its own format and colour space, upright, with its profile and metadata. Uses
 * the first frame of an animation.
 *
 * @param place the crop as displayed (after EXIF orientation)
 * @param scale changes the crop's size
 */
export async function cropImage(
  original: Uint8Array,
  place: (metadata: Metadata) => CropRectangle,
  scale: (cut: Sharp, metadata: Metadata) => Sharp = (cut) => cut,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string }> {
  const metadata = await readMetadata(original);
  const encoder = encoders[metadata.format ?? ''];
  if (encoder === undefined) throw notAnImage(`${metadata.format} isn't supported`);
  // With its profile, sharp would convert CMYK to sRGB and back, which changes the inks.
  const isCmyk = metadata.space === 'cmyk';
  const opened = sharp(original, { ignoreIcc: isCmyk });
  const cut = (isCmyk ? opened.pipelineColourspace('cmyk') : opened)
    .autoOrient()
    .extract(place(metadata));
  // Without a colour space, sharp would turn greyscale, CMYK and 16-bit images into plain sRGB.
  const kept = scale(cut, metadata).keepMetadata();
  const image = metadata.space === 'srgb' ? kept : kept.toColourspace(metadata.space ?? 'srgb');
  return { bytes: await render(encoder.encode(image)), type: encoder.type };
}

async function readMetadata(original: Uint8Array): Promise<Metadata> {
  try {
    return await sharp(original).metadata();
  } catch (error) {
    throw notAnImage(reason(error));
  }
}

async function render(image: Sharp): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await image.toBuffer());
  } catch (error) {
    throw notAnImage(reason(error));
  }
}

function notAnImage(why: string): HttpError {
  return new HttpError(415, 'not-a-picture', `The file can't be cropped: ${why}.`);
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
