import { html, raw } from 'hono/html';
import type { Asset } from './media-library.ts';
import type { UsageRecord } from './usage-records.ts';

type Html = ReturnType<typeof html>;

const style = `
  :root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 0 auto; padding: 1.5rem; }
  h1 { font-size: 1.4rem; margin: 0; }
  h2 { font-size: 1.05rem; margin: 2.5rem 0 .75rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); }
  ul { list-style: none; margin: 0; padding: 0; }
  .assets { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); }
  .assets > li { border: 1px solid var(--line); border-radius: .5rem; overflow: hidden; }
  .assets img, .file { display: block; width: 100%; height: 12rem; object-fit: cover; background: var(--line); }
  .file { display: grid; place-items: center; font-size: 1.5rem; opacity: .6; }
  .text { padding: .75rem 1rem; }
  .text p { margin: 0; overflow-wrap: anywhere; }
  .id { font-weight: 600; font-variant-numeric: tabular-nums; }
  .quiet { opacity: .65; font-size: .875rem; }
  .uses { margin-top: .5rem; font-size: .875rem; }
  .uses li { padding: .2rem 0; overflow-wrap: anywhere; }
`;

const pictureNames = /\.(jpe?g|png|webp|avif|gif|tiff?|svg)$/i;

/**
 * The library as an editor sees it: every asset with its id, name and the pages that use it, by
 * folder. A deleted asset is shown as long as a page is on record for it.
 */
export function libraryPage({
  assets,
  usages,
}: {
  assets: readonly Asset[];
  usages: readonly UsageRecord[];
}): Html {
  const byAsset = Map.groupBy(usages, (usage) => usage.asset);
  const shown = assets.filter((asset) => !asset.gone || byAsset.has(asset.id));
  const folders = [...Map.groupBy(shown, (asset) => asset.folder)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Media Asset Service (emulator)</title>
<link rel="icon" href="data:,">
<style>${raw(style)}</style>
</head>
<body>
<h1>Media Asset Service <span class="quiet">emulator</span></h1>
<p class="quiet">${count(shown.filter((asset) => !asset.gone).length, 'asset')}, ${byAsset.size} in use, ${count(usages.length, 'usage')}</p>
${folders.map(
  ([folder, members]) => html`<section>
<h2>${folder || 'Library'}</h2>
<ul class="assets">${members.map((asset) => assetCard(asset, byAsset.get(asset.id) ?? []))}</ul>
</section>`,
)}
</body>
</html>`;
}

function assetCard(asset: Asset, usages: readonly UsageRecord[]): Html {
  return html`<li id="asset-${asset.id}">
${picture(asset)}
<div class="text">
<p><span class="id">${asset.id}</span> ${asset.name}</p>
${asset.gone ? html`<p class="quiet">The file has been deleted.</p>` : ''}
${usages.length === 0 ? html`<p class="quiet">Not in use</p>` : html`<ul class="uses">${usages.map(usageLine)}</ul>`}
</div>
</li>`;
}

function picture(asset: Asset): Html {
  return asset.gone || !pictureNames.test(asset.name)
    ? html`<span class="file">${asset.name.split('.').at(-1)}</span>`
    : html`<img src="/preview/${asset.id}.jpg" alt="" loading="lazy">`;
}

/** Usage posts name pages by http and https URLs only, so that the link is safe to follow. */
function usageLine(usage: UsageRecord): Html {
  return html`<li><a href="${usage.page}">${usage.pageName || usage.page}</a>
<div class="quiet">${usage.page}</div>
<div class="quiet">${usage.project}, since ${usage.date}</div></li>`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
