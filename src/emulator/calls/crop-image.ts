import sharp, { type Metadata, type Sharp } from 'sharp';
import { badRequest, HttpError } from './http-error.ts';

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
 */
export async function cropImage(
  original: Uint8Array,
  place: (metadata: Metadata) => CropRectangle,
  scale: (cut: Sharp, metadata: Metadata) => Sharp = (cut) => cut,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string }> {
  const metadata = await orNotAnImage(() => sharp(original).metadata());
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
  const bytes = await orNotAnImage(() => encoder.encode(image).toBuffer());
  return { bytes: new Uint8Array(bytes), type: encoder.type };
}

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

/** A size in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** A rectangle in pixels. */
export interface CropRectangle extends ImageSize {
  readonly left: number;
  readonly top: number;
}

/**
 * Reads the crop of a `download/-1` call: its corner `x1` and `y1`, its size `w` and `h`. Other
 * parameters are ignored, because section 4 mentions "others" without naming them.
 */
export function parseCropQuery(query: URLSearchParams): CropRectangle {
  return {
    left: wholeNumber(query, 'x1', 0),
    top: wholeNumber(query, 'y1', 0),
    width: wholeNumber(query, 'w', 1),
    height: wholeNumber(query, 'h', 1),
  };
}

export function requireInside(crop: CropRectangle, image: ImageSize): CropRectangle {
  const { left, top, width, height } = crop;
  if (left + width <= image.width && top + height <= image.height) return crop;
  throw badRequest(
    'crop-outside',
    `The crop x1=${left} y1=${top} of ${width} × ${height} pixels reaches outside the image of ${image.width} × ${image.height} pixels.`,
  );
}

export function wholeNumber(query: URLSearchParams, name: string, least: number): number {
  const values = query.getAll(name);
  const text = values[0] ?? '';
  if (values.length !== 1 || !/^(0|[1-9]\d{0,9})$/.test(text) || Number(text) < least)
    throw badRequest(
      'crop-invalid',
      `${name} must be given once, as a whole number from ${least}; received ${values.length === 0 ? 'nothing' : values.join(', ').slice(0, 80)}.`,
    );
  return Number(text);
}
