import { type Asset, textsOf } from './asset.ts';
import { matchWords, wordsOf } from './match-words.ts';

export const uses = ['all', 'used', 'unused'] as const;
export const sorts = ['name', 'newest', 'most-used'] as const;

/** Which part of the library a page shows; its URL has what differs from the default. */
export interface LibraryQuery {
  /** Text to find, '' for all. */
  readonly text: string;
  /** Path of a folder, which stands for those below it too; '' for all. */
  readonly folder: string;
  readonly use: (typeof uses)[number];
  readonly sort: (typeof sorts)[number];
  /** From 1. */
  readonly page: number;
}

/** An asset, and how many pages use it. */
export interface ListedAsset {
  readonly asset: Asset;
  readonly pages: number;
}

export interface Selection {
  readonly shown: readonly ListedAsset[];
  /** How many match, on all pages. */
  readonly total: number;
  /** The page shown: a number beyond the last one means the last one. */
  readonly page: number;
  /** How many pages there are, at least 1. */
  readonly pageCount: number;
}

/** How many assets a page shows: whole rows of 2, 3, 4, 5 or 6. */
export const pageLength = 60;

/** Longest search text that is heeded, in characters. */
const maxTextLength = 200;

/** The query of a URL; what can't be read has its default. */
export function parseLibraryQuery(search: URLSearchParams): LibraryQuery {
  const page = search.get('page') ?? '';
  return {
    text: (search.get('q') ?? '').trim().slice(0, maxTextLength),
    folder: search.get('folder') ?? '',
    use: uses.find((use) => use === search.get('use')) ?? 'all',
    sort: sorts.find((sort) => sort === search.get('sort')) ?? 'name',
    page: /^[1-9]\d{0,6}$/.test(page) ? Number(page) : 1,
  };
}

/** The address of the library with a query. */
export function libraryAddress({ text, folder, use, sort, page }: LibraryQuery): string {
  const search = new URLSearchParams({
    ...(text !== '' && { q: text }),
    ...(folder !== '' && { folder }),
    ...(use !== 'all' && { use }),
    ...(sort !== 'name' && { sort }),
    ...(page > 1 && { page: String(page) }),
  });
  return search.size === 0 ? '/' : `/?${search}`;
}

/** The assets that a query asks for, in its order, cut to its page. */
export function selectAssets(assets: readonly ListedAsset[], query: LibraryQuery): Selection {
  const words = wordsOf(query.text);
  const found = assets.filter(
    ({ asset, pages }) =>
      isInFolder(asset, query.folder) &&
      (query.use === 'all' || pages > 0 === (query.use === 'used')) &&
      (words.length === 0 || matchWords(words, [...textsOf(asset), asset.folder, `${asset.id}`])),
  );
  const sorted = found.toSorted(orders[query.sort]);
  const pageCount = Math.max(1, Math.ceil(found.length / pageLength));
  const page = Math.min(query.page, pageCount);
  const shown = sorted.slice((page - 1) * pageLength, page * pageLength);
  return { shown, total: found.length, page, pageCount };
}

export function isInFolder({ folder }: Pick<Asset, 'folder'>, wanted: string): boolean {
  return wanted === '' || folder === wanted || folder.startsWith(`${wanted}/`);
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const byName = (a: ListedAsset, b: ListedAsset): number =>
  collator.compare(a.asset.title, b.asset.title) || a.asset.id - b.asset.id;

const orders: Record<LibraryQuery['sort'], (a: ListedAsset, b: ListedAsset) => number> = {
  name: byName,
  newest: (a, b) => b.asset.id - a.asset.id,
  'most-used': (a, b) => b.pages - a.pages || byName(a, b),
};
