import { html, raw } from 'hono/html';
import { countOf } from '../../errors/wording.ts';
import { type Asset, matchesSearch, textsOf } from '../library/asset.ts';
import type { StoredUsage } from '../library/usage-records.ts';
import { type Html, pageLayout, sizeText } from './page-layout.ts';
import type { PreviewFacts } from './previews.ts';
import type { RightsInWords } from './rights.ts';

/** What a library page shows, as its URL says it. Empty values show all. */
export interface Selection {
  readonly q: string;
  /** A path. Its subfolders are shown too. */
  readonly folder: string;
  readonly show: string;
}

const filters: Readonly<Record<string, [label: string, shows: (listed: Card) => boolean]>> = {
  unused: ['Not in use', ({ pages }) => pages === undefined],
  forbidden: ['Forbidden', ({ rights }) => rights?.isForbidden === true],
};

export function libraryPage(
  { q, folder, show }: Selection,
  listed: { shown: readonly ShownCard[]; total: number; folders: readonly string[] },
): Html {
  const { shown, total, folders } = listed;
  const query = new URLSearchParams(Object.entries({ q, folder, show }).filter(([, text]) => text));
  const option = (value: string, label: string, chosen: string) =>
    html`<option value="${value}"${raw(value === chosen ? ' selected' : '')}>${label}</option>`;
  const [label] = filters[show] ?? [];
  const about = [
    folder && html` in <bdi>${folder}</bdi>`,
    q && html` for “<bdi>${q}</bdi>”`,
    label && `, ${label.toLowerCase()}`,
  ];
  return pageLayout({
    title: q === '' ? 'Library' : `${q} in Library`,
    main: html`<h1>Library</h1>
<form class="search" role="search" action="/">
<label>Search
<input name="q" type="search" value="${q}" placeholder="Name, ID or text" maxlength="${maxTextLength}"></label>
<label>Folder
<select name="folder">${option('', 'All folders', folder)}${folders.map((path) => path && option(path, path, folder))}</select></label>
<label>Show
<select name="show">${option('', 'All files', show)}${Object.entries(filters).map(([value, [label]]) => option(value, label, show))}</select></label>
<button>Search</button>
</form>
<p class="quiet">${countOf(total, 'file')}${about}</p>
${total === 0 ? emptyState(query.size > 0) : html`<ul class="grid">${shown.map((one) => card(one, query))}</ul>`}
${total > shown.length ? html`<p class="quiet">And ${(total - shown.length).toLocaleString('en')} more. Search for them.</p>` : ''}`,
  });
}

function emptyState(isSelection: boolean): Html {
  if (!isSelection) return html`<p>No files yet. Add some to the media folder.</p>`;
  return html`<p>No file matches.</p>
<p><a href="/">Show all files</a></p>`;
}

function card({ asset, pages, rights, facts }: ShownCard, query: URLSearchParams): Html {
  const pixels = facts?.pixels;
  const image =
    pixels &&
    html`<img src="/preview/${asset.id}/600.webp?${facts.version}" alt="" width="${pixels.width}" height="${pixels.height}" loading="lazy">`;
  const known = [asset.id, pixels && pixelsText(pixels), facts && sizeText(facts.size)];
  return html`<li class="card" id="file-${asset.id}" data-key="${asset.id}">
<a href="/asset/${asset.id}?${query}"><span class="frame">${image ?? (facts ? kindText(asset, facts) : 'Deleted')}</span><bdi class="name">${asset.title}</bdi></a>
<p class="quiet">${known.filter(Boolean).join(' · ')}</p>
<p class="${pages === undefined ? 'quiet' : 'used'}">${pages === undefined ? 'Not in use' : usedText(pages)}</p>
${rights?.isForbidden ? badge(rights) : ''}
</li>`;
}

const badge = ({ isForbidden, text }: RightsInWords): Html =>
  html`<p class="badge${isForbidden ? ' forbidden' : ''}">${text}</p>`;

/** Such as `PDF`, or else the media type. */
function kindText({ name }: Asset, { type }: PreviewFacts): string {
  return /\.(\w{1,5})$/.exec(name)?.[1]?.toUpperCase() ?? type;
}

const usedText = (pages: number) => (pages ? `On ${countOf(pages, 'page')}` : 'In projects only');

const pixelsText = ({ width, height }: { width: number; height: number }) => `${width} × ${height}`;

export interface Card {
  readonly asset: Asset;
  /** `undefined` if it isn't in use. 0 if only projects use it. */
  readonly pages: number | undefined;
  readonly rights: RightsInWords | undefined;
}

interface ShownCard extends Card {
  /** `undefined` if the file is deleted. */
  readonly facts: PreviewFacts | undefined;
}

/** Each asset that's shown is read once, for its size. */
const mostShown = 120;

/** Maximum length of a parameter. The rest is ignored. */
export const maxTextLength = 200;

/** Finds a selection's assets, with each word of its text: their number, and the first ones. */
export function selectAssets(assets: readonly Card[], { q, folder, show }: Selection) {
  const found = assets
    .filter((listed) => {
      const { asset } = listed;
      const isInside = folder === '' || `${asset.folder}/`.startsWith(`${folder}/`);
      const shows = filters[show]?.[1] ?? (() => true);
      const texts = [...textsOf(asset), asset.folder, `${asset.id}`];
      return isInside && shows(listed) && matchesSearch(q, texts);
    })
    .sort(({ asset: a }, { asset: b }) => collator.compare(a.title, b.title) || a.id - b.id);
  return { found: found.slice(0, mostShown), total: found.length };
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** A logo may be on every page of a large site. Further usages are only counted. */
const maxShownUsages = 1000;

/** @param query what the library page showed */
export function assetPage(
  { asset, facts, rights }: Omit<ShownCard, 'pages'>,
  usages: readonly StoredUsage[],
  query: string,
): Html {
  return pageLayout({
    title: `${asset.title} (${asset.id})`,
    main: html`<a class="back" href="/${query}#file-${asset.id}">Back to the library</a>
<h1><bdi>${asset.title}</bdi></h1>
<div class="asset"><div>
<div class="preview">${preview(asset, facts)}</div>
<section aria-labelledby="facts">
<h2 id="facts">About this file</h2>
${factList(asset, facts, rights)}
${facts === undefined ? '' : html`<p><a class="button" href="/asset/${asset.id}/original" download>Download original</a></p>`}
</section>
</div>
<section aria-labelledby="usages">
<h2 id="usages">Where it’s used</h2>
${usageList(usages)}
</section>
</div>`,
  });
}

function preview(asset: Asset, facts: PreviewFacts | undefined): Html | string {
  if (facts === undefined) return 'The file has been deleted.';
  const { id, title } = asset;
  const source = `/asset/${id}/shown`;
  const [kind] = facts.type.split('/');
  if (facts.pixels !== undefined) {
    const { width, height } = facts.pixels;
    return html`<img src="/preview/${id}/1600.webp?${facts.version}" alt="${title}" width="${width}" height="${height}">`;
  }
  if (kind === 'video' || kind === 'audio')
    return html`<${kind} src="${source}" controls preload="metadata" aria-label="${title}"></${kind}>`;
  if (facts.type !== 'application/pdf') return kindText(asset, facts);
  return html`<object data="${source}#page=1&view=Fit&toolbar=0&navpanes=0" type="application/pdf" aria-label="${title}"><p>This browser doesn’t show PDF files here. Download the original to read it.</p></object>`;
}

function factList(
  asset: Asset,
  facts: PreviewFacts | undefined,
  rights: RightsInWords | undefined,
): Html {
  const { folder } = asset;
  const rows: [name: string, value: string | number | Html][] = [
    ['ID', asset.id],
    ['File name', asset.name],
    ['Folder', html`<a href="/?${new URLSearchParams({ folder })}">${folder || 'Library'}</a>`],
    ['Rights', rights ? badge(rights) : 'The record says nothing about them.'],
  ];
  if (facts !== undefined) {
    const { type, pixels, size, modified } = facts;
    rows.push(['Type', type]);
    if (pixels !== undefined) rows.push(['Pixels', pixelsText(pixels)]);
    const day = modified.toISOString().slice(0, 10);
    const time = html`<time datetime="${day}">${day}</time>`;
    rows.push(['Size', sizeText(size)], ['Changed', time]);
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
  return html`<p class="quiet">${usedText(pages)}</p>
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
