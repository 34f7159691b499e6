import { createHash } from 'node:crypto';
import type { ResolvedOptions } from '../config/options.ts';
import { type Finding, isMediaAssetError, toFinding } from '../errors/errors.ts';
import type { Manifest } from '../scan/manifest.ts';
import type { SiteScan } from '../scan/scan-site.ts';
import { toUsageBody } from '../service/calls/usage-calls.ts';
import type { BuildRules } from './build-rules.ts';
import { ledgerIdentity, siteUrl } from './ledger/ledger-identity.ts';
import { openStateStore, type StateKind, waitForLedger } from './ledger/open-state-store.ts';
import { changeUses, type UseChange, usesManifest } from './ledger/project-uses.ts';
import { addPublication, changeHistory, readPublication } from './ledger/publication-history.ts';
import { loadLedger } from './ledger/stored-ledger.ts';
import { requestsOf } from './plan/plan-usage.ts';
import { planRun, type ReportRun, reportUsage, reportUses } from './report/report-usage.ts';

type SiteUsages = ReturnType<typeof openSiteUsages>;

/** Opens the ledger of a site and its publication history. Doesn't read or connect yet. */
export function openSiteUsages({
  rules,
  service,
  store,
  root,
  environment,
  onWait,
}: {
  rules: BuildRules;
  /** The base URL of the service. */
  service: string;
  /** The ledger's place. Default: in `root`. */
  store: ResolvedOptions['report']['store'];
  root: string;
  /** The variables of the process. In a `.env` file, an override would apply to every run. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Called once, with a sentence for people, if another run holds the ledger. */
  onWait: (text: string) => void;
}) {
  const { site, base, startedAt, project, contact, description, settings } = rules;
  const identity = { service, site, base };
  const open = (kind: StateKind) =>
    waitForLedger(openStateStore({ store, root, identity, kind }), { onWait });
  return {
    identity,
    fields: { project, contact, description },
    store: open('ledger'),
    /** The store of the publication history. */
    history: open('history'),
    /** The usages in projects: as a site's, in a ledger of their own for all sites. */
    projects: { identity: { service, site: '', base: '' }, store: open('uses') },
    startedAt,
    clock: Date.now,
    allowRemovals: environment.MEDIA_ASSET_ALLOW_REMOVALS === '1',
    maxIdsPerRequest: settings?.maxIdsPerRequest ?? 100,
  };
}

/**
 * A digest that distinguishes the pages of a build from a part of them, and from those of another
 * build. Without it, missing pages would count as removed. Their content doesn't matter, because
 * hosts rewrite it.
 */
export function pagesDigest({ pages }: Pick<Manifest, 'pages'>): string {
  const urls = pages.map(({ page }) => page).sort();
  return createHash('sha256').update(JSON.stringify(urls)).digest('hex').slice(0, 16);
}

/**
 * An outage of the ledger's store as a warning; `undefined` for any other error. During an outage,
 * nothing is planned, and nothing is sent that the ledger wouldn't record.
 */
export function storeOutage(error: unknown): Finding | undefined {
  if (!isMediaAssetError(error, 'store-unreachable')) return undefined;
  return toFinding('warning', error);
}

export function planSite(usages: SiteUsages, manifest: Manifest) {
  return planRun({ ...usages, manifest, rollback: true });
}

/**
 * Adds what a folder publishes to the history. Call before anything is sent: a run that's killed while it
 * sends has already published the pages, or will.
 */
export async function recordPublication(
  { history, store, identity }: Pick<SiteUsages, 'history' | 'store' | 'identity'>,
  scan: SiteScan,
  { dir, rules, signal }: { dir: string; rules: BuildRules; signal?: AbortSignal | undefined },
): Promise<void> {
  const publication = await readPublication(dir, rules, scan);
  const { service } = ledgerIdentity(identity);
  const { isFirst } = await loadLedger(store, identity);
  const { build } = publication;
  const { originals: sealed } = rules;
  const site = siteUrl(identity);
  await changeHistory({ store: history, service, signal, isFirst }, (known) => {
    const isNewest = (known.originals[site]?.build ?? '') <= build;
    return {
      ...known,
      history: addPublication(known.history, publication),
      ...(sealed && isNewest && { originals: { ...known.originals, [site]: { build, sealed } } }),
    };
  });
}

type SiteRun = Pick<
  ReportRun,
  | ('service' | 'serviceAnswered' | 'startedAt' | 'rollback')
  | ('maxUnsent' | 'onError' | 'onProgress' | 'signal')
>;

export function reportSite(usages: SiteUsages, manifest: Manifest, run: SiteRun) {
  return reportUsage({ ...usages, ...run, manifest });
}

/**
 * The plan of a change of uses in projects. `known`: the assets that its project has before it. Throws
 * `argument-invalid` for fields that can't be sent: in the ledger, they'd stop all later runs.
 */
export async function planProjects(usages: SiteUsages, change: UseChange) {
  const own = projectUsages(usages);
  const { ledger } = await loadLedger(own.store, own.identity);
  const { plan } = await planSite(own, usesManifest(changeUses(ledger.uses, change), change));
  for (const usage of requestsOf(plan.steps)) toUsageBody({ ...usage, page: '' });
  const wanted = (ledger.uses ?? []).filter(({ project }) => project === change.project);
  const told = ledger.pages.get(change.project) ?? [];
  const known = new Set([...wanted, ...told].flatMap(({ ids }) => ids));
  return { plan, known: [...known].sort((a, b) => a - b) };
}

export function reportProjects(usages: SiteUsages, change: UseChange, run: SiteRun) {
  return reportUses({ ...projectUsages(usages), ...run }, change);
}

function projectUsages(usages: SiteUsages): SiteUsages {
  return { ...usages, ...usages.projects, startedAt: undefined, allowRemovals: true };
}
