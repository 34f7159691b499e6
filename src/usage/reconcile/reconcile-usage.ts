import { decodePath } from '../../errors/decode-path.ts';
import { type Finding, mediaAssetError } from '../../errors/errors.ts';
import type { MediaService, UsageRecord } from '../../service/types.ts';
import { dayOf } from '../../storage/day.ts';
import { underLease } from '../../storage/lease.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { ownPages, siteUrl } from '../ledger/ledger-identity.ts';
import type { StateStore } from '../ledger/open-state-store.ts';
import { isPage, loadHistory } from '../ledger/publication-history.ts';
import { formatLedger, ledgerChunks, loadLedger } from '../ledger/stored-ledger.ts';
import type { SiteFields } from '../plan/plan-usage.ts';
import type { ReportResult } from '../report/report-result.ts';
import { type ReportRun, reportUsage } from '../report/report-usage.ts';
import { type Listing, listAssetUsages } from './list-usages.ts';
import { reconcileLedger, usageDrift } from './reconcile-ledger.ts';

/**
 * Makes ledger and service agree with a manifest if the ledger can't be trusted: puts the service's
 * own list into the ledger, then reports the manifest as usual. Leaves usages alone that another
 * project has reported below the same site and base. First removes usages that are listed several
 * times with the same fields, as often as needed.
 */
export async function reconcileUsage(
  run: ReportRun & Pick<LedgerRepair, 'service' | 'history' | 'ids' | 'isWhole'>,
): Promise<ReportResult> {
  const { onProgress: _, ...quiet } = run;
  const shown = new Map(run.manifest.pages.map(({ page, assets }) => [page, assets]));
  const findings: Finding[] = [];
  const sums = { reported: 0, removed: 0, requests: 0 };
  let { ids, isWhole } = run;
  let names: OwnNames | undefined;
  let times = Number.POSITIVE_INFINITY;
  for (;;) {
    const { repeated, ...repair } = await repairLedger({ ...quiet, ids, names, isWhole });
    const before = times;
    times = repeated.reduce((sum, pair) => sum + pair.times, 0);
    if (times > 0 && times >= before) {
      throw mediaAssetError('usages-not-removed', { pairs: repeated.length });
    }
    const kept = repeated.filter(({ page, id }) => shown.get(page)?.includes(id));
    const takeOut = kept.length > 0 ? kept : undefined;
    const result = await reportUsage({ ...run, takeOut, serviceAnswered: true });
    findings.push(...repair.findings, ...result.findings);
    sums.requests += result.requests;
    sums.reported += result.reported;
    if (!takeOut) sums.removed += result.removed;
    if (repeated.length === 0 || result.outcome !== 'done') {
      return { ...result, ...sums, findings };
    }
    ids = [...new Set(repeated.map(({ id }) => id))];
    isWhole &&= repair.findings.length === 0;
    // The ledger may just have lost its last usage under a former name, while the service has more.
    names = repair.names;
  }
}

interface LedgerRepair
  extends Pick<
    ReportRun,
    'store' | 'identity' | 'fields' | 'manifest' | 'clock' | 'onProgress' | 'signal'
  > {
  readonly service: Pick<MediaService, 'baseUrl' | 'usages'>;
  readonly history?: StateStore | undefined;
  readonly ids: readonly number[];
  /** The names whose usages belong to this site. @default those of the fields and the ledger */
  readonly names?: OwnNames | undefined;
  /** Whether `ids` has every asset of the library that has usages here. Closes the ledger's gap. */
  readonly isWhole?: boolean | undefined;
}

/** Puts the service's list of this project into the ledger, while no run can send. */
async function repairLedger({ names: given, ...run }: LedgerRepair) {
  const { store, identity, fields, manifest } = run;
  return underLease(store.lock(run.signal), async (lease) => {
    const { ledger: known, tag } = await loadLedger(store, identity);
    const beforeEach = () => lease.renew();
    const listed = await listAssetUsages(run.service, run.ids, { ...run, beforeEach });
    const kept = run.history && (await loadHistory(run.history, identity.service));
    const last = kept?.builds.findLast((one) => one.site === siteUrl(identity));
    const closed = { ...known, gap: undefined, build: last?.build ?? known.build };
    const ledger = run.isWhole && listed.findings.length === 0 ? closed : known;
    const names = given ?? ownNames(ledger, fields);
    const { listing } = splitListing(listed.listing, { ledger, manifest, names });
    const today = dayOf(run.clock());
    const reconciled = reconcileLedger({ ledger, listing, manifest, fields, today });
    if (tag === undefined || formatLedger(reconciled.ledger) !== formatLedger(known)) {
      await lease.renew();
      await lease.write(ledgerChunks(reconciled.ledger), tag);
    }
    return { ...reconciled, names, findings: listed.findings };
  });
}

/**
 * Requests the usages of the assets that the ledger or a page names, and of `others`, and compares
 * them. With `others`, also those that the history knows on the site's pages: a ledger that is only
 * older doesn't name them, and no folder may list them. Changes nothing. Returns:
 *
 * - `leftAlone`: usages that another project has reported below this site and base
 * - `assets`: the number of requested assets; `unlisted`: of those that the service refused to list
 * - `isAnswered`: whether the service listed them all, except deleted assets
 * - `ids`: the listed assets that the ledger or a page names, or that are listed on the site's pages
 */
export async function lookUpUsages({
  others,
  ...run
}: Omit<LedgerRepair, 'ids' | 'names'> & { readonly others: readonly number[] }) {
  const { identity, fields, manifest } = run;
  const { ledger } = await loadLedger(run.store, identity);
  const known = [...ledger.pages.values()].flat().flatMap(({ ids }) => ids);
  const shown = manifest.pages.flatMap(({ assets }) => assets);
  const named = new Set([...known, ...shown]);
  const isOwn = ownPages(identity);
  const history = others.length > 0 && run.history;
  const kept = history ? await loadHistory(history, identity.service) : undefined;
  const published = kept?.history.filter((one) => isPage(one) && isOwn(one.url)) ?? [];
  const all = new Set([...named, ...others, ...published.map(({ id }) => id)]);
  const asked = [...all].sort((a, b) => a - b);
  const listed = await listAssetUsages(run.service, asked, run);
  const present = new Set([...shown, ...others]);
  // A deleted asset has no usages. One that a page or folder has may only be hidden.
  const findings = listed.findings.filter(
    ({ asset = 0, details }) =>
      present.has(asset) || !/^with 4(?:04|10)$/.test(`${details?.answer}`),
  );
  const names = ownNames(ledger, fields);
  const { listing, leftAlone } = splitListing(listed.listing, { ledger, manifest, names });
  const isListed = (id: number) => listing.get(id)?.some(({ page }) => isOwn(page)) ?? false;
  return {
    drift: usageDrift({ ledger, listing, manifest, fields, today: dayOf(run.clock()) }),
    ...{ ledger, leftAlone, findings },
    isAnswered: findings.length === 0,
    ...{ assets: asked.length, unlisted: asked.length - listing.size },
    // Requesting only the refused assets again would look like a service that lists nothing.
    ids: asked.filter((id) => listing.has(id) && (named.has(id) || isListed(id))),
  };
}

/** A usage below this site and base that another project has reported. */
export type OtherUsage = Readonly<ReturnType<typeof splitListing>['leftAlone'][number]>;

type OwnNames = Readonly<ReturnType<typeof ownNames>>;

/**
 * The projects and contacts whose usages belong to this site, trimmed like in a listing: those that it
 * reports under, and those that its ledger holds.
 */
function ownNames(ledger: Ledger, fields: SiteFields) {
  const known = [fields, ...[...ledger.pages.values()].flat()];
  return {
    projects: new Set(known.map(({ project }) => project.trim())),
    contacts: new Set(known.map(({ contact }) => contact.trim())),
  };
}

/**
 * Removes usages from a listing that another project has reported below the same site and base. For
 * example, a site at `/` finds those of one at `/shop`. A usage belongs to this site if the service
 * gives no project and no contact, or if each one that it gives is one of the site's own names.
 *
 * Services may list a page's URL decoded, or without its last slash. A usage that the page shows gets
 * its URL, unless the asset is listed under that one too, or the ledger has the other.
 */
function splitListing(
  listing: Listing,
  { ledger, manifest, names }: Pick<LedgerRepair, 'manifest'> & { ledger: Ledger; names: OwnNames },
) {
  const isBelow = ownPages(ledger);
  const isOther = ({ page, project, contact }: UsageRecord) =>
    isBelow(page) &&
    ((project !== undefined && !names.projects.has(project)) ||
      (contact !== undefined && !names.contacts.has(contact)));
  const plain = (page: string) => decodePath(page, decodeURIComponent).replace(/\/$/, '');
  const shown = new Map(manifest.pages.map((one) => [plain(one.page), one]));
  const split = Array.from(listing, ([id, records]) => {
    const listed = new Set(records.map(({ page }) => page));
    const spelled = records.map((record) => {
      const { page = '', assets } = shown.get(plain(record.page)) ?? {};
      const isKept = !assets?.includes(id) || listed.has(page) || ledger.pages.has(record.page);
      return isKept ? record : { ...record, page };
    });
    const others = spelled.filter(isOther).map(({ page, pageName, project, contact }) => {
      return { page, pageName, id, project, contact };
    });
    return { id, others, own: spelled.filter((record) => !isOther(record)) };
  });
  return {
    listing: new Map(split.map(({ id, own }) => [id, own])) satisfies Listing,
    leftAlone: split.flatMap(({ others }) => others),
  };
}
