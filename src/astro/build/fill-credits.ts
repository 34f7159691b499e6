import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeUTF8 as escapeHtml } from 'entities/escape';
import { printable } from '../../assets/records/asset-record.ts';
import { type Asking, inLanguage } from '../../assets/request/asking.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import { editPage } from '../../scan/edit-page.ts';
import { assetUrlReader } from '../../scan/extract/asset-url.ts';
import type { Marker } from '../../scan/extract/page-markers.ts';
import type { PageUsage } from '../../scan/manifest.ts';
import type { ScanRules } from '../../scan/page-url.ts';
import type { BuiltFile } from '../../scan/read-output.ts';
import { mergePages } from '../../scan/scan-site.ts';
import type { SiteBuild } from './build-notes.ts';
import { writeBuiltFile } from './built-files.ts';

type CreditedSite = Pick<
  SiteBuild,
  'images' | 'languages' | 'sourceLabel' | 'forbidden' | 'options'
>;

/** The most pages that are named for an asset. A logo can be on thousands. */
const mostPages = 20;

/** Fills in the lists of credits: all assets that built pages show, reported or not. */
export async function fillCredits(
  site: CreditedSite,
  { dir, rules, files }: { dir: string; rules: ScanRules; files: readonly BuiltFile[] },
): Promise<void> {
  const lists = files.filter(({ file, markers }) => {
    return file.endsWith('.html') && markers.some(({ kind }) => kind === 'credits');
  });
  if (lists.length === 0) return;
  if (!site.options.record) throw mediaAssetError('record-unread', undefined);
  const assetUrls = assetUrlReader(rules);
  const { pages } = mergePages(files.flatMap(({ file, scan }) => (scan ? { file, ...scan } : [])));
  const shows = pages.flatMap((page) => page.assets.map((id) => ({ id, page })));
  const byAsset = [...Map.groupBy(shows, ({ id }) => id)].sort(([one], [other]) => one - other);
  const { people } = site.images;
  for (const [id] of byAsset) await people.original(id);
  const names = people.names();
  const filled = lists.map(async ({ file, page }) => {
    const path = join(dir, file);
    const shownIn = site.languages.ofFile(file);
    const fill = async ({ lang }: Marker) => {
      const use = inLanguage(shownIn, lang, site.languages);
      const items = byAsset.map(([id, shown]) =>
        creditItem(site, { id, page, ...use }, { shown, name: names[id] ?? '' }),
      );
      return (await Promise.all(items)).join('');
    };
    const url = new URL(page, rules.site).href;
    const html = await editPage(await readFile(path), { page: url, assetUrls, fill });
    await writeBuiltFile(path, html);
  });
  await Promise.all(filled);
}

/** What is known of an asset; nothing if the site hides it, or can't read its rights. Only images are downloaded for that. */
async function creditItem(
  { images: { people }, sourceLabel, forbidden, options }: CreditedSite,
  asking: Asking,
  { shown, name }: { shown: readonly { page: PageUsage }[]; name: string },
): Promise<string> {
  const { id, texts } = asking;
  const { record, verdict } = (await people.describeRecord(id, asking)) ?? {};
  // An author can name the ID of an asset that components leave out.
  const isHidden = verdict ? verdict.state === 'forbidden' : options.rights.read !== undefined;
  if (isHidden && forbidden !== 'warn') return '';
  const original = await people.original(id);
  const credits = [record?.credit, record?.creators?.join(', '), record?.copyright];
  const isNew = (text = '', at = 0) => !credits.slice(0, at).some((other) => other?.includes(text));
  const license = record?.license && escapeHtml(record.license);
  const credit = escapeHtml(credits.filter(isNew).filter(Boolean).join(', ')) || license;
  const label = sourceLabel?.(record?.digitalSourceType ?? original?.digitalSourceType, texts);
  const links = shown.slice(0, mostPages).map(({ page: { page, pageName } }) => {
    return `<a href="${escapeHtml(new URL(page).pathname)}">${escapeHtml(pageName)}</a>`;
  });
  const more = shown.length > mostPages ? ` +${shown.length - mostPages}` : '';
  const html = [
    `<li id="media-credit-${id}">`,
    `<strong>${escapeHtml(record?.alt || name || String(id))}</strong>`,
    credit &&
      ` <span>${license ? `<a href="${license}" rel="license">${credit}</a>` : credit}</span>`,
    label && ` <span data-media-asset-label="${id}">${escapeHtml(label)}</span>`,
    ` <small>${links.join(', ')}${more}</small></li>`,
  ].join('');
  // Names of files and pages come from elsewhere.
  return printable(html);
}
