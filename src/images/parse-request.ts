import { mediaAssetError } from '../errors.ts';
import type { MediaAssetRequest } from './media-asset.ts';
import { parseCrop } from './parse-crop.ts';
import { type Rectangle, type RenditionFormat, renditionFormats } from './rendition.ts';

/** A request whose values are known to be usable. */
export interface ParsedRequest {
  readonly id: number;
  readonly alt: string;
  readonly page: string;
  readonly crop: Rectangle | undefined;
  /** In pixels. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly format: RenditionFormat;
  readonly quality: number | undefined;
}

const largestSide = 65_535;

const defaultQualities: Readonly<Record<RenditionFormat, number | undefined>> = {
  webp: 80,
  avif: 60,
  jpeg: 80,
  png: undefined,
};

/**
 * Checks a request from a template.
 *
 * @throws `asset-id-invalid`, `alt-missing`, `crop-invalid` or `prop-invalid`, naming the page.
 */
export function parseRequest(
  request: {
    readonly [Key in keyof MediaAssetRequest]?: unknown;
  },
): ParsedRequest {
  const page = String(request.page ?? 'an unknown page');
  const { id } = request;
  if (!isAssetId(id)) throw mediaAssetError('asset-id-invalid', { value: id, page });
  const format = readFormat(request.format, { id, page });
  return {
    id,
    page,
    alt: readAlt(request.alt, { id, page }),
    crop: request.crop === undefined ? undefined : parseCrop(request.crop, { id, page }),
    width: readSide('width', request.width, { id, page }),
    height: readSide('height', request.height, { id, page }),
    format,
    quality: readQuality(request.quality, { id, page }) ?? defaultQualities[format],
  };
}

interface Place {
  readonly id: number;
  readonly page: string;
}

function isAssetId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

function readAlt(value: unknown, place: Place): string {
  if (value === undefined || value === null) throw mediaAssetError('alt-missing', place);
  if (typeof value === 'string') return value;
  throw mediaAssetError('prop-invalid', { ...place, name: 'alt', value, expected: 'a text' });
}

function readSide(name: 'width' | 'height', value: unknown, place: Place): number | undefined {
  if (value === undefined) return undefined;
  const side = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (isWholeNumber(side, largestSide)) return side;
  const expected = `a whole number of pixels from 1 to ${largestSide}`;
  throw mediaAssetError('prop-invalid', { ...place, name, value, expected });
}

function readFormat(value: unknown, place: Place): RenditionFormat {
  if (value === undefined) return 'webp';
  const format = renditionFormats.find((known) => known === value);
  if (format !== undefined) return format;
  const expected = `one of ${renditionFormats.join(', ')}`;
  throw mediaAssetError('prop-invalid', { ...place, name: 'format', value, expected });
}

function readQuality(value: unknown, place: Place): number | undefined {
  if (value === undefined || isWholeNumber(value, 100)) return value;
  const expected = 'a whole number from 1 to 100';
  throw mediaAssetError('prop-invalid', { ...place, name: 'quality', value, expected });
}

function isWholeNumber(value: unknown, largest: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= largest;
}
