import { isAssetId } from '../../errors/asset-id.ts';
import type { FileRecord } from '../types.ts';

/**
 * All names that the client looks for in an answer, in plain form and the likeliest first. The
 * interface shows few of them (see "The unknowns" in DESIGN.md). Anything else is an error.
 */
const known = {
  // Around any content.
  envelope: `data items results result records entries content list hits value response embedded`,
  // Around content of one kind.
  files: `files file`,
  folders: `folders foldertree tree children root folder`,
  usages: `usages usage`,
  record: `file record asset upload`,
  download: `url uri href link location download downloadurl downloaduri downloadlink fileurl
    signedurl file links`,
  /** Says that a download isn't the original. */
  lesser: `ispreview watermark watermarked iswatermarked haswatermark`,
  // In a folder.
  children: `children childs childfolders subfolders folders nodes`,
  parent: `parentid parent parentfolder parentfolderid parentnode parentnodeid folderparentid`,
  depth: `depth level folderdepth`,
  // In a file's record.
  kind: `type mimetype contenttype kind`,
  size: `size filesize bytes`,
  width: `width pixelwidth imagewidth`,
  height: `height pixelheight imageheight`,
  folderId: `folder folderid`,
  folderName: `folder folderpath foldername`,
  // Around a list, in a group there, or in a header without `X-`.
  pagingGroup: `paging pagination pageinfo page meta metadata links cursor cursors`,
  next: `next nextlink nexturl nexthref nextpage nextpageurl nextpagelink odatanextlink`,
  /** Opaque: no call of the interface takes one. */
  cursor: `cursor nextcursor nextpagetoken nexttoken nextmarker nextoffset nextskip nextkey
    continuationtoken continuation continue`,
  more: `more hasmore hasmoreitems hasmorepages hasmoreresults hasnext hasnextpage moreavailable
    moreresults truncated istruncated incomplete isincomplete incompleteresults`,
  last: `last islast islastpage complete iscomplete done end isend`,
  remaining: `remaining remainingcount remainingitems remainingitemcount remainingrecords`,
  /** Where this page starts, or the next one. */
  skip: `skip offset`,
  total: `total totalcount totalelements totalhits totalitems totalrecords totalresults totalnumber
    numfound nbhits contentrange`,
  pages: `pages totalpages lastpage numberofpages nbpages pagecount`,
} as const;

type Known = keyof typeof known;
type ListKind = 'files' | 'folders' | 'usages';

const namesOf = Object.fromEntries(
  Object.entries(known).map(([kind, names]) => [kind, new Set(names.split(/\s+/))]),
) as unknown as Readonly<Record<Known, ReadonlySet<string>>>;

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields with a known name. Case and punctuation don't count: `parent_id` is `parentID`. */
export function knownFields(fields: Fields, ...kinds: readonly Known[]): [string, unknown][] {
  return Object.entries(fields).filter(([name]) => isKnown(name, ...kinds));
}

export function isKnown(name: string, ...kinds: readonly Known[]): boolean {
  return kinds.some((kind) => namesOf[kind].has(plainName(name)));
}

/** A name without its case and punctuation. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

/** The value of the likeliest name that `read` can read. */
export function readField<T>(
  fields: Fields,
  kind: Known,
  read: (value: unknown) => T | undefined,
): T | undefined {
  const found = new Map(knownFields(fields, kind).map(([name, value]) => [plainName(name), value]));
  for (const name of namesOf[kind]) {
    const value = read(found.get(name));
    if (value !== undefined) return value;
  }
  return undefined;
}

const maxLevels = 4;

interface Found<T> {
  readonly content: T;
  /** The objects around it, outermost first. */
  readonly around: readonly Fields[];
}

/**
 * Finds content in an answer: bare, in envelopes with known names, or in an array of one. The
 * outermost counts. Returns all that are at its level, because choosing one would be a guess.
 */
export function findContent<T>(
  json: unknown,
  kind: ListKind | 'record' | 'download',
  read: (value: unknown) => T | undefined,
): readonly Found<T>[] {
  let level: readonly Found<unknown>[] = [{ content: json, around: [] }];
  for (let depth = 0; depth <= maxLevels; depth += 1) {
    const found = level.flatMap(({ content: value, around }) => {
      const content = read(value);
      return content === undefined ? [] : [{ content, around }];
    });
    if (found.length > 0) return found;
    level = level.flatMap(({ content: value, around }) => {
      if (Array.isArray(value)) return value.length === 1 ? [{ content: value[0], around }] : [];
      return valuesIn(value, kind).map((content) => ({
        content,
        around: [...around, value as Fields],
      }));
    });
  }
  return [];
}

/** What an answer holds in envelopes: `content` of `{ status: 'ok', data: content }`. */
export function valuesIn(value: unknown, kind: Known = 'envelope'): unknown[] {
  return isFields(value) ? knownFields(value, 'envelope', kind).map(([, inner]) => inner) : [];
}

export function findRecord(json: unknown): FileRecord | undefined {
  const [found, another] = findContent(json, 'record', fileRecordIn);
  return another ? undefined : found?.content;
}

/** A file record (section 2.4), or `undefined` without an asset ID. */
export function fileRecordIn(entry: unknown): FileRecord | undefined {
  const fields: Fields = isFields(entry) ? entry : {};
  const id = integerIn(fields.id);
  if (!isAssetId(id)) return undefined;
  return { id, name: textIn(fields.name), filename: textIn(fields.filename), fields };
}

/** A list as far as one answer has it. */
export interface ListPage<T> extends Readonly<Paging> {
  readonly records: readonly T[];
  /** Number of entries, including unreadable ones. */
  readonly entries: number;
}

/**
 * Reads a list: a known array, where `null` is an empty one. An unreadable entry is skipped, unless
 * all are. `odd` says what is wrong with it.
 */
export function readList<T>(
  json: unknown,
  headers: Headers | undefined,
  { kind, read, odd }: { kind: ListKind; read: (entry: unknown) => T | undefined; odd: string },
) {
  const found = findList(json, kind);
  if ('problem' in found) return found;
  const records: T[] = [];
  const skipped: string[] = [];
  for (const [index, entry] of found.content.entries()) {
    const record = read(entry);
    if (record === undefined) skipped.push(`entry ${index + 1} of the list ${odd}`);
    else records.push(record);
  }
  const [problem] = skipped;
  if (problem !== undefined && records.length === 0) return { problem };
  const page = { records, entries: found.content.length };
  const value: ListPage<T> = { ...page, ...readPaging(found.around, headers) };
  return { value, skipped };
}

/** Finds the only list in an answer. A tree of folders can have a single root instead. */
export function findList(
  json: unknown,
  kind: ListKind,
): Found<readonly unknown[]> | { readonly problem: string } {
  const isRoot = (value: unknown) =>
    kind === 'folders' && isFields(value) && integerIn(value.id) !== undefined;
  const lists = findContent(json, kind, (value) =>
    Array.isArray(value) ? value : isRoot(value) ? [value] : undefined,
  );
  if (lists.length > 1)
    return { problem: `more than one of its fields could be the list of ${kind}` };
  const [none] = findContent(json, kind, (value) => (value === null ? [] : undefined));
  return lists[0] ?? none ?? { problem: `it has no list of ${kind}` };
}

/** What an answer says about the rest of its list. All are `undefined` if it says nothing. */
export type Paging = ReturnType<typeof readPaging>;

/** Whether more follows after what has arrived, as the latest answers say. */
export function hasMore(
  { more, total = -1, pages = -1, skip = 0 }: Partial<Paging>,
  arrived: { readonly entries: number; readonly pages: number },
): boolean | undefined {
  // A page that starts before its own records is this one. One that starts after them is the next.
  const isNext = skip > 0 && skip >= arrived.entries;
  if (more || isNext || total > arrived.entries || pages > arrived.pages) return true;
  // A total below what has arrived says nothing.
  return total === arrived.entries || pages === arrived.pages ? false : more;
}

/** An object and the groups about paging in it. A list of links counts as an object of them. */
function groupsIn(value: unknown, levels = maxLevels): readonly Fields[] {
  const fields = Array.isArray(value)
    ? Object.fromEntries(value.filter(isFields).map(({ rel, href }) => [rel, href]))
    : value;
  if (!isFields(fields) || levels === 0) return [];
  const groups = knownFields(fields, 'pagingGroup');
  return [fields, ...groups.flatMap(([, group]) => groupsIn(group, levels - 1))];
}

/** Reads paging from the objects around a list, and from headers. None is defined (section 8). */
export function readPaging(around: readonly Fields[], headers: Headers | undefined) {
  const plainHeaders = Object.fromEntries(
    Array.from(headers ?? [], ([name, value]) => [name.replace(/^x-/, ''), value]),
  );
  const groups = around.flatMap((one) => groupsIn(one));
  const given = <T>(kind: Known, read: (value: unknown) => T | undefined) =>
    [...groups, plainHeaders].flatMap((group) =>
      knownFields(group, kind).flatMap(([, value]) => read(value) ?? []),
    );
  const largest = (counts: readonly number[]) =>
    counts.length > 0 ? Math.max(...counts) : undefined;

  // A flag is the plainest word. Some services send a cursor with the last page too.
  const flags = [
    ...given('more', truthIn),
    ...given('last', truthIn).map((last) => !last),
    ...given('remaining', countIn).map((count) => count > 0),
  ];
  // An empty link means no more records, and a cursor instead of a link means more.
  const cursors = [
    ...given('cursor', (value) => (isFields(value) ? undefined : Boolean(value))),
    ...given('next', (value) => (linkIn(value) === undefined ? Boolean(value) : undefined)),
  ];
  const stated = flags.length > 0 ? flags : cursors;
  return {
    /** URL of the next page as received, absolute or relative. */
    next: given('next', linkIn)[0] ?? nextIn(headers?.get('link')),
    more: stated.length > 0 ? stated.includes(true) : undefined,
    total: largest(given('total', totalIn)),
    pages: largest(given('pages', countIn)),
    /** Where this page starts, or the next one. */
    skip: largest(given('skip', countIn)),
  };
}

function linkIn(value: unknown): string | undefined {
  const link = isFields(value) ? (value.href ?? value.url) : value;
  return typeof link === 'string' && /[/?]/.test(link) ? link : undefined;
}

/** RFC 8288: `<https://…?page=2>; rel="next"`. */
function nextIn(header: string | null | undefined): string | undefined {
  return /<([^>]*)>[^,<]*;\s*rel\s*=\s*"?(?:[^",;]*\s)?next\b/i.exec(header ?? '')?.[1];
}

/** A number, an object of it, or RFC 9110 in a unit of the service or none: `files 0-24/319`. */
function totalIn(value: unknown): number | undefined {
  const [, total] = /^(?!bytes)(?:\S+ )?\S+\/(\d+)$/i.exec(textIn(value) ?? '') ?? [];
  // A search engine's `gte` is a lower bound.
  const isExact = isFields(value) && value.relation !== 'gte';
  return countIn(total ?? (isExact ? value.value : value));
}

function truthIn(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return value === 'true' ? true : value === 'false' ? false : undefined;
}

/** A safe integer, or one written as text. */
export function integerIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
}

/** A depth, size or total: a safe integer from 0. */
export function countIn(value: unknown): number | undefined {
  const count = integerIn(value);
  return count !== undefined && count >= 0 ? count : undefined;
}

/** A text, or a number as text. `undefined` for any other value. */
export function textIn(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
