import { type CatalogueEntries, countOf } from './wording.ts';

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
    hint: 'Ignore this for a first report: the ledger is made now. In CI, keep the .media-asset folder, or the store of `report.store`, from build to build. If there was a ledger, run `media-asset reconcile <folder> --all`: without it usages that have ended are not found.',
  },
  'ledger-broken': {
    message: (details: { path: string; problem: string }) =>
      `The ledger ${details.path} is broken: ${details.problem}.`,
    hint: 'Bring it back from an earlier build or a backup, or move it away (rename the file, or its key in the store). Then run `media-asset reconcile <folder> --all`: it lacks what has been reported since. Nothing was sent and nothing overwritten.',
  },
  'ledger-newer': {
    message: (details: { path: string; version: number }) =>
      `The ledger ${details.path} has version ${details.version}, written by a newer astro-media-asset.`,
    hint: 'Update astro-media-asset here too. Nothing was sent.',
  },
  'ledger-foreign': {
    message: (details: { path: string; found: string; expected: string }) =>
      `The ledger ${details.path} belongs to ${details.found}, not to ${details.expected}.`,
    hint: 'Give each site its own ledger. Nothing was sent.',
  },
  'ledger-unreadable': {
    message: (details: { path: string }) => `The ledger ${details.path} could not be read.`,
    hint: 'Check the place: a file that this user may read, or a key of the store that this account may read and that holds text. Nothing was sent.',
  },
  'ledger-unwritable': {
    message: (details: { path: string }) => `The ledger ${details.path} could not be written.`,
    hint: 'Check the rights and the free space there: of the file and its folder, or of the store and its account. What was not recorded is in doubt, and the next run puts it right.',
  },
  'ledger-busy': {
    message: (details: { path: string; owner: string }) =>
      `The ledger ${details.path} is in use: ${details.owner}.`,
    hint: 'Build or run `media-asset report` again when that run has ended. The lock of a killed run expires within two minutes.',
  },
  'ledger-lost': {
    message: (details: { path: string; problem: string }) =>
      `This run may no longer write the ledger ${details.path}: ${details.problem}.`,
    hint: 'Build or run `media-asset report` again, one run at a time: it puts right what has no recorded answer. If the store has lost data or went back to an older copy, run `media-asset reconcile <folder> --all`, and let the store keep what is written (in Redis: persistence, and no eviction of keys).',
  },
  'store-unreachable': {
    message: (details: { path: string }) =>
      `The store of the ledger ${details.path} could not be reached, or did not answer in time.`,
    hint: 'Check the address, the credentials and the network. Nothing was overwritten, and the next run puts right what has no recorded answer.',
  },
  'removals-held': {
    message: (details: { removals: number; known: number; limit: number }) =>
      `${details.removals} of ${details.known} known usages would be removed, more than the guard allows (${details.limit}). They are held.`,
    hint: 'Build once with MEDIA_ASSET_ALLOW_REMOVALS=1 if the pages are really gone, or run `media-asset report <folder>` once with --allow-removals.',
  },
  'usage-refused': {
    message: (details: { page: string; id: number; status: number; answer: string }) =>
      `The service refused the usage of asset ${details.id} on ${details.page} with ${details.status}${details.answer && `: ${details.answer}`}.`,
    hint: 'Check the asset in the service, and whether the credentials may see it. The usage is tried again with the next run.',
  },
  'usages-refused': {
    message: (details: { refused: number; status: number; answer: string }) =>
      `The service refused ${countOf(details.refused, 'usage')} and accepted none; the last one with ${details.status}${details.answer && `: ${details.answer}`}.`,
    hint: 'Check the address of the service, and whether it takes usages with these credentials. `media-asset status` names what was refused. Nothing more was sent, and all is kept for the next run.',
  },
  'usage-unsent': {
    message: (details: { unsent: number; unremoved: number; reason: string }) =>
      `${unsentText(details)}: ${details.reason}`,
    hint: 'Build or run `media-asset report` again: they are kept, and the next run sends them.',
  },
  'usage-unsent-too-long': {
    message: (details: { unsent: number; days: number; since: string }) =>
      `${countOf(details.unsent, 'usage')} unsent since ${details.since}, longer than ${details.days} days.`,
    hint: 'Run `media-asset report` when the service can be reached. Its list is out of date.',
  },
  'build-unfinished': {
    message: (details: { site: string; begunSince?: boolean }) =>
      details.begunSince
        ? `Another build has begun since, in the folder of ${details.site}.`
        : `The last build of ${details.site} was not finished, or had no credentials.`,
    hint: 'Build the site again, one build of a folder at a time. Its folder may lack pages: nothing was sent, nothing removed.',
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
  'listing-ended': {
    message: ({ what, listed, total }: ListingCounts) =>
      total === 0
        ? `The run was ended before the service had listed any ${what}.`
        : `The run was ended when the service had listed the ${what === 'assets' ? 'usages' : 'files'} of ${listed} of ${total} ${what}.`,
    hint: 'Run `media-asset reconcile` again, with a longer `--time-limit`. What was sent until then stands in the ledger; nothing else was changed.',
  },
  'usages-not-listed': {
    message: (details: { service: string; status: number }) =>
      `The service ${details.service} does not list usages: each list was answered with ${details.status}.`,
    hint: 'Bring a lost ledger back from an earlier build or the store. If there is none, `media-asset report` reports everything again; remove usages that have ended in the service by hand. Nothing was changed.',
  },
  'listing-refused': {
    message: (details: { what: string; status: number }) =>
      `${details.what} could not be listed: the service answered with ${details.status}.`,
    hint: 'Check what the credentials may see; an asset may be gone. What the ledger holds about it was left as it is.',
  },
  'usages-not-removed': {
    message: (details: { pairs: number }) =>
      `The service accepts removals, and still lists ${countOf(details.pairs, 'usage')} as often as before.`,
    hint: 'Remove the repeated usages in the service by hand, then run `media-asset reconcile` again.',
  },
} satisfies CatalogueEntries;
