import { html } from 'hono/html';
import { type Asset, matchWords, textsOf, wordsOf } from '../library/asset.ts';
import {
  countText,
  folderTrail,
  type Html,
  type LibraryQuery,
  libraryAddress,
  pageLayout,
} from './page-layout.ts';
import type { PreviewFacts } from './previews.ts';

export function libraryPage({
  query,
  selection,
  facts,
  assets,
}: {
  query: LibraryQuery;
  selection: Selection;
  /** Of each shown asset. Deleted ones have none. */
  facts: ReadonlyMap<number, PreviewFacts | undefined>;
  /** The whole library, for its folders. */
  assets: readonly ListedAsset[];
}): Html {
  const title = query.folder.split('/').at(-1) || 'Library';
  return pageLayout({
    title: query.text === '' ? title : `${query.text} in ${title}`,
    main: html`<h1><bdi>${title}</bdi></h1>
<form class="search" role="search" action="/">
<label>Search
<input name="q" type="search" value="${query.text}" placeholder="Name, ID or folder" maxlength="200"></label>
${query.folder === '' ? '' : html`<input type="hidden" name="folder" value="${query.folder}">`}
<button>Search</button>
</form>
<div data-live>
${folderNavigation(assets, query)}
<p class="quiet" data-count>${summary(query, selection)}</p>
${selection.total === 0 ? emptyState(query) : html`<ul class="grid">${selection.shown.map((listed) => card(listed, facts.get(listed.asset.id)))}</ul>`}
${selection.total > mostShown ? html`<p class="quiet">And ${(selection.total - mostShown).toLocaleString('en')} more. Search, or open a folder.</p>` : ''}
</div>`,
  });
}

function folderNavigation(assets: readonly ListedAsset[], query: LibraryQuery): Html | '' {
  const folders = foldersIn(assets, query.folder);
  if (query.folder === '' && folders.length === 0) return '';
  return html`<nav aria-label="Folders">
${query.folder === '' ? '' : folderTrail(query.folder)}
<ul class="chips">${folders.map(
    ({ path, files }) =>
      html`<li><a href="${libraryAddress({ text: query.text, folder: path })}"><bdi>${path.split('/').at(-1)}</bdi> <span class="quiet">${countText(files, 'file')}</span></a></li>`,
  )}</ul>
</nav>`;
}

function summary({ text }: LibraryQuery, { total }: Selection): Html {
  return html`${countText(total, 'file')}${text === '' ? '' : html` for “<bdi>${text}</bdi>”`}`;
}

function emptyState({ text, folder }: LibraryQuery): Html {
  if (text === '') return html`<p>No files yet. Add some to the media folder.</p>`;
  return html`<p>No file matches “<bdi>${text}</bdi>”.</p>
<p><a href="${libraryAddress({ folder })}">Show all files</a></p>`;
}

function card({ asset, pages }: ListedAsset, facts: PreviewFacts | undefined): Html {
  const pixels = facts?.pixels;
  const image =
    pixels &&
    html`<img src="/preview/${asset.id}/600.webp" alt="" width="${pixels.width}" height="${pixels.height}" loading="lazy">`;
  return html`<li class="card" data-key="${asset.id}">
<a href="/asset/${asset.id}"><span class="frame">${image ?? facts?.type ?? 'Deleted'}</span><bdi class="name">${asset.title}</bdi></a>
<p class="quiet">${asset.id}${pixels === undefined ? '' : ` · ${pixels.width} × ${pixels.height}`}</p>
<p class="${pages > 0 ? 'used' : 'quiet'}">${pages === 0 ? 'Not in use' : `On ${countText(pages, 'page')}`}</p>
</li>`;
}

export interface ListedAsset {
  readonly asset: Asset;
  readonly pages: number;
}

export interface Selection {
  /** The first ones, by name. */
  readonly shown: readonly ListedAsset[];
  /** Number of matches. */
  readonly total: number;
}

/** Each asset that's shown is read once, for its size. */
const mostShown = 120;

/** Maximum length of the search text. The rest is ignored. */
const maxTextLength = 200;

export function parseLibraryQuery(search: URLSearchParams): LibraryQuery {
  return {
    text: (search.get('q') ?? '').trim().slice(0, maxTextLength),
    folder: search.get('folder') ?? '',
  };
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
  return { shown: found.slice(0, mostShown), total: found.length };
}

/** `files`: their number in a folder and its subfolders. */
function foldersIn(
  assets: readonly ListedAsset[],
  parent: string,
): { path: string; files: number }[] {
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
