import sharp, { type Metadata, type Sharp } from 'sharp';
import type { EmulatorSettings } from '../settings.ts';
import { type CropQuery, type CropRectangle, type PictureSize, placeCrop } from './crop-query.ts';
import { HttpError } from './http-error.ts';

/** Changes when the same crop of the same original can come out with other bytes. */
export const cutterVersion = `3-${sharp.versions.sharp ?? ''}-${sharp.versions.vips}`;

/** The kinds of picture that are cut, each encoded near to lossless. */
const encoders: Record<string, { type: string; encode: (picture: Sharp) => Sharp }> = {
  jpeg: {
    type: 'image/jpeg',
    encode: (picture) => picture.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }),
  },
  png: { type: 'image/png', encode: (picture) => picture.png() },
  webp: { type: 'image/webp', encode: (picture) => picture.webp({ lossless: true, effort: 2 }) },
  gif: { type: 'image/gif', encode: (picture) => picture.gif() },
  tiff: { type: 'image/tiff', encode: (picture) => picture.tiff({ compression: 'deflate' }) },
  heif: {
    type: 'image/avif',
    encode: (picture) => picture.avif({ quality: 95, chromaSubsampling: '4:4:4', effort: 2 }),
  },
};

export type CropRules = Pick<EmulatorSettings, 'cropPixels' | 'cropOutside'>;

/**
 * A crop of a picture, in the picture's own kind and colour space, upright, with its profile and
 * metadata. Of an animation, the first frame. Where `cropPixels` is `stored`, the crop and the size
 * of the answer are those before the EXIF orientation.
 *
 * @throws HttpError 400 for a crop outside the picture, 415 for a file that is no such picture.
 */
export async function cropPicture(
  original: Uint8Array,
  crop: CropQuery,
  { cropPixels, cropOutside }: CropRules,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string }> {
  const metadata = await readMetadata(original);
  const encoder = encoders[metadata.format ?? ''];
  if (encoder === undefined) throw notAPicture(`${metadata.format} pictures are not cut`);
  const orientation = cropPixels === 'stored' ? (metadata.orientation ?? 1) : 1;
  const size = cropPixels === 'stored' ? metadata : metadata.autoOrient;
  const rectangle = displayedCrop(placeCrop(crop, size, cropOutside), size, orientation);
  // With its profile, sharp would take CMYK into sRGB and back, which gives other inks.
  const isCmyk = metadata.space === 'cmyk';
  const opened = sharp(original, { ignoreIcc: isCmyk });
  const cut = (isCmyk ? opened.pipelineColourspace('cmyk') : opened)
    .autoOrient()
    .extract(rectangle);
  const { output } = crop;
  // From 5 on, an EXIF orientation displays the stored width as the height.
  const turned = output !== undefined && orientation >= 5;
  const scaled =
    output === undefined
      ? cut
      : cut.resize({
          width: turned ? output.height : output.width,
          height: turned ? output.width : output.height,
          fit: 'fill',
        });
  // Without a colour space sharp would make greyscale, CMYK and 16-bit pictures plain sRGB.
  const kept = scaled.keepMetadata();
  const picture = metadata.space === 'srgb' ? kept : kept.toColourspace(metadata.space ?? 'srgb');
  return { bytes: await render(encoder.encode(picture)), type: encoder.type };
}

async function readMetadata(original: Uint8Array): Promise<Metadata> {
  try {
    return await sharp(original).metadata();
  } catch (error) {
    throw notAPicture(reason(error));
  }
}

async function render(picture: Sharp): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await picture.toBuffer());
  } catch (error) {
    throw notAPicture(reason(error));
  }
}

function notAPicture(why: string): HttpError {
  return new HttpError(415, 'not-a-picture', `The file is no picture that can be cut: ${why}.`);
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Where a rectangle of stored pixels is displayed (EXIF 2.3, 4.6.4 A, Orientation: 1 to 8). */
function displayedCrop(
  { left, top, width, height }: CropRectangle,
  stored: PictureSize,
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
