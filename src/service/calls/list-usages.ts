import type { Reader } from '../http/receive-answer.ts';
import type { Call } from '../http/service-context.ts';
import { getJson } from '../http/service-context.ts';
import { serviceError } from '../service-error.ts';
import type { SignalRequest, UsageRecord } from '../types.ts';
import { checkSignal } from './check-argument.ts';
import { assertAssetId } from './download-url.ts';
import { type Fields, findList, isFields, recordsIn, textIn } from './find-list.ts';
import { announcesMore, followLink, type Paging, readPaging } from './read-paging.ts';

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
export async function listUsages(
  call: Call,
  ask: (call: Call, read: Reader<UsagePage>) => Promise<UsagePage>,
): Promise<UsageRecord[]> {
  const pages: UsagePage[] = [];
  const visited = new Set<string>();
  const fail = (problem: string) =>
    serviceError('answer-unexpected', { call: call.name, problem }, { effect: 'none' });

  for (let { url } = call.request; ; ) {
    visited.add(url);
    const page = await ask({ ...call, request: { ...call.request, url } }, readUsagePage);
    pages.push(page);
    if (page.next === undefined) break;
    url = followLink(call.name, page.next, url);
    if (visited.has(url)) throw fail('its link to the next page leads back to an earlier page');
    if (pages.length === maxPages) {
      const records = pages.reduce((sum, { entries }) => sum + entries, 0);
      const details = { call: call.name, records, limit: `${maxPages} pages` };
      throw serviceError('list-unfinished', details, { effect: 'none' });
    }
  }
  const entries = pages.reduce((sum, page) => sum + page.entries, 0);
  const last = pages.at(-1);
  if (last && announcesMore(last, { records: entries, pages: pages.length })) {
    throw fail(`it announces more than its ${entries} records, but has no link to them`);
  }
  return pages.flatMap(({ records }) => records);
}

export interface UsagePage extends Paging {
  readonly records: readonly UsageRecord[];
  /** Number of list entries, including ones without a page. */
  readonly entries: number;
}

const trimmed = (value: unknown) => textIn(value)?.trim() || undefined;

/** Reads a usage with the names of real services or of section 2.1. `undefined` without a page. */
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

/**
 * Reads an asset's usages: an array of records, bare or inside an object. `null` and 204 are an
 * empty list. Records without a page (usages in print) are left out.
 */
export const readUsagePage: Reader<UsagePage> = (content, status) => {
  if (content === undefined && status !== 204) return { problem: 'expected a list of usages' };
  const found = findList(content?.json ?? null, {
    what: 'usages',
    names: ['usages', 'usage'],
    fits: (entry) => isFields(entry) && ('page' in entry || 'url' in entry || 'web' in entry),
  });
  if ('problem' in found) return found;
  const read = recordsIn(
    found.list,
    (entry) => (isFields(entry) ? entry : undefined),
    "isn't an object",
  );
  if ('problem' in read) return read;
  const records = read.records.flatMap((entry) => usageIn(entry) ?? []);
  const paging = readPaging(found.wrappers, content?.headers);
  return { value: { records, entries: found.list.length, ...paging }, skipped: read.skipped };
};
