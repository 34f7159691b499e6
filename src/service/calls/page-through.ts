import { redirectTarget } from '../http/addresses.ts';
import { hasMore, type ListPage, type Paging } from '../http/known-answers.ts';
import type { Reader } from '../http/receive-answer.ts';
import { type Call, getJson } from '../http/service-context.ts';
import { ServiceError, serviceError } from '../service-error.ts';

export type Ask = <T>(call: Call, read: Reader<T>) => Promise<T>;

export interface Further extends Partial<Pick<Paging, 'skip'>> {
  readonly number: number;
  readonly offset: number;
}

type Form = (further: Further) => string | undefined;

/** What the lists of one kind have shown about further pages since a client was created. */
export interface PagingMemory {
  /** The form that the service has understood. */
  form?: Form;
  /** The entries of the longest list for which it has understood none. A shorter one has no page more. */
  whole: number;
}

interface List<T> {
  readonly call: Omit<Call, 'request'>;
  readonly first: string;
  readonly read: Reader<ListPage<T>>;
  readonly maxPages: number;
  /**
   * Ways to request a further page without a link: the query of the `number`th page (from 0) after the
   * first, with `offset` entries received so far. A page without a new record ends the list, because
   * services that ignore these parameters repeat the first page. `skip` is what the last page says.
   */
  readonly forms?: readonly Form[];
  readonly memory?: PagingMemory;
  /** A further page repeats earlier ones if all of these are known. */
  readonly keysOf?: (records: readonly T[]) => readonly unknown[];
}

/**
 * Yields the records of each page of a list. Requests pages on demand.
 *
 * The interface shows no paging (section 8), so the answers decide. A link to the next page is
 * followed. The list ends when an answer says that it's the last one. Otherwise the `forms` are tried
 * in turn, first the one that has worked for an earlier list.
 *
 * @throws `list-unfinished` past `maxPages`; `answer-unexpected` if the service announces more than it
 * returned, or if a link leads to another origin or back to an earlier page
 */
export async function* pageThrough<T>(
  { call, first, read, maxPages, forms = [], memory = { whole: 0 }, keysOf }: List<T>,
  ask: Ask,
): AsyncGenerator<readonly T[], void, undefined> {
  const { name } = call;
  const misleading = (problem: string) =>
    serviceError('answer-unexpected', { call: name, problem }, { effect: 'none' });
  const visited = new Set<string>();
  const known = new Set<unknown>();
  let entries = 0;
  let pages = 0;
  /** What the latest answers say about the whole list. */
  let said: Partial<Paging> = {};
  const announced = () => hasMore(said, { entries, pages });

  function askPage(url: string): Promise<ListPage<T>> {
    if (visited.size === maxPages) throw unfinished(name, entries, `${maxPages} pages`);
    visited.add(url);
    return ask({ ...call, request: getJson(url) }, read);
  }

  function take(page: ListPage<T>, isLinked = false): boolean {
    // Past the end, services state other totals.
    said = page.records.length > 0 ? page : { ...said, more: page.more, skip: undefined };
    const keys = keysOf?.(page.records) ?? [];
    const isKnown = !isLinked && keys.every((key) => known.has(key));
    if (page.records.length === 0 || isKnown) return false;
    for (const key of keys) known.add(key);
    entries += page.entries;
    pages += 1;
    return true;
  }

  for (let url: string | undefined = first; url !== undefined; ) {
    const page: ListPage<T> = await askPage(url);
    if (take(page, true)) yield page.records;
    const next: URL | undefined = page.next === undefined ? undefined : linkIn(page.next, url);
    url = next?.href;
    if (url !== undefined && visited.has(url)) {
      throw misleading('its link to the next page leads back to an earlier page');
    }
  }

  /** A link must stay on the same origin, because the request carries the token. */
  function linkIn(link: string, from: string): URL {
    const url = URL.parse(link, from);
    if (url?.origin === new URL(from).origin && url.username === '' && url.password === '') {
      url.hash = '';
      return url;
    }
    const target = redirectTarget(link, new URL(from));
    throw misleading(`its link to the next page leads to ${target}, or contains credentials`);
  }

  const isShort = entries < memory.whole && announced() === undefined;
  let isEnd = visited.size > 1 || entries === 0 || announced() === false || isShort;
  for (const form of new Set(memory.form ? [memory.form, ...forms] : forms)) {
    for (let number = 0; !isEnd; number += 1) {
      const query = form({ number, offset: entries, skip: said.skip });
      if (query === undefined) break;
      const url = `${first}&${query}`;
      const further = await askPage(url).catch(unlessRefused(number > 0));
      // An empty page is the end, unless more was announced and this form has led nowhere.
      const isEmpty = further?.records.length === 0;
      const isLast = isEmpty && (number > 0 || !announced());
      const hasNew = further !== undefined && (!isEmpty || isLast) && take(further);
      if (hasNew) yield further.records;
      const isKnown = form === memory.form && !announced();
      if (hasNew || isLast) memory.form = form;
      isEnd = isLast || announced() === false || (!hasNew && (number > 0 || isKnown));
      if (!hasNew) break;
    }
  }
  if (!isEnd) memory.whole = Math.max(memory.whole, entries);
  if (announced()) {
    const ways = forms.length > 0 ? 'no link, page or offset leads' : 'has no link';
    throw misleading(`it announces more than its ${entries} records, but ${ways} to them`);
  }
}

/** Handles a service that has no further page, or refuses this form. */
function unlessRefused(isCertain: boolean) {
  return (thrown: unknown): undefined => {
    const refused = thrown instanceof ServiceError && thrown.code === 'request-refused';
    if (!refused || (isCertain && thrown.status !== 404 && thrown.status !== 416)) throw thrown;
  };
}

export function unfinished(name: string, records: number, limit: string): ServiceError {
  return serviceError('list-unfinished', { call: name, records, limit }, { effect: 'none' });
}
