import { followLink } from './follow-link.ts';
import type { FileRecord } from './media-service.ts';
import type { FilePage } from './read-file-page.ts';
import { ServiceError, serviceError } from './service-error.ts';

/** How a service counts its pages, where it gives no links: by a page from 1 or 0, or by records. */
type PageForm = 'page-from-0' | 'page-from-1' | 'offset';

/** The forms that one client has seen at work, by call: later lists begin with them. */
export type LearntForms = Map<string, PageForm>;

// A page after the first must not be skipped: page 1 is the second of those that count from 0.
const allForms: readonly PageForm[] = ['page-from-0', 'page-from-1', 'offset'];

/**
 * Gives each record of a list once, in the order of the service, page by page as it is read.
 *
 * The interface shows no paging (section 8), so the answers tell: a link to the next page is
 * followed; where an answer says that it is the last, or holds all that it counts, the list ends;
 * else `page` and `offset` are tried in turn. A page without a record that is new ends the list: so
 * do services that ignore what they are asked for. Throws `answer-unexpected` where the service
 * says that there is more and gives nothing more, and where a link leads to another origin.
 */
export async function* pageThrough(list: {
  /** The call, as messages name it. */
  readonly name: string;
  /** The address of the first page, with a query. */
  readonly first: string;
  readonly ask: (url: string) => Promise<FilePage>;
  /** Which call it is, to those that share `learnt`. */
  readonly call: string;
  readonly learnt: LearntForms;
}): AsyncGenerator<FileRecord, void, undefined> {
  const { name, first, ask, call, learnt } = list;
  const seen = new Set<number>();
  const visited = new Set([first]);

  function fresh({ records }: FilePage): FileRecord[] {
    return records.filter(({ id }) => !seen.has(id) && seen.add(id));
  }
  const isComplete = ({ more, total }: FilePage) =>
    more === false || (more === undefined && total !== undefined && seen.size >= total);

  let page = await ask(first);
  yield* fresh(page);
  for (let url = first; page.next !== undefined; ) {
    url = followLink(name, page.next, url);
    if (visited.has(url)) return;
    visited.add(url);
    page = await ask(url);
    const records = fresh(page);
    if (records.length === 0 && page.records.length > 0) return;
    yield* records;
  }
  if (visited.size > 1 || isComplete(page) || page.records.length === 0) return;

  const known = learnt.get(call);
  for (const form of known === undefined ? allForms : [known]) {
    let worked = false;
    for (let number = 0; ; number += 1) {
      const further = await askFurther(numbered(form, first, { number, offset: seen.size }), {
        ask,
        certain: worked,
      });
      if (further === undefined) break;
      if (further.records.length === 0) return;
      const records = fresh(further);
      if (records.length === 0) break;
      worked = true;
      learnt.set(call, form);
      yield* records;
      if (isComplete(further)) return;
    }
    if (worked) return;
  }
  if (page.more === true || (page.total ?? 0) > seen.size) {
    const problem = `it says that there are more than its ${seen.size} records, and gives them neither by a link nor by page or offset`;
    throw serviceError('answer-unexpected', { call: name, problem }, { effect: 'none' });
  }
}

/** A further page; undefined where the service has none, or refuses to be asked in this form. */
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

function numbered(
  form: PageForm,
  first: string,
  { number, offset }: { number: number; offset: number },
): string {
  switch (form) {
    case 'page-from-0':
      return `${first}&page=${number + 1}`;
    case 'page-from-1':
      return `${first}&page=${number + 2}`;
    case 'offset':
      return `${first}&offset=${offset}`;
  }
}
