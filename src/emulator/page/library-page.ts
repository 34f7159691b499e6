import { html } from 'hono/html';
import { type Asset, matchesSearch, textsOf } from '../library/asset.ts';
import { countText, type Html, pageLayout, usedOn } from './page-layout.ts';
import type { PreviewFacts } from './previews.ts';

/**
 * @param text of the search, '' for all
 * @param facts of each shown asset. Deleted ones have none
 */
export function libraryPage(
  text: string,
  { shown, total }: ReturnType<typeof selectAssets>,
  facts: ReadonlyMap<number, PreviewFacts | undefined>,
): Html {
  return pageLayout({
    title: text === '' ? 'Library' : `${text} in Library`,
    main: html`<h1>Library</h1>
<form class="search" role="search" action="/">
<label>Search
<input name="q" type="search" value="${text}" placeholder="Name, ID or folder" maxlength="${maxTextLength}"></label>
<button>Search</button>
</form>
<div data-live>
<p class="quiet" data-count>${countText(total, 'file')}${text === '' ? '' : html` for “<bdi>${text}</bdi>”`}</p>
${total === 0 ? emptyState(text) : html`<ul class="grid">${shown.map((listed) => card(listed, facts.get(listed.asset.id)))}</ul>`}
${total > mostShown ? html`<p class="quiet">And ${(total - mostShown).toLocaleString('en')} more. Search for them.</p>` : ''}
</div>`,
  });
}

function emptyState(text: string): Html {
  if (text === '') return html`<p>No files yet. Add some to the media folder.</p>`;
  return html`<p>No file matches “<bdi>${text}</bdi>”.</p>
<p><a href="/">Show all files</a></p>`;
}

function card({ asset, pages }: ListedAsset, facts: PreviewFacts | undefined): Html {
  const pixels = facts?.pixels;
  const image =
    pixels &&
    html`<img src="/preview/${asset.id}/600.webp" alt="" width="${pixels.width}" height="${pixels.height}" loading="lazy">`;
  return html`<li class="card" data-key="${asset.id}">
<a href="/asset/${asset.id}"><span class="frame">${image ?? facts?.type ?? 'Deleted'}</span><bdi class="name">${asset.title}</bdi></a>
<p class="quiet">${asset.id}${pixels === undefined ? '' : ` · ${pixels.width} × ${pixels.height}`}</p>
<p class="${pages === undefined ? 'quiet' : 'used'}">${pages === undefined ? 'Not in use' : usedOn(pages)}</p>
</li>`;
}

export interface ListedAsset {
  readonly asset: Asset;
  /** `undefined` if it isn't in use. 0 if only projects use it. */
  readonly pages: number | undefined;
}

/** Each asset that's shown is read once, for its size. */
const mostShown = 120;

/** Maximum length of the search text. The rest is ignored. */
const maxTextLength = 200;

export function parseSearch(search: URLSearchParams): string {
  return (search.get('q') ?? '').trim().slice(0, maxTextLength);
}

/**
 * Finds the assets whose name, metadata, folder or ID contain each word of the text. Returns their
 * number, and the first ones by name.
 */
export function selectAssets(assets: readonly ListedAsset[], text: string) {
  const found = assets
    .filter(({ asset }) => matchesSearch(text, [...textsOf(asset), asset.folder, `${asset.id}`]))
    .sort(({ asset: a }, { asset: b }) => collator.compare(a.title, b.title) || a.id - b.id);
  return { shown: found.slice(0, mostShown), total: found.length };
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
