import { parseAssetId } from '../../errors/asset-id.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import type { Subject } from '../../errors/place.ts';
import type { Crop, Focus } from '../geometry/crop.ts';
import { writeCrop } from '../geometry/write-crop.ts';
import type { ImageRequest, MediaAssetRequest } from './media-asset.ts';
import { type Asking, propReaders } from './prop-readers.ts';

/** The props that the address of an image can hold as parameters. */
export type AddressedImage = Omit<MediaAssetRequest, 'id' | 'alt' | 'sources' | 'page' | 'locale'>;

/** An image's address as data: `media:4711?crop=400,200,2400,1600&widths=640,1280`. */
export interface MediaAddress extends AddressedImage {
  readonly id: number;
  readonly priority?: boolean | undefined;
  readonly decoration?: boolean | undefined;
}

type Reader = (value: string, asking: Asking, name: string) => unknown;

const number = /^\d+(?:\.\d+)?(?:e-\d+)?$/;
const asNumber = (value: string) => (number.test(value) ? Number(value) : value);
const asText = (value: string) => value;
const asList = (value: string) => value.split(',').map((entry) => entry.trim());
const asNumbers = (value: string) => asList(value).map(asNumber);

const partReaders: { readonly [Name in keyof Required<ImageRequest>]: Reader } = {
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
};

const readers: { readonly [Name in keyof Required<Omit<MediaAddress, 'id'>>]: Reader } = {
  ...partReaders,
  format: asText,
  formats: asList,
  quality: asNumber,
  effort: asNumber,
  background: asText,
  gamut: asText,
  placeholder: asText,
  preset: asText,
  priority: readFlag,
  decoration: readFlag,
};

const addressParameters: readonly string[] = Object.keys(readers);

/** The props that choose a part of an image and its sizes. */
export const partProps: readonly string[] = Object.keys(partReaders);

/** The props of an image that can be data. */
export const imageProps: readonly string[] = [
  'id',
  'alt',
  ...addressParameters.filter((name) => name !== 'decoration'),
  'sources',
];

export function isMediaAddress(url: unknown): url is string {
  return typeof url === 'string' && /^\s*media:/i.test(url);
}

/** Checks names and forms. `<MediaAsset>` and `getMediaAsset()` check the values. */
export function parseMediaAddress(address: string, subject: Subject = {}): MediaAddress {
  const { asking, given } = readAddress(address, { subject, known: addressParameters });
  const props = Array.from(given, ([name, value]) => {
    const read = readers[name as keyof typeof readers];
    return [name, read(value, asking, name)];
  });
  return { id: asking.id, ...Object.fromEntries(props) };
}

/**
 * Parses the address of a Markdown link: `media:4717?name=Annual%20report`. `download`: whether browsers
 * save the file instead of opening it.
 */
export function parseFileAddress(address: string, subject: Subject) {
  const { asking, given } = readAddress(address, { subject, known: ['name', 'download'] });
  const download = given.get('download') ?? 'true';
  if (download !== 'true' && download !== 'false') {
    throw propReaders(asking).wrong('download', download, 'true or false');
  }
  return { id: asking.id, name: given.get('name'), download: download === 'true' };
}

function readAddress(
  address: string,
  { subject, known }: { subject: Subject; known: readonly string[] },
): { asking: Asking; given: ReadonlyMap<string, string> } {
  const [, id = address, query = ''] = /^media:([^?]*)(?:\?(.*))?$/is.exec(address.trim()) ?? [];
  const assetId = parseAssetId(id);
  if (assetId === undefined) throw mediaAssetError('asset-id-invalid', { value: id, ...subject });
  const asking = { ...subject, id: assetId };
  const given = new Map<string, string>();
  for (const part of query.split('&').filter((one) => one !== '')) {
    const [, parameter = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? [];
    const name = decode(parameter);
    if (!known.includes(name)) {
      throw mediaAssetError('parameter-unknown', { ...asking, name, valid: known });
    }
    if (given.has(name))
      throw propReaders(asking).wrong(name, decode(value), 'the parameter only once');
    given.set(name, decode(value));
  }
  return { asking, given };
}

/** Formats the address of an image for Markdown and frontmatter: `![alt](…)`. */
export function formatMediaAddress(request: MediaAddress): string {
  const parameters = addressParameters.flatMap((name) => {
    const value = Reflect.get(request, name);
    if (value === undefined || value === false) return [];
    return [value === true ? name : `${name}=${encode(formatValue(name, value))}`];
  });
  return `media:${request.id}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`;
}

function readFlag(value: string, asking: Asking, name: string): true {
  if (value === '' || value === 'true') return true;
  throw propReaders(asking).wrong(name, value, 'the name alone, without a value');
}

/** Reads pixels, or fractions if any of the four numbers has a decimal point. */
function readCrop(value: string, asking: Asking): unknown {
  const sides = asList(value);
  const [x, y, width, height] = sides.map(Number);
  if (sides.length !== 4 || !sides.every((side) => number.test(side))) {
    const problem = 'expected four numbers, `x,y,width,height`';
    throw mediaAssetError('crop-invalid', { ...asking, problem, value });
  }
  const rectangle = { x, y, width, height };
  return sides.some((side) => /[.e]/.test(side)) ? { unit: 'fraction', ...rectangle } : rectangle;
}

function readFocus(value: string): unknown {
  const [x, y, ...others] = asNumbers(value);
  return y === undefined || others.length > 0 ? value : { x, y };
}

function formatValue(name: string, value: unknown): string {
  if (name === 'crop' || name === 'focus') return writeCrop(value as Crop | Focus, 'address');
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** Keeps the characters that are allowed in `![…](…)`, so that people can read the address. */
function encode(value: string): string {
  const encoded = encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%3A', ':');
  return encoded.replaceAll('(', '%28').replaceAll(')', '%29');
}

/** Decodes percent-encoding. Any other `%` stays, as in `position=25%,75%`. */
function decode(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
