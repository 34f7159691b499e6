import leven from 'leven';
import { mediaAssetError } from '../errors.ts';
import type { MediaAssetRequest } from './media-asset.ts';

/** What an address can say of a picture, by the names of the component's props. */
export type AddressedPicture = Pick<
  MediaAssetRequest,
  | 'crop'
  | 'aspect'
  | 'focus'
  | 'width'
  | 'height'
  | 'fit'
  | 'position'
  | 'densities'
  | 'widths'
  | 'sizes'
  | 'layout'
  | 'format'
  | 'formats'
  | 'quality'
  | 'gamut'
  | 'placeholder'
>;

/** What an address of Markdown names: `media:4711?crop=400,200,2400,1600&widths=640,1280`. */
export interface MediaAddress {
  /** The asset's id in the service. */
  readonly id: number;
  /** In the shapes of the component's props; values are checked where the picture is asked for. */
  readonly picture: { readonly [Name in keyof AddressedPicture]?: unknown };
  /** For what visitors see first. */
  readonly priority: boolean;
  /** Shows nothing that needs an `alt`. */
  readonly decoration: boolean;
}

interface Place {
  readonly id: number;
  readonly page: string;
}

type Reader = (value: string, place: Place) => unknown;

const number = /^\d+(?:\.\d+)?(?:e-\d+)?$/;
const asNumber = (value: string) => (number.test(value) ? Number(value) : value);
const asText = (value: string) => value;
const asList = (value: string) => value.split(',').map((entry) => entry.trim());
const asNumbers = (value: string) => asList(value).map(asNumber);

/** Every parameter of a picture, and the prop's value that it stands for. */
const readers: { readonly [Name in keyof Required<AddressedPicture>]: Reader } = {
  crop: readCrop,
  aspect: asNumber,
  focus: readFocus,
  width: asNumber,
  height: asNumber,
  fit: asText,
  position: (value) => value.replaceAll(',', ' '),
  densities: asNumbers,
  widths: asNumbers,
  sizes: asText,
  layout: asText,
  format: asText,
  formats: asList,
  quality: asNumber,
  gamut: asText,
  placeholder: asText,
};

const flags = ['priority', 'decoration'] as const;

/** The names that an address may use. */
export const addressParameters: readonly string[] = [...Object.keys(readers), ...flags];

export function isMediaAddress(url: unknown): url is string {
  return typeof url === 'string' && /^\s*media:/i.test(url);
}

/**
 * Reads an address. Values may be percent-encoded.
 *
 * @param page names the place in messages
 * @throws `asset-id-invalid`, `parameter-unknown`, `crop-invalid`, `prop-invalid`
 */
export function parseMediaAddress(address: string, page: string): MediaAddress {
  const [, name = '', query = ''] = /^\s*media:([^?]*)(?:\?(.*))?$/is.exec(address.trim()) ?? [];
  const id = /^[1-9]\d*$/.test(name) ? Number(name) : Number.NaN;
  if (!Number.isSafeInteger(id)) throw mediaAssetError('asset-id-invalid', { value: name, page });
  const place = { id, page };
  const given = new Map<string, string>();
  for (const part of query.split('&').filter((one) => one !== '')) {
    const [, parameter = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? [];
    const known = decode(parameter);
    if (!addressParameters.includes(known)) {
      throw mediaAssetError('parameter-unknown', { ...place, name: known, near: near(known) });
    }
    if (given.has(known)) throw wrong(place, known, decode(value), 'it once');
    given.set(known, decode(value));
  }
  const flag = (flagName: (typeof flags)[number]) => {
    const value = given.get(flagName);
    if (value === undefined || value === '' || value === 'true') return value !== undefined;
    throw wrong(place, flagName, value, 'the name alone, without a value');
  };
  const picture = Object.entries(readers).flatMap(([key, read]) => {
    const value = given.get(key);
    return value === undefined ? [] : [[key, read(value, place)]];
  });
  return {
    id,
    picture: Object.fromEntries(picture),
    priority: flag('priority'),
    decoration: flag('decoration'),
  };
}

/** The address of a picture, as Markdown takes it in `![alt](…)`. */
export function formatMediaAddress(
  request: { readonly id: number } & AddressedPicture & {
      readonly priority?: boolean | undefined;
      readonly decoration?: boolean | undefined;
    },
): string {
  const parameters = addressParameters.flatMap((name) => {
    const value = Reflect.get(request, name);
    if (value === undefined || value === false) return [];
    return [value === true ? name : `${name}=${encode(formatValue(name, value))}`];
  });
  return `media:${request.id}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`;
}

/** Pixels where all four are whole numbers; with a decimal point they are fractions. */
function readCrop(value: string, place: Place): unknown {
  const sides = asList(value);
  const [x, y, width, height] = sides.map(Number);
  if (sides.length !== 4 || !sides.every((side) => number.test(side))) {
    const problem = 'it is not `x,y,width,height` in numbers';
    throw mediaAssetError('crop-invalid', { ...place, problem, value });
  }
  const rectangle = { x, y, width, height };
  return sides.some((side) => /[.e]/.test(side)) ? { unit: 'fraction', ...rectangle } : rectangle;
}

function readFocus(value: string): unknown {
  const [x, y, ...others] = asNumbers(value);
  return y === undefined || others.length > 0 ? value : { x, y };
}

function formatValue(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.join(',');
  if (typeof value !== 'object' || value === null) return String(value);
  const { x, y, width, height } = value as { x: number; y: number; width: number; height: number };
  if (name === 'focus') return `${x},${y}`;
  const sides = [x, y, width, height].map(String);
  if (Reflect.get(value, 'unit') !== 'fraction') return sides.join(',');
  return sides.map((side) => (/[.e]/.test(side) ? side : `${side}.0`)).join(',');
}

/** Leaves alone what can stand in `![…](…)`, so that people can read it. */
function encode(value: string): string {
  const encoded = encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%3A', ':');
  return encoded.replaceAll('(', '%28').replaceAll(')', '%29');
}

/** A `%` that encodes nothing stands for itself, as in `position=25%,75%`. */
function decode(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

function near(name: string): string | undefined {
  const ranked = addressParameters
    .map((known) => ({ known, distance: leven(known, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= 2)
    .map((one) => ({ ...one, length: Math.abs(one.known.length - name.length) }))
    .sort((one, other) => one.distance - other.distance || one.length - other.length);
  return ranked[0]?.known;
}

function wrong(place: Place, name: string, value: unknown, expected: string) {
  return mediaAssetError('prop-invalid', { ...place, name, value, expected });
}
