import { fileRecordIn } from './file-record-in.ts';
import { findList } from './find-list.ts';
import type { FileRecord } from './media-service.ts';
import { type Paging, readPaging } from './read-paging.ts';
import type { Reader } from './receive-answer.ts';

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
