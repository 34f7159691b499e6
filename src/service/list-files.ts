import { fileRecordIn, findList } from './find-list.ts';
import type { ListCall } from './list-calls.ts';
import type { FileRecord } from './media-service.ts';
import { pageThrough } from './page-through.ts';
import { type Paging, readPaging } from './read-paging.ts';
import type { Reader } from './receive-answer.ts';
import { type Call, getJson } from './service-context.ts';
import { serviceError } from './service-error.ts';

/** The records of a list. Throws `list-unfinished` past a limit, after the records up to it. */
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

/** One page of a list of files, or all of it where the service has no pages. */
export interface FilePage extends Paging {
  readonly records: readonly FileRecord[];
}

/** Reads a list of files: a bare array of records, or one in an object. */
export const readFilePage: Reader<FilePage> = (content, status) => {
  if (content === undefined && status !== 204) return { problem: 'a list of files was expected' };
  const found = findList(content?.json ?? null, {
    what: 'files',
    names: ['files', 'file'],
    fits: (entry) => fileRecordIn(entry) !== undefined,
  });
  if ('problem' in found) return found;
  const records: FileRecord[] = [];
  for (const [index, entry] of found.list.entries()) {
    const record = fileRecordIn(entry);
    if (record === undefined) return { problem: `entry ${index + 1} of its list has no id` };
    records.push(record);
  }
  return { value: { records, ...readPaging(found.wrappers, content?.link ?? null) } };
};
