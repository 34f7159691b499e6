import { type CatalogueEntries, countOf, listNames } from './wording.ts';

export interface ListingCounts {
  what: 'assets' | 'folders';
  listed: number;
  total: number;
}

export interface LedgerSite {
  site: string;
  base: string;
}

/** The number of usages that weren't reported, weren't removed, or both. */
function unsentText({ unsent, unremoved }: { unsent: number; unremoved: number }): string {
  if (unremoved === unsent) return `${countOf(unremoved, 'usage')} couldn't be removed`;
  const removals = unremoved > 0 ? `, and ${unremoved} not removed` : '';
  return `${countOf(unsent - unremoved, 'usage')} couldn't be reported${removals}`;
}

/** For a refused removal. Its page no longer shows the asset, or is gone. */
const removeByHand =
  'Remove the usage in the service, then run `media-asset reconcile`. Until then, each run tries again.';

/** Usages: the ledger, its stores, the plan and its requests. */
export const usageErrors = {
  /**
   * That's right for a first build. If there was a ledger before, `media-asset reconcile <folder>
   * --all` removes what is out of date.
   */
  'ledger-missing': {
    message: ({ others }: { others: readonly LedgerSite[] }) =>
      `No ledger yet: all usages are reported.${others.length > 0 ? ` The same store has the ledger of ${listNames(others.map(({ site, base }) => site + base))}.` : ''}`,
    hint: 'In CI, keep it from build to build.',
    hintFor: ({ others }: { others: readonly LedgerSite[] }) =>
      others.length > 0
        ? `If \`site\` or \`base\` has changed, remove the old usages with the old ledger: ${listNames(others.map(({ site, base }) => `\`media-asset retire --site ${site} --base ${base || '/'}\``))}.`
        : undefined,
  },
  /** Without it, a build can't tell which usages to remove. */
  'ledger-broken': {
    message: (details: { path: string; problem: string }) =>
      `The ledger ${details.path} is broken: ${details.problem}.`,
    hint: 'Restore it from a backup, or rename it. Then run `media-asset reconcile <folder> --all`. Nothing was sent or overwritten.',
  },
  'ledger-newer': {
    message: (details: { path: string; version: number }) =>
      `The ledger ${details.path} has version ${details.version}, which a newer astro-media-asset wrote.`,
    hint: 'Update astro-media-asset here too. Nothing was sent.',
  },
  'ledger-foreign': {
    message: (details: { path: string; found: string; expected: string }) =>
      `The ledger ${details.path} belongs to ${details.found}, not to ${details.expected}.`,
    hint: 'Give each site its own ledger. If `site` or `base` has changed, rename this one, and remove the usages of the old one with `media-asset retire --site … --base … --state …`. Nothing was sent.',
  },
  'ledger-unreadable': {
    message: (details: { path: string }) => `The ledger ${details.path} couldn't be read.`,
    hint: 'Check who may read it. Nothing was sent.',
  },
  'ledger-unwritable': {
    message: (details: { path: string }) => `The ledger ${details.path} couldn't be written.`,
    hint: "Check the permissions and the free space of its folder, or the store. The next run repairs what wasn't recorded.",
  },
  /** Two runs at once would undo each other's usages. */
  'ledger-busy': {
    message: (details: { path: string; owner: string }) =>
      `The ledger ${details.path} is in use: ${details.owner}.`,
    hint: 'Build or run `media-asset report` again when that run has ended. The lock of a killed run expires within two minutes.',
  },
  'ledger-lost': {
    message: (details: { path: string; problem: string }) =>
      `This run may no longer write the ledger ${details.path}: ${details.problem}.`,
    hint: 'Build or run `media-asset report` again, one run at a time. If the store lost data, run `media-asset reconcile <folder> --all`, and make the store durable (in Redis: persistence, and no eviction of keys).',
  },
  /** Nothing is sent unless it can be recorded. The site can still be published. */
  'store-unreachable': {
    message: ({ path, problem }: { path: string; problem?: string }) =>
      `The store of the ledger ${path} couldn't be reached, or didn't answer in time${problem ? `: ${problem}` : ''}.`,
    hint: 'Check the address and the network, and run it again. Nothing was overwritten, and the next run sends what is missing.',
  },
  'history-broken': {
    message: (details: { path: string; problem: string }) =>
      `The publication history ${details.path} is broken: ${details.problem}.`,
    hint: 'Update astro-media-asset, or restore the history from a backup. Without one, rename it: `media-asset withdraw` then knows only later URLs. Nothing was sent or overwritten.',
  },
  'report-older-build': {
    message: (details: { startedAt: string; reported: string }) =>
      `This build started at ${details.startedAt}, before the one that was reported last (${details.reported}), so nothing was sent.`,
    hint: 'Report the latest build. If you rolled the site back to this one, run `media-asset report <folder>` once with --rollback.',
  },
  /** The report would remove usages of the live site. */
  'report-preview': {
    message: (details: { name: string; preview: string | undefined }) =>
      `${details.name} says that this run is ${details.preview}, so nothing was sent.`,
    hint: 'Report from a build of the production branch. To report anyway, set MEDIA_ASSET_REPORT=always.',
  },
  /** This is often a mistake, such as a build with missing content. */
  'removals-held': {
    message: (details: { removals: number; known: number; limit: number }) =>
      `${details.removals} of ${details.known} known usages would be removed, more than the guard allows (${details.limit}). They are held until you approve them.`,
    hint: 'If the pages are really gone, build or report once with MEDIA_ASSET_ALLOW_REMOVALS=1 (in CI: the input of your workflow), or run `media-asset report <folder>` once with --allow-removals.',
  },
  'usage-refused': {
    message: (details: {
      page: string;
      id: number;
      removed: boolean;
      status: number;
      answer: string;
      since: string;
    }) =>
      `The service has refused ${details.removed ? 'to remove ' : ''}asset ${details.id} on ${details.page} since ${details.since} with ${details.status}${details.answer && `: ${details.answer}`}.`,
    hint: 'Fix the asset or its rights in the service, or remove it from the page (a use: `media-asset use … --remove`). The next run retries.',
    hintFor: ({ removed }: { removed: boolean }) => (removed ? removeByHand : undefined),
  },
  'usages-refused': {
    message: (details: { refused: number; status: number; answer: string }) =>
      `The service refused ${countOf(details.refused, 'usage')} and accepted none; the last one with ${details.status}${details.answer && `: ${details.answer}`}.`,
    hint: "Check the service's address, and that these credentials may report usages. `media-asset status` lists the refused ones. The next run tries again.",
  },
  'usage-unsent': {
    message: (details: { unsent: number; unremoved: number; reason: string }) =>
      `${unsentText(details)}: ${details.reason}`,
    hint: 'Build or run the command again. If the service refuses an asset, fix it there or remove it.',
  },
  'usage-unsent-too-long': {
    message: (details: {
      unsent: number;
      days: number;
      since: string;
      refused: string;
      /** Whether the first of them is a refused removal. */
      removed?: boolean;
    }) =>
      `${countOf(details.unsent, 'usage')} unsent, the first since ${details.since}, longer than ${details.days} days.${details.refused && ` ${details.refused}`}`,
    hint: 'Run `media-asset report` when the service is back. If it refuses an asset, remove it from the page, fix it in the service, or raise `report.maxUnsent`.',
    hintFor: ({ removed = false }: { removed?: boolean }) => (removed ? removeByHand : undefined),
  },
  /** The folder may lack pages, and their usages would be removed. */
  'build-unfinished': {
    message: (details: { site: string; begunSince?: boolean }) =>
      details.begunSince
        ? `Another build of ${details.site} has started in this folder.`
        : `The last build of ${details.site} didn't finish, or had no credentials.`,
    hint: 'Build the site again, one build at a time. Until then, nothing is sent or compared.',
  },
  'build-unknown': {
    message: ({ path, has }: { path: string; has: 'no build' | 'no digests' | 'no assets' }) =>
      has === 'no build'
        ? `There is no ${path}, so no build is known to compare with.`
        : `The build in ${path} has nothing to compare: ${has === 'no assets' ? 'its pages show no assets' : 'it left no digests of its assets'}.`,
    hint: 'Build the site in this folder, with `site` in the Astro config, or restore `.media-asset` of its last build.',
  },
  'rules-missing': {
    message: () =>
      'The site URL is unknown: there is no --site, and no .media-asset/build.json in this folder.',
    hint: 'Pass --site https://www.example.org, or run the command where the site was built.',
  },
  'rules-broken': {
    message: (details: { path: string; problem: string }) =>
      `The build rules in ${details.path} couldn't be read: ${details.problem}.`,
    hint: 'Build the site again. The build writes them.',
  },
  'listing-ended': {
    message: ({ what, listed, total }: ListingCounts) =>
      total === 0
        ? `The run ended before the service had listed any ${what}.`
        : `The run ended when the service had listed the ${what === 'assets' ? 'usages' : 'files'} of ${listed} of ${total} ${what}.`,
    hint: 'Run `media-asset reconcile` again, with a longer `--time-limit`.',
  },
  'usages-not-listed': {
    message: (details: { service: string; status: number }) =>
      `The service ${details.service} doesn't list usages: it answered each list with ${details.status}.`,
    hint: 'Restore a lost ledger from an earlier build. Without one, run `media-asset report`, and remove old usages in the service by hand. Nothing was changed.',
  },
  'listing-refused': {
    message: (details: { what: 'assets' | 'folders'; id: number; status: number }) =>
      `The ${details.what === 'assets' ? 'usages of asset' : 'files of folder'} ${details.id} couldn't be listed: the service answered with ${details.status}.`,
    subject: ({ what, id }: { what: string; id: number }) => (what === 'assets' ? { id } : {}),
    hint: 'Check what the credentials may see. The asset may be gone.',
  },
  'usages-not-removed': {
    message: (details: { pairs: number }) =>
      `The service accepts removals, but still lists ${countOf(details.pairs, 'usage')} as often as before.`,
    hint: 'Remove the repeated usages in the service by hand, then run `media-asset reconcile` again.',
  },
} satisfies CatalogueEntries;
