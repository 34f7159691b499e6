import { serviceError } from '../service-error.ts';
import { countIn, type Fields, isFields, plainName } from './find-list.ts';

export interface Paging {
  /** URL of the next page as received, absolute or relative. */
  readonly next: string | undefined;
  /** Whether more records exist; `undefined` if the answer doesn't say. */
  readonly more: boolean | undefined;
  /** Number of records on all pages. */
  readonly total: number | undefined;
}

const groupNames = new Set(['paging', 'pagination', 'pageinfo', 'meta', 'metadata', 'links']);
const nextNames = new Set([
  'next',
  'nextlink',
  'nexturl',
  'nexthref',
  'nextpage',
  'nextpageurl',
  'nextpagelink',
  'odatanextlink',
]);
const moreNames = new Set(['more', 'hasmore', 'hasnext', 'hasnextpage', 'moreavailable']);
const totalNames = new Set([
  'total',
  'totalcount',
  'totalelements',
  'totalhits',
  'totalitems',
  'totalrecords',
  'totalresults',
]);

/**
 * Reads paging fields from the objects around a list, from groups in them (`paging`, `links`, …),
 * and from the `Link` header. The interface defines none of these (section 8).
 */
export function readPaging(wrappers: readonly Fields[], linkHeader: string | null): Paging {
  const fields = wrappers
    .flatMap((wrapper) => [wrapper, ...groupsIn(wrapper)])
    .flatMap((group) => Object.entries(group))
    .map(([name, value]) => [plainName(name), value] as const);
  const valuesOf = (names: ReadonlySet<string>) =>
    fields.filter(([name]) => names.has(name)).map(([, value]) => value);
  const firstOf = <T>(names: ReadonlySet<string>, read: (value: unknown) => T | undefined) =>
    valuesOf(names)
      .map(read)
      .find((value) => value !== undefined);

  const next = firstOf(nextNames, linkIn) ?? nextIn(linkHeader);
  const stated = firstOf(moreNames, truthIn) ?? moreAfter(valuesOf(nextNames));
  return { next, total: firstOf(totalNames, countIn), more: next === undefined ? stated : true };
}

function groupsIn(wrapper: Fields): Fields[] {
  return Object.entries(wrapper).flatMap(([name, value]) =>
    groupNames.has(plainName(name)) && isFields(value) ? [value] : [],
  );
}

/** An empty `next` means no more records. A `next` that isn't a link means more. */
function moreAfter(nexts: readonly unknown[]): boolean | undefined {
  return nexts.length === 0 ? undefined : nexts.some(Boolean);
}

function linkIn(value: unknown): string | undefined {
  const link = isFields(value) ? (value.href ?? value.url) : value;
  return typeof link === 'string' && /[/?]/.test(link) ? link : undefined;
}

/** RFC 8288: `<https://…?page=2>; rel="next"`. */
function nextIn(header: string | null): string | undefined {
  return /<([^>]*)>[^,<]*;\s*rel\s*=\s*"?(?:[^",;]*\s)?next\b/i.exec(header ?? '')?.[1];
}

function truthIn(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return value === 'true' ? true : value === 'false' ? false : undefined;
}

/**
 * Resolves the link to a next page. It must stay on the same origin, because the request carries
 * the token. Throws `answer-unexpected`.
 */
export function followLink(name: string, link: string, from: string): string {
  const url = URL.parse(link, from);
  if (url?.origin !== new URL(from).origin || url.username !== '' || url.password !== '') {
    const target =
      url === null ? 'an invalid URL' : `${url.protocol}//${url.host}, or contains credentials`;
    const problem = `its link to the next page leads to ${target}`;
    throw serviceError('answer-unexpected', { call: name, problem }, { effect: 'none' });
  }
  url.hash = '';
  return url.href;
}
