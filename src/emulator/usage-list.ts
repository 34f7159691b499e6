import { html } from 'hono/html';
import { count, type Html } from './page-layout.ts';
import type { UsageRecord } from './usage-records.ts';

/** A logo can be on every page of a large site: more usages than this are counted only. */
const shownAtMost = 1000;

/** Where an asset is used, by site and there by page. */
export function usageList(usages: readonly UsageRecord[]): Html {
  if (usages.length === 0)
    return html`<p class="empty">Not in use. As soon as a site reports a page that shows this file, it stands here.</p>`;
  const sites = [...Map.groupBy(usages, ({ page }) => new URL(page).host)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const pages = new Set(usages.map(({ page }) => page)).size;
  let left = shownAtMost;
  const groups = sites.map(([host, members]) => {
    const shown = members.toSorted((a, b) => (a.page < b.page ? -1 : 1)).slice(0, left);
    left -= shown.length;
    return siteGroup({ host, shown, all: members.length });
  });
  return html`<p class="quiet" data-count>On ${count(pages, 'page')} of ${count(sites.length, 'site')}</p>
${groups}`;
}

function siteGroup({
  host,
  shown,
  all,
}: {
  host: string;
  shown: readonly UsageRecord[];
  all: number;
}): Html {
  const more = all - shown.length;
  return html`<section class="site" data-key="${host}">
<h3><bdi>${host}</bdi> <span class="quiet">${count(all, 'usage')}</span></h3>
<ul>${shown.map(usageItem)}</ul>
${more === 0 ? '' : html`<p class="quiet">And ${more.toLocaleString('en')} more.</p>`}
</section>`;
}

/** Usage posts name pages by http and https URLs only, so that the link is safe to follow. */
function usageItem(usage: UsageRecord): Html {
  const { page, pageName, project, contact, date, description } = usage;
  return html`<li data-key="${page} ${project} ${contact} ${date}">
<a href="${page}"><bdi>${pageName || page}</bdi></a>
<p class="address"><bdi>${page}</bdi></p>
<p class="quiet"><bdi>${project}</bdi> · contact <bdi>${contact}</bdi> · since <time datetime="${date}">${formatDay(date)}</time></p>
${description === '' ? '' : html`<p class="quiet"><bdi>${description}</bdi></p>`}
</li>`;
}

/** `4 March 2026` */
function formatDay(date: string): string {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString('en-GB', {
    dateStyle: 'long',
    timeZone: 'UTC',
  });
}
