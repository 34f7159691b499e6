import { html } from 'hono/html';
import type { FileFacts } from './file-facts.ts';
import { fileIcon } from './file-icon.ts';
import { folderNavigation } from './folder-navigation.ts';
import {
  type LibraryQuery,
  type ListedAsset,
  libraryAddress,
  type Selection,
  sorts,
  uses,
} from './library-query.ts';
import { count, type Html, pageLayout } from './page-layout.ts';

const useNames: Record<LibraryQuery['use'], string> = {
  all: 'All files',
  used: 'In use',
  unused: 'Not in use',
};

const sortNames: Record<LibraryQuery['sort'], string> = {
  name: 'Name',
  newest: 'Newest',
  'most-used': 'Most used',
};

/** The library as an editor sees it: files of a folder or a search, each with its use. */
export function libraryPage({
  query,
  selection,
  facts,
  assets,
}: {
  query: LibraryQuery;
  selection: Selection;
  /** Of each asset that is shown; a deleted one has none. */
  facts: ReadonlyMap<number, FileFacts>;
  /** The whole library, for its folders. */
  assets: readonly ListedAsset[];
}): Html {
  const title = query.folder.split('/').at(-1) || 'Library';
  return pageLayout({
    title: query.text === '' ? title : `${query.text} in ${title}`,
    main: html`<h1><bdi>${title}</bdi></h1>
${searchForm(query)}
<div data-live>
${folderNavigation({ assets, query })}
<p class="quiet" data-count>${summary(query, selection)}</p>
${selection.total === 0 ? emptyState(query) : html`<ul class="grid">${selection.shown.map((listed) => card(listed, facts.get(listed.asset.id)))}</ul>`}
${pagination(query, selection)}
</div>`,
  });
}

function searchForm(query: LibraryQuery): Html {
  return html`<form class="search" role="search" action="/" data-filter>
<div class="field wide"><label for="q">Search</label>
<input id="q" name="q" type="search" value="${query.text}" placeholder="Name, id or folder" autocomplete="off" maxlength="200"></div>
${query.folder === '' ? '' : html`<input type="hidden" name="folder" value="${query.folder}">`}
${choice({ name: 'use', label: 'Show', values: uses, names: useNames, chosen: query.use })}
${choice({ name: 'sort', label: 'Sort by', values: sorts, names: sortNames, chosen: query.sort })}
<button>Search</button>
</form>`;
}

function choice<Value extends string>({
  name,
  label,
  values,
  names,
  chosen,
}: {
  name: string;
  label: string;
  values: readonly Value[];
  names: Record<Value, string>;
  chosen: Value;
}): Html {
  return html`<div class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}">${values.map(
    (value) =>
      html`<option value="${value}"${value === chosen ? html` selected` : ''}>${names[value]}</option>`,
  )}</select></div>`;
}

function summary({ text }: LibraryQuery, { total, page, pageCount }: Selection): Html {
  return html`${count(total, 'file')}${text === '' ? '' : html` for “<bdi>${text}</bdi>”`}${pageCount === 1 ? '' : `, page ${page} of ${pageCount}`}`;
}

function emptyState(query: LibraryQuery): Html {
  if (query.text === '' && query.use === 'all')
    return html`<p class="empty">There are no files here yet. Put some into the media folder.</p>`;
  const all = libraryAddress({ ...query, text: '', use: 'all', page: 1 });
  const text = query.text === '' ? '' : html` “<bdi>${query.text}</bdi>”`;
  return html`<div class="empty"><p>No file matches${text}.</p><p><a href="${all}">Show all files</a></p></div>`;
}

function card({ asset, pages }: ListedAsset, facts: FileFacts | undefined): Html {
  const size = facts?.pixels;
  return html`<li class="card" data-key="${asset.id}">
<a href="/asset/${asset.id}">
<span class="frame">${
    size === undefined
      ? fileIcon({ kind: facts?.kind ?? 'file', format: facts?.format ?? '' })
      : html`<img src="/preview/${asset.id}/600.webp" alt="" width="${size.width}" height="${size.height}" loading="lazy" decoding="async">`
  }</span>
<bdi class="name">${asset.title}</bdi>
</a>
<p class="quiet"><span class="id">${asset.id}</span>${describe(facts)}</p>
<p class="use${pages > 0 ? ' used' : ''}">${pages === 0 ? 'Not in use' : `On ${count(pages, 'page')}`}</p>
</li>`;
}

function describe(facts: FileFacts | undefined): string {
  if (facts === undefined) return ' · deleted';
  const { pixels, format } = facts;
  const size = pixels === undefined ? '' : ` · ${pixels.width} × ${pixels.height}`;
  return format === '' ? size : ` · ${format}${size}`;
}

function pagination(query: LibraryQuery, { page, pageCount }: Selection): Html | '' {
  if (pageCount === 1) return '';
  const link = (to: number, text: string, rel: string): Html =>
    to < 1 || to > pageCount
      ? html`<span class="quiet">${text}</span>`
      : html`<a href="${libraryAddress({ ...query, page: to })}" rel="${rel}">${text}</a>`;
  return html`<nav class="pages" aria-label="Pages">${link(page - 1, 'Previous', 'prev')}
<span>Page ${page} of ${pageCount}</span>
${link(page + 1, 'Next', 'next')}</nav>`;
}
