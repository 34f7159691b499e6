import { parseAssetId } from '../../errors/asset-id.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import type { Subject } from '../../errors/place.ts';
import { writeCrop } from '../geometry/write-crop.ts';
import { propReaders, type Readers } from './prop-readers.ts';
import { type MediaAddress, type PropName, parseText, propNames } from './props.ts';

export function isMediaAddress(url: unknown): url is string {
  return typeof url === 'string' && /^\s*media:/i.test(url);
}

/** Checks names and forms. `<MediaAsset>` and `getMediaAsset()` check the values. */
export function parseMediaAddress(address: string, subject: Subject = {}): MediaAddress {
  const { id, read, given } = readAddress(address, subject, propNames());
  const values = Array.from(given, ([name, text]) => [name, parseText(name, text, read)]);
  return { id, ...Object.fromEntries(values) };
}

/**
 * Parses the address of a Markdown link: `media:4717?name=Annual%20report`. `download`: whether browsers
 * save the file instead of opening it.
 */
export function parseFileAddress(address: string, subject: Subject) {
  const { id, read, given } = readAddress(address, subject, ['name', 'download']);
  const download = given.get('download') ?? 'true';
  if (download !== 'true' && download !== 'false') {
    throw read.wrong('download', download, 'true or false');
  }
  return { id, name: given.get('name'), download: download === 'true' };
}

function readAddress<Name extends string>(
  address: string,
  subject: Subject,
  known: readonly Name[],
): { id: number; read: Readers; given: ReadonlyMap<Name, string> } {
  const [, written = address, query = ''] =
    /^media:([^?]*)(?:\?(.*))?$/is.exec(address.trim()) ?? [];
  const id = parseAssetId(written);
  if (id === undefined) throw mediaAssetError('asset-id-invalid', { value: written, ...subject });
  const read = propReaders({ ...subject, id });
  const given = new Map<Name, string>();
  for (const part of query.split('&').filter((one) => one !== '')) {
    const [, parameter = '', text = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? [];
    const decoded = decode(parameter);
    const name = known.find((one) => one === decoded);
    if (!name) {
      throw mediaAssetError('parameter-unknown', { ...subject, id, name: decoded, valid: known });
    }
    if (given.has(name)) throw read.wrong(name, decode(text), 'the parameter only once');
    given.set(name, decode(text));
  }
  return { id, read, given };
}

/** Formats the address of an image for Markdown and frontmatter: `![alt](…)`. */
export function formatMediaAddress(request: MediaAddress): string {
  const parameters = propNames().flatMap((name) => {
    const value = request[name];
    if (value === undefined || value === false) return [];
    return [value === true ? name : `${name}=${encode(formatValue(value))}`];
  });
  return `media:${request.id}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`;
}

function formatValue(value: Exclude<MediaAddress[PropName], undefined>): string {
  if (typeof value === 'object' && 'x' in value) return writeCrop(value, 'address');
  return String(value);
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
