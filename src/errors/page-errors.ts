import { formatPlace, type Place } from './place.ts';
import { type CatalogueEntries, countOf, listIds, listNames } from './wording.ts';

/** The details of an error in a source file. */
const inSource = ({ file, line }: Place) => ({ place: { file, line } });

/** Scanning built pages. */
export const pageErrors = {
  'folder-missing': {
    message: ({ dir, isThere }: { dir: string; isThere?: boolean }) =>
      isThere ? `${dir} is a file, not a folder.` : `There is no folder ${dir}.`,
    hint: 'Name the folder of the built site, for example dist.',
  },
  /** Usages of pages that are missing in the folder would be removed. */
  'folder-mismatch': {
    message: (details: { dir: string; output?: string; site?: string; otherPages?: boolean }) => {
      const { dir, output, site, otherPages } = details;
      if (otherPages) return `${dir} has other pages than the last build made.`;
      return output === undefined
        ? `${dir} wasn't built with the rules in .media-asset/build.json.`
        : `${dir} isn't the folder of the built pages. That is ${output}${site ? `, of ${site}` : ''}.`;
    },
    hint: 'Name the whole folder of the last build, or build again. If another job built it, restore the cache, then take .media-asset/build.json from that job. If a later step adds or removes pages, pass --allow-removals. For another site, pass --site, --base, --project and --contact. Nothing was sent.',
  },
  'scan-empty': {
    message: (details: {
      dir: string;
      redirects?: number;
      excluded?: number;
      rendersOnDemand?: boolean;
    }) => {
      const { dir, redirects = 0, excluded = 0, rendersOnDemand } = details;
      if (rendersOnDemand)
        return `There is no HTML page below ${dir}: this site renders on demand.`;
      if (redirects + excluded === 0) return `There is no HTML page below ${dir}.`;
      return `There is no HTML page below ${dir}, apart from ${countOf(redirects, 'redirect')} and ${countOf(excluded, 'excluded page')}.`;
    },
    hint: 'Build the site first, and prerender its pages (`export const prerender = true`). Nothing was sent: an empty folder never means that the pages are gone.',
  },
  'scan-unreadable': {
    message: (details: { file: string; problem?: string }) =>
      `${details.file} couldn't be read${details.problem ? `: ${details.problem}` : ''}.`,
    hint: 'Check that the file is readable, that no other build is writing it, and that its tags are closed. No usage was sent.',
  },
  'page-skipped': {
    message: ({ file, dir, reason }: { file: string; dir: string; reason: string }) => {
      const problem =
        reason === 'outside'
          ? `a symbolic link to a place outside ${dir}`
          : reason === 'nowhere'
            ? 'a symbolic link that leads nowhere'
            : 'not a regular file';
      return `${file} is ${problem}, so it wasn't read.`;
    },
    subject: ({ file }: { file: string }) => ({ place: { file } }),
    hint: 'If it is published, copy the page or folder there. Otherwise remove it.',
  },
  'page-twice': {
    message: (details: { page: string; files: readonly string[] }) =>
      `${details.page} is built twice: ${details.files.join(' and ')}. Their assets were counted together.`,
    hint: 'Remove or rename one of them: a host serves only one.',
  },
  'asset-url-unread': {
    message: ({ page, assets }: { page: string; assets: readonly UnreadAsset[] }) =>
      `${page} names assets where usages aren't counted: ${listUnread(assets)}.`,
    hint: 'If the page shows such an asset, add `data-media-asset` with its ID to an element. Inside other URLs, only the parameters `url` and `href` of your own host count.',
  },
  'assets-uncounted': {
    message: ({ ids }: { ids: readonly number[] }) =>
      `${countOf(ids.length, 'asset')} ${ids.length === 1 ? 'is' : 'are'} published, but no scanned page shows ${ids.length === 1 ? 'it' : 'them'}: ${listIds(ids)}.`,
    hint: 'Add `data-media-asset` with the ID to an element of a page if the usage should be reported.',
  },
  'audit-incomplete': {
    message: ({ checks }: { checks: readonly string[] }) =>
      `Not all images could be checked for ${checks.join(', ')}.`,
    hint: 'Build the site here, or restore the cache of its build. Credits and rights need the option `record`.',
  },
  'page-not-utf8': {
    message: (details: { page: string }) => `${details.page} isn't UTF-8. Its name may be wrong.`,
    hint: 'Publish the page as UTF-8.',
  },
  'toolbar-refused': {
    message: () => "The dev server doesn't answer this request of the toolbar.",
    hint: 'Reload the page.',
  },
  'toolbar-remote': {
    message: () => 'The toolbar only works in a browser on the machine that runs `astro dev`.',
    hint: 'Open the site there, as http://localhost with the port of the dev server.',
  },
  'toolbar-request-invalid': {
    message: ({ problem }: { problem: string }) =>
      `The dev server can't read a request of the toolbar: ${problem}.`,
    hint: 'Reload the page, so that the toolbar has the version of the dev server.',
  },
  'source-outside': {
    message: ({ file }: { file: string }) => `${file} isn't a source file of this project.`,
    subject: inSource,
    hint: "Change the file in your editor. The toolbar doesn't write outside the project's folder, in node_modules or in hidden folders.",
  },
  'source-computed': {
    message: ({ prop, anchor, ...place }: Place & { prop: string; anchor?: number | undefined }) =>
      anchor !== undefined
        ? `${formatPlace(place)} takes ${propWords[prop] ?? 'this'} from line ${anchor} (\`${prop}\`), which other places may use too, so the toolbar can't change it.`
        : prop === '...'
          ? `${formatPlace(place)} may have this from elsewhere (\`...\`), so the toolbar can't change it.`
          : `${formatPlace(place)} sets ${propWords[prop] ?? 'this'} with code (\`${prop}\`), so the toolbar can't change it.`,
    subject: inSource,
    hint: 'Change the value where it comes from, or copy the code from the toolbar.',
  },
  'source-unreadable': {
    message: ({ reason, ...place }: Place & { reason: string }) =>
      `${formatPlace(place)} can't be parsed: ${reason.replace(/\.$/, '')}.`,
    subject: inSource,
    hint: 'Fix the file, or copy the code from the toolbar. Nothing was changed.',
  },
  'source-unsafe': {
    message: ({ file, line }: Place) =>
      `${formatPlace({ file, line })}: the toolbar can't write this change without changing more of the file.`,
    subject: inSource,
    hint: 'Change it in your editor, or copy the code from the toolbar. Nothing was written.',
  },
  'source-read-only': {
    message: ({ file, problem }: { file: string; problem: string }) =>
      `${file} can't be written: ${problem}.`,
    subject: inSource,
    hint: 'Check the permissions of the file and its folder. Nothing was written.',
  },
  'source-changed': {
    message: ({ file, line }: Place) =>
      `${formatPlace({ file, line })} has changed since the page was rendered.`,
    subject: inSource,
    hint: 'Reload the page and try again. Nothing was written.',
  },
} satisfies CatalogueEntries;

/** Props in the words of an author. */
const propWords: Readonly<Record<string, string>> = {
  id: 'the image',
  alt: 'the alt text',
  crop: 'the crop',
  aspect: 'the shape',
  focus: 'the focus point',
  sources: 'the crops for other screens',
};

type UnreadAsset = { readonly id: number; readonly where: string };

/** `4711, 4712 in data-src; 5 in an inline script`. */
function listUnread(assets: readonly UnreadAsset[]): string {
  const places = [...Map.groupBy(assets, ({ where }) => where)];
  const named = places.map(([where, same]) => `${listIds(same.map(({ id }) => id))} in ${where}`);
  return listNames(named, '; ');
}
