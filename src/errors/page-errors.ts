import type { CatalogueEntries } from './catalogue-entries.ts';
import { countOf, listIds, show } from './wording.ts';

/** Built pages, as they are scanned. */
export const pageErrors = {
  'folder-missing': {
    message: ({ dir, isThere }: { dir: string; isThere?: boolean }) =>
      isThere ? `${dir} is a file, not a folder.` : `There is no folder ${dir}.`,
    hint: 'Name the folder of the built site, for example dist.',
  },
  'folder-mismatch': {
    message: (details: { dir: string; output: string; site?: string }) =>
      `${details.dir} is not the folder of the built pages: that is ${details.output}${details.site ? `, of ${details.site}` : ''}.`,
    hint: 'Name that folder: pages of any other get URLs that the site does not have, and nothing was sent. Pass --site for a copy of the build, or for another site, with its --base, --project and --contact.',
  },
  'scan-empty': {
    message: (details: { dir: string; redirects?: number; excluded?: number }) =>
      `There is no HTML page below ${details.dir}${details.redirects || details.excluded ? `, apart from ${countOf(details.redirects ?? 0, 'redirect')} and ${countOf(details.excluded ?? 0, 'excluded page')}` : ''}.`,
    hint: 'Build the site first. A folder without pages is never taken for a site whose pages are gone.',
  },
  'pages-on-demand': {
    message: (details: { dir: string }) =>
      `There is no page to scan below ${details.dir}: this site renders its pages on demand.`,
    hint: 'No usage was sent and none removed. Prerender the pages whose usages count: `export const prerender = true`.',
  },
  'scan-unreadable': {
    message: (details: { file: string }) => `${details.file} could not be read.`,
    hint: 'No usage was sent. Check the rights of the file, and that no other build is writing it.',
  },
  'scan-too-large': {
    message: (details: { file: string; limit: number }) =>
      `${details.file} is larger than the limit of ${details.limit} bytes.`,
    hint: 'No usage was sent. Split the file, or keep it out of the built site.',
  },
  'page-too-deep': {
    message: (details: { page: string }) =>
      `${details.page} could not be read: its elements are nested too deeply.`,
    hint: 'No usage was sent. Browsers stop at 512 levels; look for tags that are never closed.',
  },
  'page-outside': {
    message: (details: { file: string; dir: string }) =>
      `${details.file} is a symbolic link that leads out of ${details.dir}; it was not read.`,
    hint: 'Put the page or folder itself there if pages of it are published.',
  },
  'page-twice': {
    message: (details: { page: string; files: readonly string[] }) =>
      `${details.page} is built twice: ${details.files.join(' and ')}. Their assets were counted together.`,
    hint: 'A host serves one of them. Remove or rename the other.',
  },
  'page-json-broken': {
    message: (details: { page: string; what: string }) =>
      `${details.page}: ${details.what} could not be read as JSON, and was not searched for assets.`,
    hint: 'Correct the JSON; search engines and browsers cannot read it either.',
  },
  'assets-uncounted': {
    message: ({ ids }: { ids: readonly number[] }) =>
      `${countOf(ids.length, 'asset')} that no scanned page shows ${ids.length === 1 ? 'is' : 'are'} published: ${listIds(ids)}.`,
    hint: 'No usage is reported for such an asset. On an element of a page, `data-media-asset` with its id makes one.',
  },
  'asset-id-unreadable': {
    message: (details: { page: string; value: string }) =>
      `${details.page}: data-media-asset holds ${show(details.value)}, which is not an asset id.`,
    hint: 'An asset id is a positive integer; several are separated by spaces.',
  },
  'page-not-utf8': {
    message: (details: { page: string; charset: string }) =>
      `${details.page} is not in UTF-8, but in ${details.charset}: its name may be misread.`,
    hint: 'Publish the page as UTF-8.',
  },
} satisfies CatalogueEntries;
