import { type Fields, isFields, type ListPage, readList, textIn } from '../http/known-answers.ts';
import type { Reader } from '../http/receive-answer.ts';
import type { SignalRequest, UsageRecord } from '../types.ts';
import { checkSignal } from './check-argument.ts';
import { assertAssetId } from './download-url.ts';
import { type Ask, pageThrough } from './page-through.ts';

const maxPages = 1000;

/**
 * Returns all usages of an asset. The interface doesn't define this call. Identical records look like
 * a repeated page, so only links to further pages are followed. A list that says nothing about paging
 * counts as complete. Throws like `pageThrough`; `asset-id-invalid`, `argument-invalid`.
 */
export async function listUsages(
  baseUrl: string,
  { id, request, ask }: { id: number; request?: SignalRequest | undefined; ask: Ask },
): Promise<UsageRecord[]> {
  const place = 'usages.list';
  assertAssetId(id, place);
  const signal = checkSignal(`${place}()`, request);
  const first = `${baseUrl}/1/file/${id}/usage?fields=any`;
  const call = { kind: 'read', name: `the usages of asset ${id} (GET ${first})`, signal } as const;
  const found: UsageRecord[] = [];
  for await (const records of pageThrough({ call, first, read: readUsagePage, maxPages }, ask)) {
    for (const record of records) {
      const usage = usageIn(record);
      if (usage) found.push(usage);
    }
  }
  return found;
}

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

const readUsagePage: Reader<ListPage<Fields>> = (content, status) =>
  readList(content, status, {
    kind: 'usages',
    read: (entry) => (isFields(entry) ? entry : undefined),
    odd: "isn't an object",
  });
