import { isAssetId } from '../../errors/asset-id.ts';
import type { FileRecord } from '../types.ts';

/** The list in an answer, and the objects around it, outermost first, for their paging fields. */
export interface FoundList {
  readonly list: readonly unknown[];
  readonly wrappers: readonly Fields[];
}

export type Fields = Readonly<Record<string, unknown>>;

/** Names that services give to any list, or to the object around it. */
const generalNames = [
  'data',
  'items',
  'results',
  'result',
  'records',
  'entries',
  'content',
  'list',
  'hits',
  'value',
  'response',
  'embedded',
] as const;

/** Other arrays next to a list. An empty one isn't the list. */
const otherNames = new Set(['errors', 'warnings', 'messages', 'notices', 'links', 'facets']);

const maxWrappers = 3;

/**
 * Finds the list in an answer: the answer itself, or an array inside an object. An array with a
 * known name comes first, then one with matching entries. `null` is an empty list. Several matching
 * arrays are a problem, because choosing one would be a guess.
 */
export function findList(
  json: unknown,
  {
    what,
    names,
    fits,
  }: {
    /** Plural noun for messages: `files`. */
    readonly what: string;
    /** Names for this kind of list, as `plainName` returns them. */
    readonly names: readonly string[];
    readonly fits: (entry: unknown) => boolean;
  },
): FoundList | { readonly problem: string } {
  const known = new Set<string>([...names, ...generalNames]);
  const none = { problem: `it has no list of ${what}` };
  const several = { problem: `more than one of its arrays could be the list of ${what}` };

  function find(value: unknown, wrappers: readonly Fields[]): FoundList | { problem: string } {
    if (Array.isArray(value)) return { list: value, wrappers };
    if (value === null) return { list: [], wrappers };
    if (!isFields(value) || wrappers.length >= maxWrappers) return none;
    const inside = [...wrappers, value];
    const fields = Object.entries(value);
    const named = fields.filter(([name]) => known.has(plainName(name)));

    const arrays = named.filter(([, field]) => Array.isArray(field));
    const others = fields.filter(
      ([name, field]) =>
        Array.isArray(field) &&
        (field.length === 0 || field.some(fits)) &&
        !otherNames.has(plainName(name)),
    );
    const [found, another] = arrays.length > 0 ? arrays : others;
    if (another !== undefined) return several;
    if (found !== undefined) return find(found[1], inside);

    const objects = named.flatMap(([, field]) => (isFields(field) ? [find(field, inside)] : []));
    const lists = objects.filter((object) => 'list' in object);
    if (lists.length > 1) return several;
    if (objects.length > 0) return lists[0] ?? objects[0] ?? none;
    return named.some(([, field]) => field === null) ? { list: [], wrappers: inside } : none;
  }

  return find(json, []);
}

/** Names that services give to the object around a single record. */
const singleNames = new Set<string>([...generalNames, 'file', 'record', 'asset', 'upload']);

/** Finds the only object that fits in an answer: bare, alone in an array, or inside objects. */
export function findSingle(
  json: unknown,
  fits: (fields: Fields) => boolean,
  wrappers = 0,
): Fields | undefined {
  const value: unknown = Array.isArray(json) && json.length === 1 ? json[0] : json;
  if (!isFields(value)) return undefined;
  if (fits(value)) return value;
  if (wrappers >= maxWrappers) return undefined;
  const [found, another] = Object.entries(value).flatMap(([name, field]) => {
    const inside = singleNames.has(plainName(name)) && findSingle(field, fits, wrappers + 1);
    return inside ? [inside] : [];
  });
  return another ? undefined : found;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Lower-case letters only, so that `parent_id`, `parentId` and `parentID` are equal. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

/** A safe integer, or one written as text. */
export function integerIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
}

/** A depth or total: a safe integer from 0. */
export function countIn(value: unknown): number | undefined {
  const count = integerIn(value);
  return count !== undefined && count >= 0 ? count : undefined;
}

/** A text, or a number as text. `undefined` for any other value. */
export function textIn(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A file record (section 2.4), or `undefined` without an asset ID. */
export function fileRecordIn(entry: unknown): FileRecord | undefined {
  const fields: Fields = isFields(entry) ? entry : {};
  const id = integerIn(fields.id);
  if (!isAssetId(id)) return undefined;
  return { id, name: textIn(fields.name), filename: textIn(fields.filename), fields };
}

/** Reads the records of a list. Skips unreadable ones, but reports a problem if all are. */
export function recordsIn<T>(
  list: readonly unknown[],
  read: (entry: unknown) => T | undefined,
  problem: string,
):
  | { readonly records: readonly T[]; readonly skipped: readonly string[] }
  | { readonly problem: string } {
  const records: T[] = [];
  const skipped: string[] = [];
  for (const [index, entry] of list.entries()) {
    const record = read(entry);
    if (record === undefined) skipped.push(`entry ${index + 1} of the list ${problem}`);
    else records.push(record);
  }
  const [first] = skipped;
  return first !== undefined && records.length === 0 ? { problem: first } : { records, skipped };
}
