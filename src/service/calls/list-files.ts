import { fileRecordIn, type ListPage, readList } from '../http/known-answers.ts';
import type { Reader } from '../http/receive-answer.ts';
import * as requests from '../requests.ts';
import type { FileRecord } from '../types.ts';
import { checkArgument, checkRequest } from './check-argument.ts';
import {
  type Ask,
  type Further,
  type PagingMemory,
  pageThrough,
  unfinished,
} from './page-through.ts';

/** `page=1` comes first, as some services count from 0. */
export const pageForms = [
  ({ number }: Further) => `page=${number + 1}`,
  ({ number }: Further) => `page=${number + 2}`,
  ({ offset }: Further) => `offset=${offset}`,
  // Only some services have it, and they say so.
  ({ number, offset, skip }: Further) =>
    number > 0 || skip !== undefined ? `skip=${offset}` : undefined,
];

/** Yields each record of a list once, in the order of the service. Throws like `pageThrough`. */
export async function* listFiles(
  { name, url: first, request: { signal, maxPages, maxRecords } }: ListCall,
  ask: Ask,
  memory: PagingMemory = { whole: 0 },
): AsyncGenerator<FileRecord, void, undefined> {
  const seen = new Set<number>();
  const keysOf = (files: readonly FileRecord[]) => files.map(({ id }) => id);
  const call = { kind: 'list', name, signal } as const;
  const list = { call, first, read: readFilePage, maxPages, forms: pageForms, keysOf, memory };
  for await (const records of pageThrough(list, ask)) {
    for (const record of records) {
      if (seen.has(record.id)) continue;
      if (seen.size === maxRecords) throw unfinished(name, maxRecords, `${maxRecords} records`);
      seen.add(record.id);
      yield record;
    }
  }
}

const readFilePage: Reader<ListPage<FileRecord>> = (json, headers) =>
  readList(json, headers, { kind: 'files', read: fileRecordIn, odd: 'has no ID' });

type ListCall = ReturnType<typeof searchCall>;

/** GET `/1/folder/{id}/files?fields=…&type=…&processed=true` (section 4). Throws `argument-invalid`. */
export function filesCall(baseUrl: string, folder: number, given: requests.FilesRequest = {}) {
  const place = 'folders.files()';
  const id = checkArgument({ place, name: 'folderId', schema: requests.folderArgument }, folder);
  const request = checkRequest(place, requests.filesRequest, given);
  const query = [
    `fields=${withId(request.fields)}`,
    `type=${encodeURIComponent(request.type)}`,
    ...(request.processed ? ['processed=true'] : []),
  ];
  const url = `${baseUrl}/1/folder/${id}/files?${query.join('&')}`;
  return { name: `the list of the files of folder ${id} (GET ${url})`, url, request };
}

/** GET `/1/search/file?query=…&fields=…` (section 4). Throws `argument-invalid`. */
export function searchCall(baseUrl: string, text: string, given: requests.ListRequest = {}) {
  const place = 'search()';
  const query = checkArgument({ place, name: 'query', schema: requests.searchText }, text);
  const request = checkRequest(place, requests.listRequest, given);
  const parameters = `query=${encodeURIComponent(query)}&fields=${withId(request.fields)}`;
  const url = `${baseUrl}/1/search/file?${parameters}`;
  return { name: `the search (GET ${url})`, url, request };
}

/** Field names for a query, with `id`. `all`, as in the folder tree's query, stays alone. */
export function withId(fields: readonly string[]): string {
  const names = fields.includes('id') || fields.join() === 'all' ? fields : ['id', ...fields];
  return names.map(encodeURIComponent).join(',');
}
