import { html } from 'hono/html';
import {
  isInFolder,
  type LibraryQuery,
  type ListedAsset,
  libraryAddress,
} from './library-query.ts';
import { count, type Html } from './page-layout.ts';

/** More folders than this stand behind a click. */
const shownAtOnce = 24;

/** The way up from the folder that is shown, and the folders in it. */
export function folderNavigation({
  assets,
  query,
}: {
  assets: readonly ListedAsset[];
  query: LibraryQuery;
}): Html | '' {
  const { folder } = query;
  const children = foldersIn(assets, folder);
  if (folder === '' && children.length === 0) return '';
  return html`<nav class="folders" aria-label="Folders">
${trail(query)}
${children.length === 0 ? '' : children.length > shownAtOnce ? html`<details><summary>${count(children.length, 'folder')}</summary>${list(children, query)}</details>` : list(children, query)}
</nav>`;
}

interface Folder {
  readonly path: string;
  /** Files in it and below it. */
  readonly files: number;
}

/** The folders right below one, by name. */
function foldersIn(assets: readonly ListedAsset[], parent: string): Folder[] {
  const start = parent === '' ? 0 : parent.length + 1;
  const files = new Map<string, number>();
  for (const { asset } of assets) {
    if (!isInFolder(asset, parent) || asset.folder === parent) continue;
    const end = asset.folder.indexOf('/', start);
    const path = end < 0 ? asset.folder : asset.folder.slice(0, end);
    files.set(path, (files.get(path) ?? 0) + 1);
  }
  const collator = new Intl.Collator('en', { numeric: true });
  return [...files]
    .map(([path, number]) => ({ path, files: number }))
    .sort((a, b) => collator.compare(a.path, b.path));
}

function trail(query: LibraryQuery): Html | '' {
  if (query.folder === '') return '';
  const steps = query.folder.split('/');
  const above = steps
    .slice(0, -1)
    .map((name, index) => ({ name, path: steps.slice(0, index + 1).join('/') }));
  return html`<ol class="trail">${[{ name: 'Library', path: '' }, ...above].map(
    ({ name, path }) => html`<li>${folderLink({ name, path, query })}</li>`,
  )}<li aria-current="page"><bdi>${steps.at(-1)}</bdi></li></ol>`;
}

function list(folders: readonly Folder[], query: LibraryQuery): Html {
  return html`<ul class="chips">${folders.map(
    ({ path, files }) =>
      html`<li>${folderLink({ name: path.split('/').at(-1) ?? '', path, query, note: count(files, 'file') })}</li>`,
  )}</ul>`;
}

function folderLink({
  name,
  path,
  query,
  note,
}: {
  name: string;
  path: string;
  query: LibraryQuery;
  note?: string;
}): Html {
  const address = libraryAddress({ ...query, folder: path, page: 1 });
  return html`<a href="${address}"><bdi>${name}</bdi>${note === undefined ? '' : html` <span class="quiet">${note}</span>`}</a>`;
}
