import type { Metadata, Region, Sharp } from 'sharp';
import { authenticate } from '../../../src/emulator/auth/authenticate.ts';
import { cropImage, wholeNumbers } from '../../../src/emulator/calls/crop-image.ts';
import { downloadOriginal } from '../../../src/emulator/calls/download-calls.ts';
import { badRequest } from '../../../src/emulator/calls/http-error.ts';
import type { CallContext } from '../../../src/emulator/emulator-state.ts';
import type { BendParts } from './bend-answers.ts';
import { type BendSettings, bendDefaults } from './bend-settings.ts';

type ImageSize = Pick<Region, 'width' | 'height'>;

const names = ['customFormat', 'cropPixels', 'cropOutside'] as const;

type Rules = Pick<BendSettings, (typeof names)[number]>;

/** Meanings of a custom format. */
export function bendCrops({ app, state, settings }: BendParts): void {
  app.get('/1/file/:id/download/-1', async (c, next) => {
    const { customFormat, cropPixels, cropOutside } = settings();
    const rules: Rules = { customFormat, cropPixels, cropOutside };
    if (names.every((name) => rules[name] === bendDefaults[name])) return next();
    authenticate(c, state);
    const crop = parseCrop(c, customFormat);
    const original = await downloadOriginal(c, state);
    const { bytes, type } = await cropImage(
      new Uint8Array(await original.arrayBuffer()),
      (metadata) => placeCrop(crop, metadata, rules),
      (cut, metadata) => scale(cut, crop, orientationOf(metadata, rules)),
    );
    const headers = new Headers(original.headers);
    for (const name of ['ETag', 'Last-Modified']) headers.delete(name);
    headers.set('Content-Type', type);
    headers.set('Content-Length', String(bytes.length));
    return new Response(bytes, { headers });
  });
}

interface Crop {
  readonly left: number;
  readonly top: number;
  /** Size of the image that corner and size refer to; `undefined` for the image itself. */
  readonly of: ImageSize | undefined;
  /** Size of the rectangle; `undefined` for everything right of and below its corner. */
  readonly size: ImageSize | undefined;
  /** Output size; `undefined` for the rectangle's size. */
  readonly output: ImageSize | undefined;
}

/** Maximum side and pixel count of an answer. */
const maxSide = 16_384;
const maxPixels = 100_000_000;

/**
 * With `corners`, `x2` and `y2` are the opposite corner (the first pixel outside). `sw` and `sh` are
 * the size of the image that both corners refer to, such as a smaller one in an editor.
 *
 * @throws HttpError 400 for a missing, repeated or invalid parameter
 */
function parseCrop(c: CallContext, meaning: BendSettings['customFormat']): Crop {
  const numbers = wholeNumbers(c, { x1: 0, y1: 0, w: 1, h: 1 });
  const { x1: left, y1: top } = numbers;
  const named = { width: numbers.w, height: numbers.h };
  if (meaning === 'size') return { left, top, of: undefined, size: named, output: undefined };
  if (Math.max(named.width, named.height) > maxSide || named.width * named.height > maxPixels)
    throw badRequest(
      'crop-invalid',
      `The result is larger than ${maxPixels} pixels, or than ${maxSide} on a side.`,
    );
  const corner = ifAny(c, { x2: left + 1, y2: top + 1 });
  const size = corner && { width: corner.x2 - left, height: corner.y2 - top };
  const of = ifAny(c, { sw: 1, sh: 1 });
  return { left, top, of: of && { width: of.sw, height: of.sh }, size, output: named };
}

/** `undefined` if the call has none of them. */
function ifAny<Name extends string>(c: CallContext, least: Record<Name, number>) {
  if (Object.keys(least).every((name) => c.req.query(name) === undefined)) return undefined;
  return wholeNumbers(c, least);
}

/** EXIF orientation between the crop and the display. */
function orientationOf({ orientation = 1 }: Metadata, { cropPixels }: Rules): number {
  return cropPixels === 'stored' ? orientation : 1;
}

/**
 * The crop as displayed.
 *
 * @throws HttpError 400 for a crop that reaches outside; if clamped, for one completely outside
 */
function placeCrop({ left, top, ...crop }: Crop, metadata: Metadata, rules: Rules): Region {
  const image = rules.cropPixels === 'stored' ? metadata : metadata.autoOrient;
  const of = crop.of ?? image;
  const room = { width: of.width - left, height: of.height - top };
  const wanted = crop.size ?? room;
  const isInside = wanted.width <= room.width && wanted.height <= room.height;
  const isPlaced = isInside || rules.cropOutside === 'clamped';
  if (room.width <= 0 || room.height <= 0 || !isPlaced)
    throw badRequest('crop-outside', `The crop x1=${left} y1=${top} reaches outside the image.`);
  const right = left + Math.min(wanted.width, room.width);
  const bottom = top + Math.min(wanted.height, room.height);
  const across = scaledSide(left, right, image.width / of.width);
  const down = scaledSide(top, bottom, image.height / of.height);
  return displayedCrop(
    { left: across.start, top: down.start, width: across.length, height: down.length },
    image,
    orientationOf(metadata, rules),
  );
}

/** Scales one side of a rectangle to the image's size. At least one pixel. */
function scaledSide(start: number, end: number, factor: number): { start: number; length: number } {
  const last = Math.max(1, Math.round(end * factor));
  const first = Math.min(Math.round(start * factor), last - 1);
  return { start: first, length: last - first };
}

/** EXIF orientations from 5 on swap width and height. */
function scale(cut: Sharp, { output }: Crop, orientation: number): Sharp {
  if (output === undefined) return cut;
  const { width, height } = output;
  const size = orientation >= 5 ? { width: height, height: width } : { width, height };
  return cut.resize({ ...size, fit: 'fill' });
}

/** Where stored pixels are displayed (EXIF 2.3, 4.6.4 A, Orientation 1 to 8). */
function displayedCrop(
  { left, top, width, height }: Region,
  stored: ImageSize,
  orientation: number,
): Region {
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
