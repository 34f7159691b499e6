import type { CatalogueEntries } from './catalogue-entries.ts';
import { countOf } from './wording.ts';

export interface ListingCounts {
  what: 'assets' | 'folders';
  listed: number;
  total: number;
}

/** What was not sent: reports, removals, or some of both. */
function unsentText({ unsent, unremoved }: { unsent: number; unremoved: number }): string {
  if (unremoved === unsent) return `${countOf(unremoved, 'usage')} could not be removed`;
  const removals = unremoved > 0 ? `, and ${unremoved} not removed` : '';
  return `${countOf(unsent - unremoved, 'usage')} could not be reported${removals}`;
}

/** Usages: the ledger and its stores, what is planned and sent. */
export const usageErrors = {
  'ledger-missing': {
    message: (details: { path: string }) =>
      `This is the first report, or the ledger is gone: there is none at ${details.path}. Everything that the pages show is reported.`,
    hint: 'For a first report, all is well: the ledger is made now. In CI, keep the .media-asset folder, or the store of `report.store`, from build to build. Where there was a ledger, run `media-asset reconcile <folder> --all`: without it usages that have ended are not found.',
  },
  'ledger-broken': {
    message: (details: { path: string; problem: string; copy: string | undefined }) =>
      `The ledger ${details.path} is broken: ${details.problem}.${details.copy === undefined ? '' : ` A copy is kept as ${details.copy}.`}`,
    hint: 'Nothing was sent and nothing overwritten. Bring it back from an earlier build or a backup, or move it away (rename the file, or its key in the store). Either way run `media-asset reconcile <folder> --all` then: what has been reported since is not in it.',
  },
  'ledger-newer': {
    message: (details: { path: string; version: number }) =>
      `The ledger ${details.path} has version ${details.version}, written by a newer astro-media-asset.`,
    hint: 'Nothing was sent. Update astro-media-asset here too.',
  },
  'ledger-foreign': {
    message: (details: { path: string; found: string; expected: string }) =>
      `The ledger ${details.path} belongs to ${details.found}, not to ${details.expected}.`,
    hint: 'Nothing was sent. Give each site its own ledger.',
  },
  'ledger-unreadable': {
    message: (details: { path: string }) => `The ledger ${details.path} could not be read.`,
    hint: 'Nothing was sent. Check the place: a file that this user may read, or a key of the store that this account may read and that holds text.',
  },
  'ledger-unwritable': {
    message: (details: { path: string }) => `The ledger ${details.path} could not be written.`,
    hint: 'What was not recorded is in doubt and is put right by the next run. Check the rights and the free space there: of the file and its folder, or of the store and its account.',
  },
  'ledger-busy': {
    message: (details: { path: string; owner: string }) =>
      `The ledger ${details.path} is in use: ${details.owner}.`,
    hint: 'Once that run has ended, build or run `media-asset report` again. What a killed run has held is free after a minute or two.',
  },
  'lease-lost': {
    message: (details: { path: string }) =>
      `This run may no longer write the ledger ${details.path}: its lease is gone. Either this process stood still for so long that another run took over, or the store has lost the lease (emptied, restarted without its data, failed over to a copy).`,
    hint: 'Nothing more was sent; what has no recorded answer is put right by the next run: build or run `media-asset report` again. Where the store has lost data, run `media-asset reconcile <folder> --all`, and let the store keep what is written (in Redis: persistence, and no eviction of keys).',
  },
  'ledger-changed': {
    message: (details: { path: string }) =>
      `The ledger ${details.path} is no longer as this run has read it: another run has written it, somebody has replaced or removed it, or its store answers with an older copy.`,
    hint: 'It was not overwritten. Let one run report at a time, and build or run `media-asset report` again. Where the store went back to an older copy, run `media-asset reconcile <folder> --all`.',
  },
  'store-unreachable': {
    message: (details: { path: string }) =>
      `The store of the ledger ${details.path} could not be reached, or did not answer in time.`,
    hint: 'Nothing was overwritten, and what has no recorded answer is put right by the next run. Check the address, the credentials and the network.',
  },
  'store-package-missing': {
    message: (details: { path: string; package: string }) =>
      `The ledger ${details.path} needs the package ${details.package}, which could not be loaded.`,
    hint: 'Nothing was sent. Install it beside astro-media-asset: npm install redis.',
  },
  'removals-held': {
    message: (details: { removals: number; known: number; limit: number }) =>
      `${details.removals} of ${details.known} known usages would be removed, more than the guard allows (${details.limit}). They are held.`,
    hint: 'If the pages are really gone, build once with MEDIA_ASSET_ALLOW_REMOVALS=1, or run `media-asset report <folder>` once with --allow-removals.',
  },
  'usage-refused': {
    message: (details: { page: string; id: number; status: number; answer: string }) =>
      `The service refused the usage of asset ${details.id} on ${details.page} with ${details.status}${details.answer && `: ${details.answer}`}.`,
    hint: 'Check the asset in the service, and whether the credentials may see it. The usage is tried again with the next run.',
  },
  'usage-refused-more': {
    message: (details: { more: number }) =>
      `The service refused ${countOf(details.more, 'more usage')}.`,
    hint: 'They are tried again with the next run. `media-asset status` says how many were refused.',
  },
  'usages-refused': {
    message: (details: { refused: number; status: number; answer: string }) =>
      `The service refused ${countOf(details.refused, 'usage')} and accepted none; the last one with ${details.status}${details.answer && `: ${details.answer}`}.`,
    hint: 'Nothing more was sent, and all is kept for the next run. Check the address of the service, and whether it takes usages with these credentials. `media-asset status` names what was refused.',
  },
  'usage-unsent': {
    message: (details: { unsent: number; unremoved: number; reason: string }) =>
      `${unsentText(details)}: ${details.reason}`,
    hint: 'They are kept, and the next run tries again.',
  },
  'usage-unsent-too-long': {
    message: (details: { unsent: number; days: number; since: string }) =>
      `${countOf(details.unsent, 'usage')} unsent since ${details.since}, longer than ${details.days} days.`,
    hint: "The service's list is out of date. Run `media-asset report` when the service can be reached.",
  },
  'build-unfinished': {
    message: (details: { site: string; begunSince?: boolean }) =>
      details.begunSince
        ? `Another build has begun since, in the folder of ${details.site}.`
        : `The last build of ${details.site} was not finished.`,
    hint: 'Its folder may lack pages: nothing was sent, nothing removed. Build the site again, one build of a folder at a time.',
  },
  'rules-missing': {
    message: () =>
      'The address of the site is not known: there is no --site, and no .media-asset/build.json here.',
    hint: 'Pass --site https://www.example.org, or run the command in the folder where the site was built.',
  },
  'rules-broken': {
    message: (details: { path: string; problem: string }) =>
      `The rules of the build in ${details.path} could not be read: ${details.problem}.`,
    hint: 'Build the site again; the build writes them.',
  },
  'rules-unwritable': {
    message: (details: { path: string }) => `The build's rules ${details.path} were not written.`,
    hint: 'Check the rights and the free space.',
  },
  'markdown-unwritable': {
    message: (details: { path: string; problem: string }) =>
      `The Markdown about the usages could not be written to ${details.path}: ${details.problem}.`,
    hint: 'Name a file in a folder that is there and may be written to, with room for it. What was sent is recorded all the same.',
  },
  'listing-ended': {
    message: ({ what, listed, total }: ListingCounts) =>
      total === 0
        ? `The run was ended before the service had listed any ${what}.`
        : `The run was ended when the service had listed the ${what === 'assets' ? 'usages' : 'files'} of ${listed} of ${total} ${what}.`,
    hint: 'What was sent until then stands in the ledger; nothing else was changed. Run `media-asset reconcile` again; `--time-limit` gives it longer.',
  },
  'usages-not-listed': {
    message: (details: { service: string; status: number }) =>
      `The service ${details.service} does not list usages: each list was answered with ${details.status}.`,
    hint: 'Not every service does. Nothing was changed. A lost ledger: bring it back from an earlier build or the store; where there is none, `media-asset report` reports everything anew, and usages that have ended are removed in the service by hand.',
  },
  'usage-asset-unlisted': {
    message: (details: { id: number; status: number }) =>
      `The usages of asset ${details.id} could not be listed: the service answered with ${details.status}.`,
    hint: 'The asset may be gone. What the ledger holds about it was left as it is.',
  },
  'library-folder-unlisted': {
    message: (details: { id: number; status: number }) =>
      `The files of folder ${details.id} could not be listed: the service answered with ${details.status}.`,
    hint: 'The usages of its assets were looked up only where the ledger or a page names them. Check what the credentials may see.',
  },
  'usages-not-removed': {
    message: (details: { pairs: number }) =>
      `The service accepts removals, and still lists ${countOf(details.pairs, 'usage')} as often as before.`,
    hint: 'Remove the repeated usages in the service by hand, then run `media-asset reconcile` again.',
  },
} satisfies CatalogueEntries;
