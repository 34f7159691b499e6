import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeUTF8 as escapeHtml } from 'entities/escape';
import { findRenditions } from '../../assets/formats/rendition-url.ts';
import type { MediaCreditRequest } from '../../assets/request/media-asset.ts';
import { isUnavailable } from '../../assets/sources/asset-errors.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import type { PageUsage } from '../../scan/manifest.ts';
import { scanSite } from '../../scan/scan-site.ts';
import { buildRulesOf } from './build-mark.ts';
import type { SiteBuild } from './build-notes.ts';
import { creditsMarker, writeBuiltFile } from './built-files.ts';

/** What `<MediaCredits>` renders, also minified. Only finished pages tell what a site shows. */
const placeholder = new RegExp(
  `<li ${creditsMarker}="?([^"\\s>]+)"?(?: lang=(?:"([^"]*)"|([\\w-]+)))?>(?:</li>)?`,
);

type CreditedSite = Parameters<typeof buildRulesOf>[0] &
  Pick<SiteBuild, 'images' | 'sourceLabel' | 'forbidden'>;

/** The most pages that are named for an asset. A logo can be on thousands. */
const mostPages = 20;

/**
 * Fills in the lists of credits: all assets that the built pages show, also those that aren't reported.
 *
 * @param lists the pages with such a list. `file` is below `dir`
 * @returns the renditions of thumbnails
 */
export async function fillCredits(
  site: CreditedSite,
  dir: string,
  lists: readonly { readonly file: string; readonly page: string }[],
) {
  if (lists.length === 0) return [];
  if (!site.options.record) throw mediaAssetError('record-unread', undefined);
  const { pages } = await scanSite({ dir, rules: { ...buildRulesOf(site), exclude: [] } });
  const shows = pages.flatMap((page) => page.assets.map((id) => ({ id, page })));
  const byAsset = [...Map.groupBy(shows, ({ id }) => id)].sort(([one], [other]) => one - other);
  const { people } = site.images;
  for (const [id] of byAsset) await people.original(id);
  const names = people.names();
  const filled = lists.map(async ({ file, page }) => {
    const path = join(dir, file);
    let html = await readFile(path, 'utf8');
    for (let found = placeholder.exec(html); found; found = placeholder.exec(html)) {
      const [written, thumbnail, quoted, locale = quoted] = found;
      const items = byAsset.map(([id, shown]) =>
        creditItem(
          site,
          { id, page, locale },
          { shown, width: Number(thumbnail), name: names[id] ?? '' },
        ),
      );
      const list = await Promise.all(items);
      html = html.replace(written, () => list.join(''));
    }
    await writeBuiltFile(path, Buffer.from(html));
    return findRenditions(html).map((address) => ({ address, page }));
  });
  return (await Promise.all(filled)).flat();
}

/**
 * Says what is known of an asset; nothing if the site hides it. A file that isn't an image, such as a
 * long video, isn't downloaded for that.
 *
 * @param options.width of a thumbnail in pixels; 0 for none
 */
async function creditItem(
  { images: { pages, people }, sourceLabel, forbidden }: CreditedSite,
  asked: MediaCreditRequest,
  { shown, width, name }: { shown: readonly { page: PageUsage }[]; width: number; name: string },
): Promise<string> {
  const { id, locale } = asked;
  const { record, verdict } = (await people.describeRecord(asked)) ?? {};
  // An author can name the ID of an asset that components leave out.
  if (verdict?.state === 'forbidden' && forbidden !== 'warn') return '';
  const original = await people.original(id);
  const props = { ...asked, alt: '', width, layout: 'none', format: 'webp' } as const;
  const unlessHidden = (thrown: unknown) => {
    if (!isUnavailable(thrown)) throw thrown;
  };
  const isPictured = width !== 0 && original;
  const image = isPictured ? await pages.getMediaAsset(props).catch(unlessHidden) : undefined;
  const texts = [record?.credit, record?.creators.join(', '), record?.copyright];
  const isNew = (text = '', at = 0) => !texts.slice(0, at).some((other) => other?.includes(text));
  const license = record?.license && escapeHtml(record.license);
  const credit = escapeHtml(texts.filter(isNew).filter(Boolean).join(', ')) || license;
  const label = sourceLabel?.(record?.digitalSourceType ?? original?.digitalSourceType, locale);
  const links = shown.slice(0, mostPages).map(({ page: { page, pageName } }) => {
    return `<a href="${escapeHtml(new URL(page).pathname)}">${escapeHtml(pageName)}</a>`;
  });
  const more = shown.length > mostPages ? ` +${shown.length - mostPages}` : '';
  return [
    `<li id="media-credit-${id}">`,
    image
      ? `<img src="${escapeHtml(image.src)}" srcset="${escapeHtml(image.srcset || image.src)}" width="${image.width}" height="${image.height}" alt="" loading="lazy"> `
      : '',
    `<strong>${escapeHtml(record?.alt || name || String(id))}</strong>`,
    credit &&
      ` <span>${license ? `<a href="${license}" rel="license">${credit}</a>` : credit}</span>`,
    label && ` <span data-media-asset-label="${id}">${escapeHtml(label)}</span>`,
    ` <small>${links.join(', ')}${more}</small></li>`,
  ].join('');
}
