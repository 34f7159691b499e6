import { html } from 'hono/html';
import type { Asset } from '../library/asset.ts';
import type { UsageRecord } from '../library/usage-records.ts';
import { countText, type Html, pageLayout, usedOn } from './page-layout.ts';
import type { PreviewFacts } from './previews.ts';

/** A logo may be on every page of a large site. Further usages are only counted. */
const maxShownUsages = 1000;

/** @param facts `undefined` if the file is deleted */
export function assetPage(
  asset: Asset,
  facts: PreviewFacts | undefined,
  usages: readonly UsageRecord[],
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

function usageList(usages: readonly UsageRecord[]): Html {
  if (usages.length === 0)
    return html`<p>Not in use. Pages that show this file appear here when a site reports them.</p>`;
  const sorted = usages.toSorted((a, b) => (a.page < b.page ? -1 : 1));
  const pages = new Set(usages.flatMap(({ page }) => page || [])).size;
  const more = usages.length - maxShownUsages;
  return html`<p class="quiet" data-count>${usedOn(pages)}</p>
<ul class="usages">${sorted.slice(0, maxShownUsages).map(usageItem)}</ul>
${more > 0 ? html`<p class="quiet">And ${more.toLocaleString('en')} more.</p>` : ''}`;
}

/** The link is safe: usage requests only accept http and https URLs. */
function usageItem(usage: UsageRecord): Html {
  const { page, pageName, project, contact, date, description, type, amount } = usage;
  return html`<li>
${page ? html`<a href="${page}"><bdi>${pageName || page}</bdi></a>` : html`<bdi>${project}</bdi>`}
<p class="quiet"><bdi>${page || `${type} · ${amount}`}</bdi></p>
<p class="quiet"><bdi>${project}</bdi> · contact <bdi>${contact}</bdi> · since <time datetime="${date}">${date}</time></p>
${description === '' ? '' : html`<p class="quiet"><bdi>${description}</bdi></p>`}
</li>`;
}
