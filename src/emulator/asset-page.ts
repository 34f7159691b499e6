import { html } from 'hono/html';
import type { Asset } from './asset.ts';
import type { FileFacts, FileKind } from './file-facts.ts';
import { fileIcon } from './file-icon.ts';
import { libraryAddress } from './library-query.ts';
import { type Html, pageLayout } from './page-layout.ts';
import { usageList } from './usage-list.ts';
import type { UsageRecord } from './usage-records.ts';

const kindNames: Record<FileKind, string> = {
  picture: 'Picture',
  video: 'Video',
  sound: 'Sound',
  document: 'Document',
  file: 'File',
};

/** One asset: its picture, what is known of it, and where it is used. */
export function assetPage({
  asset,
  facts,
  usages,
}: {
  asset: Asset;
  /** Undefined once the file is deleted. */
  facts: FileFacts | undefined;
  /** Its usages, oldest first. */
  usages: readonly UsageRecord[];
}): Html {
  return pageLayout({
    title: `${asset.title} (${asset.id})`,
    main: html`${way(asset)}
<h1><bdi>${asset.title}</bdi></h1>
<div class="asset">
<div class="preview">${preview(asset, facts)}</div>
<section class="facts" aria-labelledby="facts">
<h2 id="facts">About this file</h2>
${factList(asset, facts)}
<p class="actions">${facts === undefined ? '' : html`<a class="button" href="/asset/${asset.id}/original" download>Download original</a>`}
<button type="button" data-copy="${asset.id}" hidden>Copy id</button></p>
</section>
<section class="usages" aria-labelledby="usages">
<h2 id="usages">Where it is used</h2>
<div data-live>${usageList(usages)}</div>
</section>
</div>`,
  });
}

function way({ folder }: Asset): Html {
  const steps = folder === '' ? [] : folder.split('/');
  const links = steps.map((name, index) => ({ name, path: steps.slice(0, index + 1).join('/') }));
  return html`<nav class="folders" aria-label="Folders"><ol class="trail">${[
    { name: 'Library', path: '' },
    ...links,
  ].map(
    ({ name, path }) =>
      html`<li><a href="${libraryAddress({ text: '', folder: path, use: 'all', sort: 'name', page: 1 })}"><bdi>${name}</bdi></a></li>`,
  )}</ol></nav>`;
}

function preview(asset: Asset, facts: FileFacts | undefined): Html {
  if (facts === undefined) return html`<p class="empty">The file has been deleted.</p>`;
  if (facts.pixels === undefined) return fileIcon(facts);
  const { width, height } = facts.pixels;
  return html`<img src="/preview/${asset.id}/1600.webp" alt="${asset.title}" width="${width}" height="${height}">`;
}

function factList(asset: Asset, facts: FileFacts | undefined): Html {
  const pixels = facts?.pixels;
  const rows: [name: string, value: string | Html][] = [
    ['Id', html`<span class="id">${asset.id}</span>`],
    ['File name', html`<bdi>${asset.name}</bdi>`],
    ['Folder', asset.folder === '' ? 'Library' : html`<bdi>${asset.folder}</bdi>`],
  ];
  if (facts !== undefined) {
    const { kind, format, size, modified } = facts;
    rows.push(['Kind', format === '' ? kindNames[kind] : `${kindNames[kind]} (${format})`]);
    if (pixels !== undefined) rows.push(['Pixels', `${pixels.width} × ${pixels.height}`]);
    rows.push(['Size', formatBytes(size)], ['Changed', formatTime(modified)]);
  }
  for (const [name, value] of Object.entries(asset.metadata))
    rows.push([name, html`<bdi>${[value].flat().join(', ')}</bdi>`]);
  return html`<dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** `2.4 MB (2,412,345 bytes)` */
function formatBytes(bytes: number): string {
  const exact = `${bytes.toLocaleString('en')} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length);
  if (step === 0) return exact;
  return `${Number((bytes / 1000 ** step).toPrecision(3))} ${units[step - 1]} (${exact})`;
}

function formatTime(time: Date): Html {
  const text = time.toLocaleString('en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return html`<time datetime="${time.toISOString()}">${text} UTC</time>`;
}
