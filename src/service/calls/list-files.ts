import { z } from 'zod';
import type { Reader } from '../http/receive-answer.ts';
import { type Call, getJson } from '../http/service-context.ts';
import { serviceError } from '../service-error.ts';
import type { FileRecord, FilesRequest, ListRequest } from '../types.ts';
import { checkArgument, folderArgument, signalArgument } from './check-argument.ts';
import { fileRecordIn, findList, recordsIn } from './find-list.ts';
import { type FilePage, pageThrough } from './page-through.ts';
import { readPaging } from './read-paging.ts';

/** Yields the records of a list. Throws `list-unfinished` at a limit. */
export async function* listFiles(
  { name, url: first, request: { signal, maxPages, maxRecords } }: ListCall,
  ask: (call: Call, read: Reader<FilePage>) => Promise<FilePage>,
): AsyncGenerator<FileRecord, void, undefined> {
  let pages = 0;
  let records = 0;

  function unfinished(limit: string) {
    return serviceError('list-unfinished', { call: name, records, limit }, { effect: 'none' });
  }

  async function askPage(url: string): Promise<FilePage> {
    if (pages === maxPages) throw unfinished(`${maxPages} pages`);
    pages += 1;
    return ask({ kind: 'list', name, request: getJson(url), signal }, readFilePage);
  }

  for await (const record of pageThrough({ name, first, ask: askPage })) {
    if (records === maxRecords) throw unfinished(`${maxRecords} records`);
    records += 1;
    yield record;
  }
}

/** Reads a list of files: an array of records, bare or inside an object. */
export const readFilePage: Reader<FilePage> = (content, status) => {
  if (content === undefined && status !== 204) return { problem: 'expected a list of files' };
  const found = findList(content?.json ?? null, {
    what: 'files',
    names: ['files', 'file'],
    fits: (entry) => fileRecordIn(entry) !== undefined,
  });
  if ('problem' in found) return found;
  const read = recordsIn(found.list, fileRecordIn, 'has no ID');
  if ('problem' in read) return read;
  const { records, skipped } = read;
  const paging = readPaging(found.wrappers, content?.headers);
  return { value: { records, skipped: skipped.length, ...paging }, skipped };
};

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
