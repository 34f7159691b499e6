import { z } from 'zod';
import { findList, isFields } from './find-list.ts';
import type { UsageRecord } from './media-service.ts';
import { followLink, type Paging, readPaging } from './read-paging.ts';
import type { Reader } from './receive-answer.ts';
import type { Call } from './service-context.ts';
import { serviceError } from './service-error.ts';

/** Pages of one list. */
const mostPages = 1000;

/**
 * All usages of an asset, over the links to further pages. Nothing tells records that are alike
 * apart from a page that comes twice, so no other paging is tried: a list that says that it is not
 * whole is `answer-unexpected`, and one that says nothing of it is taken for whole. Throws
 * `list-unfinished` past 1000 pages.
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
    if (visited.has(url)) throw fail('its link to the next page leads back');
    if (pages.length === mostPages) {
      const records = pages.reduce((sum, { entries }) => sum + entries, 0);
      const details = { call: call.name, records, limit: `${mostPages} pages` };
      throw serviceError('list-unfinished', details, { effect: 'none' });
    }
  }
  const entries = pages.reduce((sum, page) => sum + page.entries, 0);
  const { more, total = 0 } = pages.at(-1) ?? {};
  if (more ?? total > entries) {
    throw fail(`it says that there are more than its ${entries} records, and has no link to them`);
  }
  return pages.flatMap(({ records }) => records);
}

/** One page of the usages of an asset, or all of them where the service has no pages. */
export interface UsagePage extends Paging {
  readonly records: readonly UsageRecord[];
  /** Entries of its list, those that are left out counted. */
  readonly entries: number;
}

/** A text, or undefined for null, an empty text or anything else. */
const text = z
  .union([z.string(), z.number().transform(String)])
  .transform((value) => value.trim() || undefined)
  .optional()
  .catch(undefined);

const web = z.looseObject({ page: text, pageName: text }).optional().catch(undefined);

/** A record as services in the wild give it, or in the names of section 2.1. */
const record = z
  .looseObject({
    url: text,
    page: text,
    pageName: text,
    web,
    project: text,
    contact: text,
    description: text,
    publishDate: text,
    date: text,
  })
  .transform((fields) => ({
    page: fields.url ?? fields.page ?? fields.web?.page,
    pageName: fields.pageName ?? fields.web?.pageName,
    project: fields.project,
    contact: fields.contact,
    description: fields.description,
    date: fields.publishDate ?? fields.date,
  }));

const list = z.array(record);

/**
 * Reads usages of one asset: a bare array of records, or one wrapped in an object. Null and 204
 * are an empty list. Records without a page (usages in print) are left out.
 */
export const readUsagePage: Reader<UsagePage> = (content, status) => {
  if (content === undefined && status !== 204) return { problem: 'a list of usages was expected' };
  const found = findList(content?.json ?? null, {
    what: 'usages',
    names: ['usages', 'usage'],
    fits: (entry) => isFields(entry) && ('page' in entry || 'url' in entry || 'web' in entry),
  });
  if ('problem' in found) return found;
  const parsed = list.safeParse(found.list);
  if (!parsed.success) return { problem: 'an entry of its list is no record' };
  const records = parsed.data.flatMap(({ page, ...rest }) =>
    page === undefined ? [] : [{ page, ...rest }],
  );
  const paging = readPaging(found.wrappers, content?.link ?? null);
  return { value: { records, entries: found.list.length, ...paging } };
};
