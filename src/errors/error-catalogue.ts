import { fileErrors, imageErrors, recordErrors } from './asset-errors.ts';
import { formatPlace, type Place } from './place.ts';
import { libraryErrors, requestErrors, serviceErrors, signInErrors } from './service-errors.ts';
import { usageErrors } from './usage-errors.ts';
import { type CatalogueEntries, countOf, listIds, listNames, oneLine } from './wording.ts';

const configurationErrors = {
  'node-too-old': {
    message: 'astro-media-asset needs Node {least} or newer, and this is Node {node}.',
    hint: "Install a newer Node, or name it in your CI host's settings.",
  },
  'options-invalid': {
    message: (details: { problems: readonly string[] }) =>
      `Invalid options of astro-media-asset:\n${details.problems.map((problem) => `  - ${problem}`).join('\n')}`,
    hint: 'Correct them in astro.config, or in their MEDIA_ASSET_… variables.',
  },
  'site-missing': {
    message: 'Usages need absolute page URLs, and the Astro config has no `site`.',
    hint: "Add it to astro.config: `site: 'https://www.example.org'`.",
  },
  'service-not-configured': {
    message: ({ missing, goesOn }: { missing: readonly string[]; goesOn?: boolean }) =>
      `No Media Asset Service is configured: ${missing.join(', ')} missing.${goesOn ? ' Pages show cached assets, and placeholders instead of all others.' : ''}`,
    hint: 'Set them in the environment or a .env file, or pass `service: { … }` to mediaAsset(). Only local, preview and pull request builds work without them.',
  },
  /** A changed file could otherwise send your credentials to any host. */
  'service-untrusted': {
    message:
      "Credentials aren't sent to {address}: only .media-asset/build.json says where or how to send them, and no build with these credentials wrote that file.",
    hint: 'Pass `--service`, or set MEDIA_ASSET_BASE_URL and, if the token host has its own address, MEDIA_ASSET_ACCOUNTS_URL. For credentials in URLs, set MEDIA_ASSET_TOKEN_ENCODING too. A build with the same credentials also proves the file.',
  },
  'link-tracked': {
    message:
      'Git tracks {path} as a link, so a commit decides where secrets and originals are written.',
    hint: 'Remove the link from Git with `git rm --cached <path>`, and ignore it. Install Git if the link is only on this machine.',
  },
  'environment-unreadable': {
    message: "The file {path} couldn't be read.",
    hint: "Check the file's permissions, and that it's UTF-8.",
  },
} as const satisfies CatalogueEntries;

const inSource = ({ file, line }: Place) => ({ place: { file, line } });

/** Scanning built pages, and changing sources from the toolbar. */
const pageErrors = {
  'folder-missing': {
    message: ({ dir, output }: { dir: string; output?: string }) =>
      `There is no folder ${dir}.${output ? ` The last build's pages are in ${output}.` : ''}`,
    hint: 'Name the folder of the built site, for example dist.',
  },
  /** Usages of pages that are missing in the folder would be removed. */
  'folder-mismatch': {
    message: (details: { dir: string; output?: string; site?: string; has?: string }) => {
      const { dir, output, site, has } = details;
      if (has) return `${dir} has ${has} than the last build made.`;
      return output === undefined
        ? `${dir} wasn't built with the rules in .media-asset/build.json.`
        : `${dir} isn't the folder of the built pages. That is ${output}${site ? `, of ${site}` : ''}.`;
    },
    hint: 'Name the whole folder of the last build, or build again. If another job built it, restore the cache, then take .media-asset/build.json from that job. If a later step adds or removes pages or images, pass --allow-removals. For another site, pass --site, --base, --project and --contact. Nothing was sent.',
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
    hint: 'Check that the file is there and readable, that no other build is writing it, and that its tags are closed. No usage was sent.',
  },
  'page-twice': {
    message: (details: { page: string; files: readonly string[] }) =>
      `${details.page} is built twice: ${details.files.join(' and ')}. Their assets were counted together.`,
    hint: 'Remove or rename one of them: a host serves only one.',
  },
  'sitemap-taken': {
    message: '{path} is a file of the site, so no image sitemap was written.',
    hint: 'Rename the file, or set `sitemap: false`.',
  },
  'asset-url-unread': {
    message: ({ page, assets }: { page: string; assets: readonly UnreadAsset[] }) =>
      `${page} names assets where usages aren't counted: ${listUnread(assets)}.`,
    hint: 'If the page shows such an asset, add `data-media-asset` with its ID to an element. Inside other URLs, only the parameters `url` and `href` of your own host count.',
  },
  'object-as-url': {
    message: '{page} has an object instead of a URL in {where}, probably one of mediaAsset().',
    hint: 'Use <MediaAsset {...entry.data.hero} alt="…" />, or the `src` of getMediaAsset().',
  },
  'assets-uncounted': {
    message: ({ assets: { length }, assets }: { assets: readonly UnreadAsset[] }) =>
      `${countOf(length, 'asset')} ${length === 1 ? 'is' : 'are'} published, but no scanned page shows ${length === 1 ? 'it' : 'them'}: ${listUnread(assets)}.`,
    hint: 'Add `data-media-asset` with the ID to an element of a page if the usage should be reported.',
  },
  'audit-incomplete': {
    message: ({ checks }: { checks: readonly string[] }) =>
      `Not all images could be checked for ${checks.join(', ')}.`,
    hint: 'Build the site here, or restore the cache of its build. Credits and rights need the option `record`.',
  },
  'credits-unfilled': {
    message: "The list of credits on {page} can't be filled in: {problem}.",
    hint: 'Put <MediaCredits> into the body of a UTF-8 page, outside of `srcdoc`.',
  },
  'page-not-utf8': {
    message: "{page} isn't UTF-8. Its name may be wrong.",
    hint: 'Publish the page as UTF-8.',
  },
  'toolbar-refused': {
    message: 'Only pages of this site may ask for its media library.',
    hint: 'Reload the page.',
  },
  'toolbar-remote': {
    message: 'The toolbar only works in a browser on the machine that runs `astro dev`.',
    hint: 'Open the site there, as http://localhost with the port of the dev server.',
  },
  'toolbar-request-invalid': {
    message: "The media library can't read this request: {problem}.",
    hint: 'Reload the page, so that it has the version of its server.',
  },
  /** The picker asks for it, and goes on where it was. */
  'sign-in-required': {
    message: "You aren't signed in to the media library.",
    hint: 'Sign in.',
  },
  /** The picker renews the sign-in and asks again. */
  'session-stale': {
    message: 'The media service has ended your sign-in.',
    hint: 'Reload the page, then sign in again.',
  },
  'session-too-large': {
    message: "The tokens of the media service don't fit into cookies ({length} characters).",
    hint: 'Ask the service for shorter tokens. They may have about 8,000 characters together.',
  },
  'preview-missing': {
    message: "Browsers can't show asset {id}: it's {kind}.",
    hint: 'Choose another image. If the service makes previews, set `preview` of createLibraryHandler().',
  },
  'library-unfinished': {
    message: 'The media library is large, so only a part of it has been read.',
    hint: 'Choose a folder, or search.',
  },
  'source-outside': {
    message: ({ file }: { file: string }) => `${file} isn't a source file of this project.`,
    subject: inSource,
    hint: "Change the file in your editor. The toolbar doesn't write outside the project's folder, in node_modules or in hidden folders.",
  },
  'source-computed': {
    message: ({ prop, ...place }: Place & { prop: string }) =>
      prop === '...'
        ? `${formatPlace(place)} may have this from elsewhere (\`...\`), so the toolbar can't change it.`
        : `${formatPlace(place)} has no plain value for ${propWords[prop] ?? 'this'} (\`${prop}\`), so the toolbar can't change it.`,
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
      `${formatPlace({ file, line })} has changed since it was read.`,
    subject: inSource,
    hint: 'Reload the page, or run the command again. The change was kept.',
  },
} as const satisfies CatalogueEntries;

/** Props in the words of an author. */
const propWords: Readonly<Record<string, string>> = {
  id: 'the image',
  alt: 'the alt text',
  crop: 'the crop',
  aspect: 'the shape',
  focus: 'the focus point',
  sources: 'the crops for other screens',
  poster: 'the poster',
};

type UnreadAsset = { readonly id: number; readonly where: string };

/** `4711, 4712 in data-src; 5 in an inline script`. */
function listUnread(assets: readonly UnreadAsset[]): string {
  const places = [...Map.groupBy(assets, ({ where }) => where)];
  const named = places.map(([where, same]) => `${listIds(same.map(({ id }) => id))} in ${where}`);
  return listNames(named, '; ');
}

const commandErrors = {
  'command-usage': {
    message: (details: { problem: string }) => details.problem,
    hint: 'Run `media-asset --help`.',
  },
  'astro-missing': {
    message: "The command needs Astro to {task}, but Astro isn't installed here.",
    hint: 'Run `npm install`, or `npm install astro`. Without Astro, `scan`, `plan` and `report` work with any folder of HTML.',
  },
  'config-unloadable': {
    message: (details: { file: string; problem: string }) =>
      `${details.file} can't be loaded: ${oneLine(details.problem)}`,
    hint: 'Correct the file, or run `npm install`. `npx astro sync` shows the same mistake with its place.',
  },
  'import-record-broken': {
    message: "{file} isn't the record of an import into {service}.",
    hint: 'Restore the file, or delete it: images that the folder has already are found again.',
  },
  'import-build-failed': {
    message: ({ when, reason }: { when: 'before' | 'after'; reason: string }) =>
      when === 'before'
        ? `The site doesn't build, so nothing was changed:\n${reason}`
        : `The site didn't build after the import, so the sources are as they were:\n${reason}`,
    hint: 'Repair what stops the build, or pass --no-check and look at the changes yourself. Uploaded images stay in the service.',
  },
  'import-unclean': {
    message: ({ files }: { files: readonly string[] }) =>
      `These aren't in Git as they are now: ${listNames(files)}.`,
    hint: 'Commit them first, so that you can see and undo what the import changes. Or pass --force.',
  },
  'port-busy': {
    message: 'Port {port} of 127.0.0.1 is in use.',
    hint: 'End the other program, or choose another --port (0 takes a free one). For a sign-in, the client ID has to allow it.',
  },
} as const satisfies CatalogueEntries;

const emulatorErrors = {
  'emulator-media-unusable': {
    message: "The media folder {folder} can't be used: {problem}.",
    hint: 'Name a readable folder of images: media-asset emulator --media <folder>.',
  },
  'emulator-data-unusable': {
    message: "The emulator's data folder {folder} can't be used: {problem}.",
    hint: 'End another emulator that uses it, or name another folder: --data <folder>.',
  },
} as const satisfies CatalogueEntries;

/**
 * Every error and finding of the product: its permanent code, its message (what happened and
 * why, naming the page, file, asset or URL) and its hint (what to do next).
 *
 * Messages avoid the words "document" and "window": Astro replaces the hint of an error whose
 * message holds one of them.
 */
export const catalogue = {
  ...configurationErrors,
  ...requestErrors,
  ...serviceErrors,
  ...signInErrors,
  ...imageErrors,
  ...fileErrors,
  ...recordErrors,
  ...pageErrors,
  ...usageErrors,
  ...libraryErrors,
  ...commandErrors,
  ...emulatorErrors,
};
