import { z } from 'zod';
import { fileRecordIn, type ListPage, type Paging, readList } from '../http/known-answers.ts';
import type { Reader } from '../http/receive-answer.ts';
import { getJson } from '../http/service-context.ts';
import { ServiceError } from '../service-error.ts';
import type { FileRecord, FilesRequest, ListRequest } from '../types.ts';
import { checkArgument, folderArgument, signalArgument } from './check-argument.ts';
import { type Ask, announcesMore, misleading, pageThrough, unfinished } from './page-through.ts';

/**
 * The ways to request a further page without a link: the `number`th page (from 0) after the first,
 * with `offset` records read so far. `page=1` comes first, as some services count from 0.
 */
const pageForms: readonly ((further: { number: number; offset: number }) => string)[] = [
  ({ number }) => `page=${number + 1}`,
  ({ number }) => `page=${number + 2}`,
  ({ offset }) => `offset=${offset}`,
];

/**
 * Yields each record of a list once, in the order of the service. Requests pages on demand.
 *
 * The interface shows no paging (section 8), so the answers decide. A link to the next page is
 * followed. The list ends when an answer says that it's the last one. Otherwise `page` and `offset` are
 * tried in turn. A page without a new record ends the list, because services that ignore these
 * parameters repeat the first page.
 *
 * @throws `list-unfinished` at a limit; `answer-unexpected` if the service announces more than it
 * returned, or if a link leads to another origin or back
 */
export async function* listFiles(
  { name, url: first, request: { signal, maxPages, maxRecords } }: ListCall,
  ask: Ask,
): AsyncGenerator<FileRecord, void, undefined> {
  const seen = new Set<number>();
  let asked = 0;
  let skipped = 0;
  let pages = 0;
  /** What the latest answers say about the whole list. */
  let said: Partial<Paging> = {};

  async function askPage(url: string) {
    if (asked === maxPages) throw unfinished(name, seen.size, `${maxPages} pages`);
    asked += 1;
    return ask({ kind: 'list', name, request: getJson(url), signal }, readFilePage);
  }

  /** Yields the new records of a page. Returns whether it has any. */
  function* take(page: ListPage<FileRecord>): Generator<FileRecord, boolean, undefined> {
    const before = seen.size;
    for (const record of page.records) {
      if (seen.has(record.id)) continue;
      if (seen.size === maxRecords) throw unfinished(name, maxRecords, `${maxRecords} records`);
      seen.add(record.id);
      yield record;
    }
    const hasNew = seen.size > before;
    if (hasNew) {
      skipped += page.entries - page.records.length;
      pages += 1;
    }
    // Past the end, services state other totals.
    said = page.records.length > 0 ? page : { ...said, more: page.more };
    return hasNew;
  }
  const isMore = () => announcesMore(said, { records: seen.size + skipped, pages });
  const isComplete = () =>
    [said.more, said.total, said.pages].some((one) => one !== undefined) && !isMore();

  for await (const page of pageThrough(name, first, askPage)) yield* take(page);
  let isEnd = asked > 1 || seen.size === 0 || isComplete();
  for (const form of pageForms) {
    for (let number = 0; !isEnd; number += 1) {
      const url = `${first}&${form({ number, offset: seen.size + skipped })}`;
      const further = await askPage(url).catch(unlessRefused(number > 0));
      // An empty page is the end, unless more was announced and this form has led nowhere.
      const isEmpty = further?.records.length === 0;
      const isLast = isEmpty && (number > 0 || !isMore());
      const hasNew = further && (!isEmpty || isLast) ? yield* take(further) : false;
      isEnd = isLast || isComplete() || (!hasNew && number > 0);
      if (!hasNew) break;
    }
  }
  if (isMore()) {
    const ways = 'but no link, page or offset leads to them';
    throw misleading(name, `it announces more than its ${seen.size} records, ${ways}`);
  }
}

/** Handles a service that has no further page, or refuses this form. */
function unlessRefused(isCertain: boolean) {
  return (thrown: unknown): undefined => {
    const refused = thrown instanceof ServiceError && thrown.code === 'request-refused';
    if (!refused || (isCertain && thrown.status !== 404 && thrown.status !== 416)) throw thrown;
  };
}

/** Reads a list of files. */
const readFilePage: Reader<ListPage<FileRecord>> = (content, status) =>
  readList(content, status, { kind: 'files', read: fileRecordIn, odd: 'has no ID' });

const fieldName = z
  .string('expected a string')
  .regex(/^[^\p{C}\s,][^\p{C},]{0,99}$/u, 'expected a field name without a comma');
/** Field names of a request. */
export const fieldNames = z
  .array(fieldName, 'expected a list of field names')
  .min(1, 'expected at least one field name')
  .max(100, 'expected at most 100 field names');
const limit = (fallback: number) =>
  z.int('expected a positive integer').min(1, 'expected a positive integer').default(fallback);

/** The fields that the interface names (section 2.4). */
export const defaultFields = ['id', 'name', 'filename'];

const listShape = {
  fields: fieldNames.default(defaultFields),
  signal: signalArgument,
  maxPages: limit(1000),
  maxRecords: limit(100_000),
};
const listRequest = z.strictObject(listShape);
const filesRequest = z.strictObject({
  ...listShape,
  type: z
    .string('expected a string')
    .regex(/^[^\p{C}\s]{1,100}$/u, 'expected a media type, such as any')
    .default('any'),
  processed: z.boolean('expected true or false').default(true),
});

const searchText = z
  .string('expected a string')
  .min(1, 'expected a string of 1 to 1000 characters')
  .max(1000, 'expected a string of 1 to 1000 characters')
  .refine((text) => text.trim() !== '', "expected a string that isn't blank")
  .refine((text) => text.isWellFormed(), 'expected well-formed Unicode');

export interface ListCall {
  /** Used in messages. */
  readonly name: string;
  readonly url: string;
  readonly request: z.output<typeof listRequest>;
}

/** GET `/1/folder/{id}/files?fields=…&type=…&processed=true` (section 4). Throws `argument-invalid`. */
export function filesCall(baseUrl: string, folder: number, given: FilesRequest = {}): ListCall {
  const place = 'folders.files()';
  const id = checkArgument({ place, name: 'folderId', schema: folderArgument }, folder);
  const request = checkArgument({ place, name: 'request', schema: filesRequest }, given);
  const query = [
    `fields=${withId(request.fields)}`,
    `type=${encodeURIComponent(request.type)}`,
    ...(request.processed ? ['processed=true'] : []),
  ];
  const url = `${baseUrl}/1/folder/${id}/files?${query.join('&')}`;
  return { name: `the list of the files of folder ${id} (GET ${url})`, url, request };
}

/** GET `/1/search/file?query=…&fields=…` (section 4). Throws `argument-invalid`. */
export function searchCall(baseUrl: string, text: string, given: ListRequest = {}): ListCall {
  const place = 'search()';
  const query = checkArgument({ place, name: 'query', schema: searchText }, text);
  const request = checkArgument({ place, name: 'request', schema: listRequest }, given);
  const parameters = `query=${encodeURIComponent(query)}&fields=${withId(request.fields)}`;
  const url = `${baseUrl}/1/search/file?${parameters}`;
  return { name: `the search (GET ${url})`, url, request };
}

/** Field names for a query, with `id`. */
export function withId(fields: readonly string[]): string {
  const names = fields.includes('id') ? fields : ['id', ...fields];
  return names.map(encodeURIComponent).join(',');
}
