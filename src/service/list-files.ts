import type { ListCall } from './list-calls.ts';
import type { FileRecord } from './media-service.ts';
import { type LearntForms, pageThrough } from './page-through.ts';
import { type FilePage, readFilePage } from './read-file-page.ts';
import type { Reader } from './receive-answer.ts';
import type { Call, Clock } from './service-context.ts';
import { serviceError } from './service-error.ts';

/**
 * The records of a list within its limits. Throws `list-unfinished` past one of them, after the
 * records up to it.
 */
export async function* listFiles(list: {
  readonly call: ListCall;
  readonly kind: 'files' | 'search';
  readonly ask: (call: Call, read: Reader<FilePage>) => Promise<FilePage>;
  readonly learnt: LearntForms;
  readonly ticks: Clock;
}): AsyncGenerator<FileRecord, void, undefined> {
  const { call, kind, ask, learnt, ticks } = list;
  const { signal, deadline = Number.POSITIVE_INFINITY, maxPages, maxRecords } = call.request;
  const end = ticks() + deadline;
  let pages = 0;
  let records = 0;

  function unfinished(limit: string) {
    return serviceError('list-unfinished', { call: call.name, records, limit }, { effect: 'none' });
  }

  async function askPage(url: string): Promise<FilePage> {
    if (ticks() >= end) throw unfinished(`${deadline} ms`);
    if (pages === maxPages) throw unfinished(`${maxPages} pages`);
    pages += 1;
    const headers = { accept: 'application/json' };
    const request = { method: 'GET', url, headers } as const;
    return ask({ kind: 'list', name: call.name, request, signal, deadline: end }, readFilePage);
  }

  const { name, url } = call;
  for await (const record of pageThrough({ name, first: url, ask: askPage, call: kind, learnt })) {
    if (records === maxRecords) throw unfinished(`${maxRecords} records`);
    records += 1;
    yield record;
  }
}
