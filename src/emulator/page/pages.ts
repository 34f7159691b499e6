import { html } from 'hono/html';
import { type Asset, matchesSearch, textsOf } from '../library/asset.ts';
import type { StoredUsage } from '../library/usage-records.ts';
import { countText, type Html, pageLayout } from './page-layout.ts';
import type { PreviewFacts } from './previews.ts';

/** @param text of the search, '' for all */
export function libraryPage(text: string, shown: readonly ShownCard[], total: number): Html {
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
${total === 0 ? emptyState(text) : html`<ul class="grid">${shown.map(card)}</ul>`}
${total > shown.length ? html`<p class="quiet">And ${(total - shown.length).toLocaleString('en')} more. Search for them.</p>` : ''}
</div>`,
  });
}

function emptyState(text: string): Html {
  if (text === '') return html`<p>No files yet. Add some to the media folder.</p>`;
  return html`<p>No file matches “<bdi>${text}</bdi>”.</p>
<p><a href="/">Show all files</a></p>`;
}

function card({ asset, pages, facts }: ShownCard): Html {
  const pixels = facts?.pixels;
  const image =
    pixels &&
    html`<img src="/preview/${asset.id}/600.webp" alt="" width="${pixels.width}" height="${pixels.height}" loading="lazy">`;
  return html`<li class="card" data-key="${asset.id}">
<a href="/asset/${asset.id}"><span class="frame">${image ?? facts?.type ?? 'Deleted'}</span><bdi class="name">${asset.title}</bdi></a>
<p class="quiet">${asset.id}${pixels === undefined ? '' : ` · ${pixels.width} × ${pixels.height}`}</p>
<p class="${pages === undefined ? 'quiet' : 'used'}">${pages === undefined ? 'Not in use' : pages ? `On ${countText(pages, 'page')}` : 'In projects only'}</p>
</li>`;
}

export interface Card {
  readonly asset: Asset;
  /** `undefined` if it isn't in use. 0 if only projects use it. */
  readonly pages: number | undefined;
}

interface ShownCard extends Card {
  /** `undefined` if the file is deleted. */
  readonly facts: PreviewFacts | undefined;
}

/** Each asset that's shown is read once, for its size. */
const mostShown = 120;

/** Maximum length of the search text. The rest is ignored. */
export const maxTextLength = 200;

/**
 * Finds the assets whose name, metadata, folder or ID contain each word of the text. Returns their
 * number, and the first ones by name.
 */
export function selectAssets(assets: readonly Card[], text: string) {
  const found = assets
    .filter(({ asset }) => matchesSearch(text, [...textsOf(asset), asset.folder, `${asset.id}`]))
    .sort(({ asset: a }, { asset: b }) => collator.compare(a.title, b.title) || a.id - b.id);
  return { found: found.slice(0, mostShown), total: found.length };
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** A logo may be on every page of a large site. Further usages are only counted. */
const maxShownUsages = 1000;

/** @param facts `undefined` if the file is deleted */
export function assetPage(
  asset: Asset,
  facts: PreviewFacts | undefined,
  usages: readonly StoredUsage[],
): Html {
  return pageLayout({
    title: `${asset.title} (${asset.id})`,
    main: html`<h1><bdi>${asset.title}</bdi></h1>
<div class="asset"><div>
<div class="preview">${preview(asset, facts)}</div>
<section aria-labelledby="facts">
<h2 id="facts">About this file</h2>
${factList(asset, facts)}
${facts === undefined ? '' : html`<p><a class="button" href="/asset/${asset.id}/original" download>Download original</a></p>`}
</section>
</div>
<section aria-labelledby="usages">
<h2 id="usages">Where it’s used</h2>
<div data-live>${usageList(usages)}</div>
</section>
</div>`,
  });
}

function preview(asset: Asset, facts: PreviewFacts | undefined): Html | string {
  if (facts === undefined) return 'The file has been deleted.';
  if (facts.pixels === undefined) return facts.type;
  const { width, height } = facts.pixels;
  return html`<img src="/preview/${asset.id}/1600.webp" alt="${asset.title}" width="${width}" height="${height}">`;
}

function factList(asset: Asset, facts: PreviewFacts | undefined): Html {
  const rows: [name: string, value: string | number | Html][] = [
    ['ID', asset.id],
    ['File name', asset.name],
    ['Folder', asset.folder || 'Library'],
  ];
  if (facts !== undefined) {
    const { type, pixels, size, modified } = facts;
    rows.push(['Type', type]);
    if (pixels !== undefined) rows.push(['Pixels', `${pixels.width} × ${pixels.height}`]);
    // The page's script writes it in the reader's own form.
    const time = html`<time datetime="${modified.toISOString()}">${modified.toUTCString()}</time>`;
    rows.push(['Size', countText(size, 'byte')], ['Changed', time]);
  }
  for (const [name, value] of Object.entries(asset.metadata))
    rows.push([name, [value].flat().join(', ')]);
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`)}</dl>`;
}

function usageList(usages: readonly StoredUsage[]): Html {
  if (usages.length === 0)
    return html`<p>Not in use. Pages that show this file appear here when a site reports them.</p>`;
  const sorted = usages.toSorted((a, b) => (a.page < b.page ? -1 : 1));
  const pages = new Set(usages.flatMap(({ page }) => page || [])).size;
  const more = usages.length - maxShownUsages;
  return html`<p class="quiet" data-count>${pages ? `On ${countText(pages, 'page')}` : 'In projects only'}</p>
<ul class="usages">${sorted.slice(0, maxShownUsages).map(usageItem)}</ul>
${more > 0 ? html`<p class="quiet">And ${more.toLocaleString('en')} more.</p>` : ''}`;
}

/** The link is safe: usage requests only accept http and https URLs. */
function usageItem(usage: StoredUsage): Html {
  const { page, pageName, project, contact, date, description, type, amount } = usage;
  return html`<li>
${page ? html`<a href="${page}"><bdi>${pageName || page}</bdi></a>` : html`<bdi>${project}</bdi>`}
<p class="quiet"><bdi>${page || `${type} · ${amount}`}</bdi></p>
<p class="quiet"><bdi>${project}</bdi> · contact <bdi>${contact}</bdi> · since <time datetime="${date}">${date}</time></p>
${description === '' ? '' : html`<p class="quiet"><bdi>${description}</bdi></p>`}
</li>`;
}
