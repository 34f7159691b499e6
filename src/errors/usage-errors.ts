import { type CatalogueEntries, countOf } from './wording.ts';

const unknownBuilds = {
  'no build': "doesn't exist, so no build is known",
  'no digests': 'has no digests of assets, so there is nothing to compare',
  'no assets': 'has nothing to compare: its pages show no assets',
  'no rights': 'has no dates: the site reads no rights, or an older version has built it',
};

/** Usages: the ledger, its stores, the plan and its requests. */
export const usageErrors = {
  /**
   * That's right for a first build. If there was a ledger before, `media-asset reconcile <folder>
   * --all` removes what is out of date.
   */
  'ledger-missing': {
    message: 'No ledger yet: all usages are reported.',
    hint: 'In CI, keep it from build to build. If `site` or `base` has changed, remove the usages of the old address with `media-asset retire --site <old site> --base <old base>`.',
  },
  /** The state was lost, or restored from an older copy. Usages since then may still be listed. */
  'ledger-gap': {
    message: "The service's list may be wrong: {gap}",
    hint: 'Run `media-asset reconcile <folder> --all --yes` once, which compares the whole library. In CI, keep `.media-asset` from build to build.',
  },
  'clock-ahead': {
    message:
      'A build started at {startedAt} by the clock of its machine, which is later than {now}. That start counts as unknown.',
    hint: 'Set the clock of the machine that built.',
  },
  /** `withdraw` relies on `--first`, so it must be right. */
  'history-not-first': {
    message: '--first says that nothing was published before, but the build {build} was.',
    hint: 'Report without --first. If you know that no URL is missing, run `media-asset withdraw <id> --complete-before <date>`.',
  },
  'witness-taken': {
    message:
      'The site has a file of its own at {path}, where each build says which build is online.',
    hint: "Rename the site's file, such as in `public/` or `src/pages/`.",
  },
  /** Without it, a build can't tell which usages to remove. */
  'ledger-broken': {
    message: 'The ledger {path} is broken: {problem}.',
    hint: 'Update astro-media-asset, or restore the ledger from a backup. Without one, rename it, and run `media-asset reconcile <folder> --all`. Nothing was sent or overwritten.',
  },
  'ledger-foreign': {
    message: 'The ledger {path} belongs to {found}, not to {expected}.',
    hint: 'Give each site its own ledger. If `site` or `base` has changed, rename this one, and remove the usages of the old one with `media-asset retire --site … --base … --state …`. Nothing was sent.',
  },
  'ledger-unreadable': {
    message: "The ledger {path} couldn't be read.",
    hint: 'Check who may read it. Nothing was sent.',
  },
  'ledger-unwritable': {
    message: "The ledger {path} couldn't be written.",
    hint: "Check the permissions and the free space of its folder, or the store. The next run repairs what wasn't recorded.",
  },
  /** Two runs at once would undo each other's usages. */
  'ledger-busy': {
    message: '{path} is in use: {owner}.',
    hint: 'Run it again when that run has ended. The lock of a killed run expires within two minutes.',
  },
  'ledger-lost': {
    message: 'This run may no longer write the ledger {path}: {problem}.',
    hint: 'Build or run `media-asset report` again, one run at a time. If the store lost data, run `media-asset reconcile <folder> --all`, and make the store durable (in Redis: persistence, and no eviction of keys).',
  },
  /** Nothing is sent unless it can be recorded. The site can still be published. */
  'store-unreachable': {
    message: ({ path, problem }: { path: string; problem?: string }) =>
      `The store of the ledger ${path} couldn't be reached, or didn't answer in time${problem ? `: ${problem}` : ''}.`,
    hint: 'Check the address and the network, and run it again. Nothing was overwritten, and the next run sends what is missing.',
  },
  'history-broken': {
    message: 'The publication history {path} is broken: {problem}.',
    hint: 'Update astro-media-asset, or restore the history from a backup. Without one, rename it: `media-asset withdraw` then knows only later URLs. Nothing was sent or overwritten.',
  },
  'report-older-build': {
    message:
      'This build started at {startedAt}, before the one that was reported last ({reported}), so nothing was sent.',
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
    message:
      '{removals} of {known} known usages would be removed, more than the guard allows ({limit}). They are held until you approve them.',
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
    hint: 'Fix the asset or its rights in the service, or remove it from the page. The next run retries.',
    hintFor: ({ removed }: { removed: boolean }) =>
      removed
        ? 'Remove the usage in the service, then run `media-asset reconcile <folder>`. Until then, each run tries again.'
        : undefined,
  },
  'usages-refused': {
    message: (details: { refused: number; status: number; answer: string }) =>
      `The service refused ${countOf(details.refused, 'usage')} and accepted none; the last one with ${details.status}${details.answer && `: ${details.answer}`}.`,
    hint: "Check the service's address, and that these credentials may report usages. `media-asset status` lists the refused ones. The next run tries again.",
  },
  'usage-unsent': {
    message: ({ unsent, reason }: { unsent: number; reason: string }) =>
      `${countOf(unsent, 'usage')} unsent: ${reason}`,
    hint: 'Build or run the command again. If the service refuses an asset, fix it there or remove it.',
  },
  'usage-unsent-too-long': {
    message: ({ unsent, days, since }: { unsent: number; days: number; since: string }) =>
      `${countOf(unsent, 'usage')} unsent, the first since ${since}, longer than ${days} days.`,
    hint: 'Run `media-asset report` when the service is back. If it refuses an asset, remove it from the page, fix it in the service, or raise `report.maxUnsent`. `media-asset status` lists what it refuses.',
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
    message: ({ path, has }: { path: string; has: keyof typeof unknownBuilds }) =>
      `${path} ${unknownBuilds[has] ?? unknownBuilds['no digests']}.`,
    hint: 'Build the site in this folder, with `site` in the Astro config, or restore `.media-asset` of its last build.',
  },
  'rules-missing': {
    message:
      'The site URL is unknown: there is no --site, and no .media-asset/build.json in this folder.',
    hint: "Run the command in the site's folder, after its build. If Astro doesn't build the site, pass --site https://www.example.org.",
  },
  'rules-broken': {
    message: "The build rules in {path} couldn't be read: {problem}.",
    hint: 'Build the site again. The build writes them.',
  },
  'listing-ended': {
    message: 'The run ended before the service had listed everything.',
    hint: 'Run `media-asset reconcile <folder>` again, and let it finish.',
  },
  'usages-not-listed': {
    message: "The service {service} doesn't list usages: it answered each list with {status}.",
    hint: 'Restore a lost ledger from an earlier build. Without one, run `media-asset report`, and remove old usages in the service by hand. Nothing was changed.',
  },
  'listing-refused': {
    /** `answer`: its status, or what is wrong with it. */
    message: (details: { what: 'assets' | 'folders'; id: number; answer: string }) =>
      `The ${details.what === 'assets' ? 'usages of asset' : 'files of folder'} ${details.id} couldn't be listed: the service answered ${details.answer}.`,
    subject: ({ what, id }: { what: string; id: number }) => (what === 'assets' ? { id } : {}),
    hint: 'Check what the credentials may see. The asset may be gone. For an unknown form, `media-asset usages <id>` shows the answer.',
  },
  'usages-not-removed': {
    message: (details: { pairs: number }) =>
      `The service accepts removals, but still lists ${countOf(details.pairs, 'usage')} as often as before.`,
    hint: 'Remove the repeated usages in the service by hand, then run `media-asset reconcile <folder>` again.',
  },
} as const satisfies CatalogueEntries;
