import { type Fields, isFields, plainName } from './find-list.ts';

const addressNames = new Set([
  'url',
  'uri',
  'href',
  'link',
  'location',
  'download',
  'downloadurl',
  'downloaduri',
  'downloadlink',
  'fileurl',
  'signedurl',
]);
const wrapperNames = new Set(['data', 'result', 'response', 'file', 'links']);

/**
 * The address in JSON that stands in place of a download, absolute or relative: the JSON itself, a
 * field by its name, or that of a wrapper or an array of one. Undefined where there is none, or
 * more than one.
 */
export function readLocated(json: unknown, levels = 3): string | undefined {
  if (typeof json === 'string') return addressIn(json);
  if (levels === 0) return undefined;
  if (Array.isArray(json)) return json.length === 1 ? readLocated(json[0], levels - 1) : undefined;
  if (!isFields(json)) return undefined;
  const own = valuesOf(json, addressNames).flatMap((value) =>
    typeof value === 'string' ? (addressIn(value) ?? []) : [],
  );
  const inside = valuesOf(json, wrapperNames).flatMap((value) =>
    isFields(value) || Array.isArray(value) ? (readLocated(value, levels - 1) ?? []) : [],
  );
  const addresses = new Set(own.length > 0 ? own : inside);
  return addresses.size === 1 ? [...addresses][0] : undefined;
}

function valuesOf(fields: Fields, names: ReadonlySet<string>): unknown[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    names.has(plainName(name)) ? [value] : [],
  );
}

function addressIn(text: string): string | undefined {
  return /^(?:https?:\/\/|\/)\S+$/i.test(text) ? text : undefined;
}
