import { serviceError } from '../service-error.ts';
import { countIn, type Fields, isFields, plainName } from './find-list.ts';

/** What an answer says about the rest of its list. All are `undefined` if it says nothing. */
export interface Paging {
  /** URL of the next page as received, absolute or relative. */
  readonly next: string | undefined;
  /** Whether more records exist. */
  readonly more: boolean | undefined;
  /** Number of records on all pages. */
  readonly total: number | undefined;
  /** Number of pages. */
  readonly pages: number | undefined;
}

/** How services say that a list goes on, by the plain names of fields and headers without `X-`. */
const signals = {
  link: `next nextlink nexturl nexthref nextpage nextpageurl nextpagelink odatanextlink`,
  /** Opaque: no call of the interface takes one. */
  cursor: `nextcursor nextpagetoken nexttoken nextmarker nextoffset nextkey continuationtoken
    continuation`,
  more: `more hasmore hasnext hasnextpage moreavailable moreresults truncated istruncated incomplete
    isincomplete incompleteresults`,
  last: `last islast islastpage`,
  total: `total totalcount totalelements totalhits totalitems totalrecords totalresults totalnumber
    numfound nbhits`,
  pages: `totalpages lastpage numberofpages nbpages`,
};
/** Objects next to a list that can hold these fields. */
const groups = namesIn('paging pagination pageinfo page meta metadata links');

function namesIn(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/**
 * Reads paging fields from the objects around a list, from groups in them (`paging`, `links`, …), and
 * from headers. The interface defines none of these (section 8).
 */
export function readPaging(wrappers: readonly Fields[], headers: Headers | undefined): Paging {
  const fields = [
    ...wrappers
      .flatMap((wrapper) => [wrapper, ...groupsIn(wrapper)])
      .flatMap((group) => Object.entries(group))
      .map(([name, value]) => [plainName(name), value] as const),
    ...Array.from(headers ?? [], ([name, value]) => [plainName(name.replace(/^x-/, '')), value]),
  ] as const;
  const given = (signal: keyof typeof signals) => {
    const names = namesIn(signals[signal]);
    return fields.filter(([name = '']) => names.has(String(name))).map(([, value]) => value);
  };
  const largest = (counts: readonly (number | undefined)[]) =>
    counts.reduce((one, other) => Math.max(one ?? 0, other ?? 0) || (one ?? other), undefined);

  const links = given('link');
  const next = links.map(linkIn).find((link) => link !== undefined);
  // A flag is the plainest word. Some services send a cursor with the last page too.
  const flags = [
    ...given('more').map(truthIn),
    ...given('last').map((value) => negated(truthIn(value))),
  ].filter((one) => one !== undefined);
  // An empty link means no more records, and a cursor instead of a link means more.
  const cursors = [...given('cursor'), ...links.filter((link) => linkIn(link) === undefined)];
  const stated = flags.length > 0 ? flags : cursors.map(Boolean);
  return {
    next: next ?? nextIn(headers?.get('link')),
    more: stated.length > 0 ? stated.includes(true) : undefined,
    total: largest([...given('total').map(countIn), totalIn(headers?.get('content-range'))]),
    pages: largest(given('pages').map(countIn)),
  };
}

/** Whether an answer without a link says that there's more than was received. */
export function announcesMore(
  { more, total = 0, pages = 0 }: Omit<Paging, 'next'>,
  received: { readonly records: number; readonly pages: number },
): boolean {
  return more === true || total > received.records || pages > received.pages;
}

function groupsIn(wrapper: Fields): Fields[] {
  return Object.entries(wrapper).flatMap(([name, value]) =>
    groups.has(plainName(name)) && isFields(value) ? [value] : [],
  );
}

function linkIn(value: unknown): string | undefined {
  const link = isFields(value) ? (value.href ?? value.url) : value;
  return typeof link === 'string' && /[/?]/.test(link) ? link : undefined;
}

/** RFC 8288: `<https://…?page=2>; rel="next"`. */
function nextIn(header: string | null | undefined): string | undefined {
  return /<([^>]*)>[^,<]*;\s*rel\s*=\s*"?(?:[^",;]*\s)?next\b/i.exec(header ?? '')?.[1];
}

/** RFC 9110, with a unit of the service: `files 0-24/319`. */
function totalIn(header: string | null | undefined): number | undefined {
  return countIn(/^(?!bytes)\S+ \S+\/(\d+)$/i.exec(header ?? '')?.[1]);
}

function truthIn(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return value === 'true' ? true : value === 'false' ? false : undefined;
}

function negated(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value;
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
