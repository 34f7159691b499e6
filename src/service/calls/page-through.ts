import type { ListPage, Paging } from '../http/known-answers.ts';
import type { Reader } from '../http/receive-answer.ts';
import type { Call } from '../http/service-context.ts';
import { type ServiceError, serviceError } from '../service-error.ts';

/** Sends a call and reads its answer. */
export type Ask = <T>(call: Call, read: Reader<T>) => Promise<T>;

/**
 * Yields the page at a URL, and those that links to next pages lead to.
 *
 * @throws `answer-unexpected` if a link leads to another origin, or back to an earlier page
 */
export async function* pageThrough<T>(
  name: string,
  first: string,
  ask: (url: string) => Promise<ListPage<T>>,
): AsyncGenerator<ListPage<T>, void, undefined> {
  const visited = new Set<string>();
  for (let url = first; ; ) {
    visited.add(url);
    const page = await ask(url);
    yield page;
    if (page.next === undefined) return;
    url = followLink(name, page.next, url);
    if (visited.has(url)) {
      throw misleading(name, 'its link to the next page leads back to an earlier page');
    }
  }
}

/** Resolves a link. It must stay on the same origin, because the request carries the token. */
function followLink(name: string, link: string, from: string): string {
  const url = URL.parse(link, from);
  if (url?.origin !== new URL(from).origin || url.username !== '' || url.password !== '') {
    const target =
      url === null ? 'an invalid URL' : `${url.protocol}//${url.host}, or contains credentials`;
    throw misleading(name, `its link to the next page leads to ${target}`);
  }
  url.hash = '';
  return url.href;
}

/** Whether an answer without a link says that there's more than was received. */
export function announcesMore(
  { more, total = 0, pages = 0 }: Partial<Paging>,
  received: { readonly records: number; readonly pages: number },
): boolean {
  return more === true || total > received.records || pages > received.pages;
}

export function misleading(name: string, problem: string): ServiceError {
  return serviceError('answer-unexpected', { call: name, problem }, { effect: 'none' });
}

export function unfinished(name: string, records: number, limit: string): ServiceError {
  return serviceError('list-unfinished', { call: name, records, limit }, { effect: 'none' });
}
