import { type Asset, textsOf } from '../library/asset.ts';
import { matchWords, wordsOf } from '../library/match-words.ts';

/** The part of the library to show. Its URL only holds values that differ from the default. */
export interface LibraryQuery {
  /** Search text, '' for all. */
  readonly text: string;
  /** Folder path, including its subfolders; '' for all. */
  readonly folder: string;
  /** From 1. */
  readonly page: number;
}

export interface ListedAsset {
  readonly asset: Asset;
  readonly pages: number;
}

export interface Selection {
  readonly shown: readonly ListedAsset[];
  /** Number of matches on all pages. */
  readonly total: number;
  /** The page shown: at most the last one. */
  readonly page: number;
  /** Number of pages, at least 1. */
  readonly pageCount: number;
}

/** Assets per page: full rows with 2, 3, 4, 5 or 6 columns. */
export const pageLength = 60;

/** Maximum length of the search text. The rest is ignored. */
const maxTextLength = 200;

/** Reads the query of a URL. Invalid values get their defaults. */
export function parseLibraryQuery(search: URLSearchParams): LibraryQuery {
  const page = search.get('page') ?? '';
  return {
    text: (search.get('q') ?? '').trim().slice(0, maxTextLength),
    folder: search.get('folder') ?? '',
    page: /^[1-9]\d{0,6}$/.test(page) ? Number(page) : 1,
  };
}

export function libraryAddress({
  text = '',
  folder = '',
  page = 1,
}: Partial<LibraryQuery>): string {
  const search = new URLSearchParams({
    ...(text !== '' && { q: text }),
    ...(folder !== '' && { folder }),
    ...(page > 1 && { page: String(page) }),
  });
  return search.size === 0 ? '/' : `/?${search}`;
}

export function selectAssets(assets: readonly ListedAsset[], query: LibraryQuery): Selection {
  const words = wordsOf(query.text);
  const found = assets
    .filter(
      ({ asset }) =>
        isInFolder(asset, query.folder) &&
        (words.length === 0 || matchWords(words, [...textsOf(asset), asset.folder, `${asset.id}`])),
    )
    .sort(byName);
  const pageCount = Math.max(1, Math.ceil(found.length / pageLength));
  const page = Math.min(query.page, pageCount);
  const shown = found.slice((page - 1) * pageLength, page * pageLength);
  return { shown, total: found.length, page, pageCount };
}

export interface SubFolder {
  readonly path: string;
  /** Number of files in it and its subfolders. */
  readonly files: number;
}

export function foldersIn(assets: readonly ListedAsset[], parent: string): SubFolder[] {
  const depth = parent === '' ? 0 : parent.split('/').length;
  const below = assets.filter(({ asset }) => isInFolder(asset, parent) && asset.folder !== parent);
  const pathOf = ({ asset }: ListedAsset) =>
    asset.folder
      .split('/')
      .slice(0, depth + 1)
      .join('/');
  return [...Map.groupBy(below, pathOf)]
    .map(([path, { length }]) => ({ path, files: length }))
    .sort((a, b) => collator.compare(a.path, b.path));
}

function isInFolder({ folder }: Pick<Asset, 'folder'>, wanted: string): boolean {
  return wanted === '' || folder === wanted || folder.startsWith(`${wanted}/`);
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

function byName(a: ListedAsset, b: ListedAsset): number {
  return collator.compare(a.asset.title, b.asset.title) || a.asset.id - b.asset.id;
}
