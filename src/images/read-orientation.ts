import readExif from 'exif-reader';
import sharp from 'sharp';
import { sniffBytes } from './sniff-bytes.ts';

/** Whether EXIF says that a picture is not stored as it is displayed. */
export type Orientation = 'upright' | 'turned';

/** How many bytes of a file tell its orientation, but for rare ones. */
export const orientationBytes = 64 * 1024;

/**
 * Reads a picture's orientation from the head of its file, as decoding the whole file would find it.
 *
 * @returns `undecodable` for what no rendition can be made from; `undefined` where the head does not
 * tell: of a TIFF whose directory lies behind its pixels, or a WebP whose EXIF does
 */
export async function readOrientation(
  head: Buffer,
): Promise<Orientation | 'undecodable' | undefined> {
  const { kind, isSvg } = sniffBytes(head);
  // EXIF turns no drawing and no GIF, and an AVIF is decoded as it is displayed.
  if (isSvg || kind === 'gif' || kind === 'avif') return 'upright';
  if (kind === undefined) return 'undecodable';
  if (kind === 'webp' && !announcesExif(head)) return 'upright';
  let orientation: number | undefined;
  try {
    orientation = (await sharp(head, { limitInputPixels: false }).metadata()).orientation ?? 1;
  } catch {
    orientation = kind === 'jpeg' ? orientationOfJpeg(head) : undefined;
  }
  if (orientation === undefined) return undefined;
  return orientation > 1 ? 'turned' : 'upright';
}

/** A simple WebP has no place for EXIF; an extended one has a flag for it. */
function announcesExif(webp: Buffer): boolean {
  const exifFlag = 0x08;
  return webp.toString('latin1', 12, 16) === 'VP8X' && ((webp[20] ?? exifFlag) & exifFlag) !== 0;
}

/** By the first EXIF segment, where the head ends among those that follow: large colour profiles. */
function orientationOfJpeg(jpeg: Buffer): number | undefined {
  let at = 2;
  while (at + 10 <= jpeg.length && jpeg[at] === 0xff) {
    const end = at + 2 + jpeg.readUInt16BE(at + 2);
    if (jpeg[at + 1] === 0xe1 && jpeg.toString('latin1', at + 4, at + 10) === 'Exif\0\0') {
      return end <= jpeg.length ? orientationOfExif(jpeg.subarray(at + 4, end)) : undefined;
    }
    at = end;
  }
  return undefined;
}

function orientationOfExif(exif: Buffer): number | undefined {
  try {
    const orientation = readExif(exif).Image?.Orientation ?? 1;
    return orientation >= 1 && orientation <= 8 ? orientation : undefined;
  } catch {
    // The decoder may make more of it, once it has the whole file.
    return undefined;
  }
}
