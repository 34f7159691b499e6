import { followLink } from './follow-link.ts';
import type { UsageRecord } from './media-service.ts';
import { readUsagePage, type UsagePage } from './read-usage-page.ts';
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
