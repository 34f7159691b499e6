import { type Fields, isFields, type ListPage, readList, textIn } from '../http/known-answers.ts';
import type { Reader } from '../http/receive-answer.ts';
import { type Call, getJson } from '../http/service-context.ts';
import type { SignalRequest, UsageRecord } from '../types.ts';
import { checkSignal } from './check-argument.ts';
import { assertAssetId } from './download-url.ts';
import { type Ask, announcesMore, misleading, pageThrough, unfinished } from './page-through.ts';
/** The interface doesn't define this call. Throws `asset-id-invalid`, `argument-invalid`. */
export function usageListCall(baseUrl: string, id: number, request?: SignalRequest): Call {
  const place = 'usages.list';
  assertAssetId(id, place);
  const signal = checkSignal(`${place}()`, request);
  const url = `${baseUrl}/1/file/${id}/usage?fields=any`;
  const name = `the usages of asset ${id} (GET ${url})`;
  return { kind: 'read', name, request: getJson(url), signal };
}

const maxPages = 1000;

/**
 * Returns all usages of an asset, following links to further pages. Identical records look like a
 * repeated page, so no other kind of paging is tried. A list that says nothing about paging counts
 * as complete. Throws `answer-unexpected` if the service says that more records exist but has no
 * link to them, and `list-unfinished` past 1000 pages.
 */
export async function listUsages(call: Call, ask: Ask): Promise<UsageRecord[]> {
  const records: UsageRecord[] = [];
  let entries = 0;
  let pages = 0;
  let last: UsagePage | undefined;
  const askPage = (url: string) => {
    if (pages === maxPages) throw unfinished(call.name, entries, `${maxPages} pages`);
    return ask({ ...call, request: { ...call.request, url } }, readUsagePage);
  };
  for await (const page of pageThrough(call.name, call.request.url, askPage)) {
    for (const entry of page.records) {
      const record = usageIn(entry);
      if (record) records.push(record);
    }
    entries += page.entries;
    pages += 1;
    last = page;
  }
  if (last && announcesMore(last, { records: entries, pages })) {
    const problem = `it announces more than its ${entries} records, but has no link to them`;
    throw misleading(call.name, problem);
  }
  return records;
}

type UsagePage = ListPage<Fields>;

const trimmed = (value: unknown) => textIn(value)?.trim() || undefined;

/**
 * Reads a usage with the names of real services or of section 2.1. `undefined` without a page: the
 * usage is in print.
 */
function usageIn(entry: Fields): UsageRecord | undefined {
  const web = isFields(entry.web) ? entry.web : {};
  const [page] = [entry.url, entry.page, web.page].flatMap((value) => trimmed(value) ?? []);
  if (page === undefined) return undefined;
  return {
    page,
    pageName: trimmed(entry.pageName) ?? trimmed(web.pageName),
    project: trimmed(entry.project),
    contact: trimmed(entry.contact),
    description: trimmed(entry.description),
    date: trimmed(entry.publishDate) ?? trimmed(entry.date),
  };
}

const readUsagePage: Reader<UsagePage> = (content, status) =>
  readList(content, status, {
    kind: 'usages',
    read: (entry) => (isFields(entry) ? entry : undefined),
    odd: "isn't an object",
  });
