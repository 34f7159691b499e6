export type File = { readonly id: number; readonly filename: string };
export const filesFrom = (first: number, count: number): File[] =>
  Array.from({ length: count }, (_, index) => ({
    id: first + index,
    filename: `${first + index}.png`,
  }));

/** An answer of a paging service. `base` is the service's URL. */
type Answer = { readonly json: unknown; readonly link?: string };
export type Serving = (request: URL, files: readonly File[], size: number) => Answer;

function cut(files: readonly File[], start: number, size: number): File[] {
  return files.slice(Math.max(0, start), Math.max(0, start) + size);
}
const number = (request: URL, name: string, fallback: number) =>
  Number(request.searchParams.get(name) ?? fallback);
export const pageFrom =
  (base: 0 | 1): Serving =>
  (request, files, size) => ({
    json: cut(files, (number(request, 'page', base) - base) * size, size),
  });
export const byOffset: Serving = (request, files, size) => ({
  json: cut(files, number(request, 'offset', 0), size),
});
const bySkip: Serving = (request, files, size) => ({
  json: cut(files, number(request, 'skip', 0), size),
});
const byLink =
  (answer: (files: File[], next: string | undefined) => Answer, absolute: boolean): Serving =>
  (request, files, size) => {
    const start = number(request, 'cursor', 0);
    const next = new URL(request);
    next.searchParams.set('cursor', String(start + size));
    const link = absolute ? next.href : `${next.pathname}${next.search}`;
    return answer(cut(files, start, size), start + size < files.length ? link : undefined);
  };
export const stating =
  (
    serving: Serving,
    state: (files: readonly File[], served: File[], request: URL) => object,
  ): Serving =>
  (request, files, size) => {
    const served = serving(request, files, size).json as File[];
    return { json: { ...state(files, served, request), items: served } };
  };

export const pagings: Record<string, Serving> = {
  'pages from 1': pageFrom(1),
  'pages from 0': pageFrom(0),
  'pages from 1, in an object with their number': stating(pageFrom(1), (_, __, request) => ({
    page: number(request, 'page', 1),
  })),
  'pages from 1, in an object with the total': stating(pageFrom(1), ({ length: total }) => ({
    total,
  })),
  'pages from 0, in an object that says whether there are more': stating(
    pageFrom(0),
    (files, served) => ({ meta: { hasMore: served.at(-1)?.id !== files.at(-1)?.id } }),
  ),
  'the last page again for any further one': (request, files, size) => {
    const last = Math.max(1, Math.ceil(files.length / size));
    return { json: cut(files, (Math.min(number(request, 'page', 1), last) - 1) * size, size) };
  },
  'an offset': byOffset,
  'an offset, in an object with the total': stating(byOffset, ({ length: totalCount }) => ({
    data: undefined,
    totalCount,
  })),
  'a relative link': byLink((files, next) => ({ json: { files, next: next ?? null } }), false),
  'an absolute link': byLink((files, next) => ({ json: { files, paging: { next } } }), true),
  'a link in an object': byLink(
    (files, next) => ({
      json: { _embedded: { files }, _links: { self: {}, ...(next && { next: { href: next } }) } },
    }),
    false,
  ),
  'a link in a list of links': byLink(
    (files, next) => ({
      json: { files, links: [{ rel: 'self' }, ...(next ? [{ rel: 'next', href: next }] : [])] },
    }),
    false,
  ),
  'a link in two groups': byLink(
    (files, next) => ({ json: { files, meta: { pagination: { links: { next } } } } }),
    false,
  ),
  'a cursor that is a link': byLink((files, next) => ({ json: { files, cursor: { next } } }), true),
  'skip, in an object that repeats it': stating(bySkip, (_, __, request) => ({
    skip: number(request, 'skip', 0),
    limit: 3,
  })),
  'skip, in an object with the next one': stating(bySkip, (files, served, request) => ({
    skip:
      served.length > 0 && served.at(-1)?.id !== files.at(-1)?.id
        ? number(request, 'skip', 0) + served.length
        : null,
  })),
  'skip, in an object with how many remain': stating(bySkip, (files, served, request) => ({
    skip: number(request, 'skip', 0),
    remaining: Math.max(0, files.length - number(request, 'skip', 0) - served.length),
  })),
  'pages from 1, in an object with the number of pages': (request, files, size) => ({
    json: {
      pages: Math.ceil(files.length / size),
      items: pageFrom(1)(request, files, size).json,
    },
  }),
  'a link in a header': byLink(
    (files, next) => ({
      json: files,
      ...(next && { link: `</1/first>; rel="first", <${next}>; rel="next"` }),
    }),
    true,
  ),
  'no pages': (_, files) => ({ json: files }),
  'no pages, and repeats all for any page': (_, files) => ({ json: { results: [...files] } }),
};

/** Ways to say that a list of four has more: in the answer or in a header. */
export const announcements: readonly (readonly [object, Record<string, string>])[] = [
  [{ total: 9 }, {}],
  [{ meta: { total_count: '9' } }, {}],
  [{ total: { value: 9, relation: 'eq' } }, {}],
  [{ next: 'cursor-8f3a' }, {}],
  [{ next_cursor: 'b2Zmc2V0/PTQ=' }, {}],
  [{ nextPageToken: 'CAQ' }, {}],
  [{ pagination: { continuationToken: '4' } }, {}],
  [{ has_more: 'true' }, {}],
  [{ truncated: true }, {}],
  [{ incomplete_results: true }, {}],
  [{ last: false }, {}],
  [{ totalPages: 3 }, {}],
  [{ page: { size: 4, totalElements: 9, totalPages: 3, number: 0 } }, {}],
  [{ current_page: 1, last_page: 3 }, {}],
  [{ next: null, total: 9 }, {}],
  [{ pages: 3 }, {}],
  [{ pageCount: '3' }, {}],
  [{ cursor: 'b2Zmc2V0' }, {}],
  [{ cursor: { next: 'b2Zmc2V0' } }, {}],
  [{ meta: { cursors: { next: 8 } } }, {}],
  [{ metadata: { continue: 'CAQ', remainingItemCount: 5 } }, {}],
  [{ skip: 4, limit: 4 }, {}],
  [{ offset: '4' }, {}],
  [{ remaining: 5 }, {}],
  [{ paging: { remaining: '5' } }, {}],
  [{ meta: { pagination: { total_pages: 3 } } }, {}],
  [{ links: [{ rel: 'next', href: 'cursor-8f3a' }] }, {}],
  [{ complete: false }, {}],
  [{ hasMoreItems: true }, {}],
  [{ remaining: 0, total: 9 }, {}],
  [{}, { 'X-Total-Count': '9' }],
  [{}, { 'X-Total-Pages': '3' }],
  [{}, { 'X-Next-Page': '2' }],
  [{}, { 'Content-Range': 'files 0-3/9' }],
  [{}, { 'Content-Range': '0-3/9' }],
];
