import { ServiceError, serviceError } from '../service-error.ts';
import type { FileRecord } from '../types.ts';
import { announcesMore, followLink, type Paging } from './read-paging.ts';

/** One page of a file list, or the whole list if the service doesn't page. */
export interface FilePage extends Paging {
  readonly records: readonly FileRecord[];
  /** Number of unreadable records. */
  readonly skipped: number;
}

/**
 * The ways to request a further page without a link: the `number`th page (from 0) after the first,
 * with `offset` records read so far. `page=1` comes first, as some services count from 0.
 */
const pageForms: readonly ((further: { number: number; offset: number }) => string)[] = [
  ({ number }) => `page=${number + 1}`,
  ({ number }) => `page=${number + 2}`,
  ({ offset }) => `offset=${offset}`,
];

/**
 * Yields each record of a list once, in the order of the service. Requests pages on demand.
 *
 * The interface shows no paging (section 8), so the answers decide. A link to the next page is
 * followed. The list ends when an answer says that it's the last one. Otherwise `page` and `offset` are
 * tried in turn. A page without a new record ends the list, because services that ignore these
 * parameters repeat the first page.
 *
 * @throws `answer-unexpected` if the service announces more than it returned, or if a link leads to
 * another origin
 */
export async function* pageThrough(list: {
  readonly name: string;
  /** URL of the first page, with a query. */
  readonly first: string;
  readonly ask: (url: string) => Promise<FilePage>;
}): AsyncGenerator<FileRecord, void, undefined> {
  const { name, first, ask } = list;
  const seen = new Set<number>();
  const visited = new Set([first]);
  let skipped = 0;
  let pages = 0;
  let page = await ask(first);
  /** What the latest answers say about the whole list. */
  let said: Omit<Paging, 'next'> = page;

  function fresh(page: FilePage): FileRecord[] {
    const records = page.records.filter(({ id }) => !seen.has(id) && seen.add(id));
    if (records.length > 0) {
      skipped += page.skipped;
      pages += 1;
    }
    // Past the end, services state other totals.
    said = page.records.length > 0 ? page : { ...said, more: page.more };
    return records;
  }
  const isMore = () => announcesMore(said, { records: seen.size + skipped, pages });
  const isComplete = () =>
    [said.more, said.total, said.pages].some((one) => one !== undefined) && !isMore();

  yield* fresh(page);
  for (let url = first; page.next !== undefined; ) {
    url = followLink(name, page.next, url);
    if (visited.has(url)) break;
    visited.add(url);
    page = await ask(url);
    const records = fresh(page);
    if (records.length === 0 && page.records.length > 0) break;
    yield* records;
  }

  let isEnd = visited.size > 1 || page.records.length === 0 || isComplete();
  for (const form of pageForms) {
    for (let number = 0; !isEnd; number += 1) {
      const url = `${first}&${form({ number, offset: seen.size + skipped })}`;
      const further = await askFurther(url, { ask, certain: number > 0 });
      // An empty page is the end, unless more was announced and this form has led nowhere.
      const isEmpty = further?.records.length === 0 && (number > 0 || !isMore());
      const records = further && (further.records.length > 0 || isEmpty) ? fresh(further) : [];
      yield* records;
      isEnd = isEmpty || isComplete() || (records.length === 0 && number > 0);
      if (records.length === 0) break;
    }
  }
  if (isMore()) {
    const problem = `it announces more than its ${seen.size} records, but no link, page or offset leads to them`;
    throw serviceError('answer-unexpected', { call: name, problem }, { effect: 'none' });
  }
}

/** Requests a further page. `undefined` if the service has none or refuses this form. */
async function askFurther(
  url: string,
  { ask, certain }: { ask: (url: string) => Promise<FilePage>; certain: boolean },
): Promise<FilePage | undefined> {
  try {
    return await ask(url);
  } catch (thrown) {
    const refused = thrown instanceof ServiceError && thrown.code === 'request-refused';
    if (refused && (!certain || thrown.status === 404 || thrown.status === 416)) return undefined;
    throw thrown;
  }
}
