import sharp, { type Metadata, type Sharp } from 'sharp';
import type { EmulatorSettings } from '../settings.ts';
import { type CropQuery, type CropRectangle, type ImageSize, placeCrop } from './crop-query.ts';
import { HttpError } from './http-error.ts';

/** Changes when the same crop of the same original may have other bytes. */
export const cutterVersion = `3-${sharp.versions.sharp ?? ''}-${sharp.versions.vips}`;

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

export type CropRules = Pick<EmulatorSettings, 'cropPixels' | 'cropOutside'>;

/**
 * Crops an image, in its own format and colour space, upright, with its profile and metadata. Uses
 * the first frame of an animation. With `cropPixels: 'stored'`, the crop and the output size count
 * pixels before EXIF orientation.
 *
 * @throws HttpError 400 for a crop outside the image, 415 for a file that isn't a supported image
 */
export async function cropImage(
  original: Uint8Array,
  crop: CropQuery,
  { cropPixels, cropOutside }: CropRules,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string }> {
  const metadata = await readMetadata(original);
  const encoder = encoders[metadata.format ?? ''];
  if (encoder === undefined) throw notAnImage(`${metadata.format} isn't supported`);
  const orientation = cropPixels === 'stored' ? (metadata.orientation ?? 1) : 1;
  const size = cropPixels === 'stored' ? metadata : metadata.autoOrient;
  const rectangle = displayedCrop(placeCrop(crop, size, cropOutside), size, orientation);
  // With its profile, sharp would convert CMYK to sRGB and back, which changes the inks.
  const isCmyk = metadata.space === 'cmyk';
  const opened = sharp(original, { ignoreIcc: isCmyk });
  const cut = (isCmyk ? opened.pipelineColourspace('cmyk') : opened)
    .autoOrient()
    .extract(rectangle);
  const { output } = crop;
  // EXIF orientations from 5 on swap width and height.
  const turned = output !== undefined && orientation >= 5;
  const scaled =
    output === undefined
      ? cut
      : cut.resize({
          width: turned ? output.height : output.width,
          height: turned ? output.width : output.height,
          fit: 'fill',
        });
  // Without a colour space, sharp would turn greyscale, CMYK and 16-bit images into plain sRGB.
  const kept = scaled.keepMetadata();
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

/** Where stored pixels are displayed (EXIF 2.3, 4.6.4 A, Orientation 1 to 8). */
function displayedCrop(
  { left, top, width, height }: CropRectangle,
  stored: ImageSize,
  orientation: number,
): CropRectangle {
  const right = stored.width - left - width;
  const bottom = stored.height - top - height;
  const upright = { width, height };
  const turned = { width: height, height: width };
  switch (orientation) {
    case 2:
      return { left: right, top, ...upright };
    case 3:
      return { left: right, top: bottom, ...upright };
    case 4:
      return { left, top: bottom, ...upright };
    case 5:
      return { left: top, top: left, ...turned };
    case 6:
      return { left: bottom, top: left, ...turned };
    case 7:
      return { left: bottom, top: right, ...turned };
    case 8:
      return { left: top, top: right, ...turned };
    default:
      return { left, top, ...upright };
  }
}
