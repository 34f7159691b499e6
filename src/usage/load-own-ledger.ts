import pLimit from 'p-limit';
import { finding, mediaAssetError } from '../errors.ts';
import type { Manifest } from '../scan/manifest.ts';
import { basePath } from '../scan/page-url.ts';
import { type Ledger, type PairSet, withoutPairs } from './ledger.ts';
import { type LedgerIdentity, ledgerIdentity } from './ledger-identity.ts';
import { parseLedger } from './ledger-json.ts';
import { type LoadedLedger, loadLedger } from './load-ledger.ts';
import type { StateStore } from './state-store.ts';

/** Other bases whose ledgers are looked for: more than folders of a site become sites at one time. */
const mostBases = 1000;

/** Of them, those that are read at once. */
const concurrency = 4;

export interface OwnLedger extends LoadedLedger {
  /** Whether pairs were left to another ledger, so that this one is to be written without them. */
  readonly hasShared: boolean;
}

/**
 * Loads the ledger that a manifest is planned from: without what is no longer shown and another ledger
 * of the same service and site, in the same place, holds as confirmed. So it is with a site that was
 * merged into another one, whose pages keep their addresses: the service has one usage of such a pair,
 * and a removal would take the other's. The notice `usages-shared` names each such ledger.
 *
 * A ledger that owns a page has a base above it: so it is looked for by its name. What another holds
 * in doubt is removed here all the same: its own next run settles it, unless it is under way just now.
 *
 * @throws as `loadLedger` does; `ledger-newer` also for another one
 */
export async function loadOwnLedger({
  store,
  identity,
  manifest,
  keepsBroken = false,
}: {
  store: StateStore;
  identity: LedgerIdentity;
  manifest: Pick<Manifest, 'pages'>;
  keepsBroken?: boolean;
}): Promise<OwnLedger> {
  const loaded = await loadLedger(store, identity, { keepsBroken });
  const gone = gonePairs(loaded.ledger, manifest);
  let { ledger } = loaded;
  const findings = [...loaded.findings];
  for (const other of await ledgersAbove(store, { identity, pairs: gone })) {
    const shared = confirmedIn(other, gone);
    const pairs = [...shared.values()].reduce((sum, ids) => sum + ids.size, 0);
    if (pairs === 0) continue;
    const { site, base } = other;
    ledger = withoutPairs(ledger, shared);
    findings.push(finding('notice', 'usages-shared', site, { pairs, site, base }));
  }
  return { ...loaded, ledger, findings, hasShared: ledger !== loaded.ledger };
}

/** The other ledgers that may hold some of these pairs. Of what is no whole ledger nothing can be said. */
async function ledgersAbove(
  { readOther }: StateStore,
  { identity, pairs }: { identity: LedgerIdentity; pairs: PairSet },
): Promise<Ledger[]> {
  if (!readOther) return [];
  const { service, site, base: own } = ledgerIdentity(identity);
  const bases = basesOf(pairs.keys())
    .filter((base) => base !== own)
    .slice(0, mostBases);
  const found = await pLimit(concurrency).map(bases, async (base) => {
    const state = await readOther({ service, site, base });
    const reading = state && parseLedger(state.text);
    if (reading?.kind === 'newer') {
      // It may hold what would be removed.
      const path = `of ${site}${base}`;
      throw mediaAssetError('ledger-newer', { path, version: reading.version });
    }
    return reading?.kind === 'ledger' ? [reading.ledger] : [];
  });
  return found.flat();
}

/** What a ledger knows and a manifest does not show. */
function gonePairs(ledger: Ledger, manifest: Pick<Manifest, 'pages'>): PairSet {
  const shown = new Map(manifest.pages.map(({ page, assets }) => [page, assets]));
  const gone = new Map<string, ReadonlySet<number>>();
  for (const [page, records] of ledger.pages) {
    const assets = shown.get(page) ?? [];
    // On most pages nothing has changed.
    if (records.every(({ ids }) => areShown(ids, assets))) continue;
    const ids = new Set(records.flatMap((record) => record.ids));
    for (const { id } of assets) ids.delete(id);
    if (ids.size > 0) gone.set(page, ids);
  }
  return gone;
}

function areShown(ids: readonly number[], assets: readonly { readonly id: number }[]): boolean {
  return ids.length === assets.length && ids.every((id, index) => id === assets[index]?.id);
}

/** The paths that pages lie below: those with the most pages first, of equal ones the highest. */
function basesOf(pages: Iterable<string>): string[] {
  const counts = new Map<string, number>();
  for (const page of pages) {
    const names = decodedPath(page).split('/').slice(1);
    for (let depth = 0; depth <= names.length; depth += 1) {
      const base = basePath(names.slice(0, depth).join('/'));
      counts.set(base, (counts.get(base) ?? 0) + 1);
    }
  }
  return [...counts]
    .sort(([a, most], [b, many]) => many - most || a.length - b.length)
    .map(([base]) => base);
}

/** As a config names a base. */
function decodedPath(page: string): string {
  const { pathname } = new URL(page);
  try {
    return decodeURI(pathname);
  } catch {
    // A lone percent sign: such a path names itself.
    return pathname;
  }
}

function confirmedIn({ pages }: Ledger, pairs: PairSet): PairSet {
  const found = new Map<string, ReadonlySet<number>>();
  for (const [page, ids] of pairs) {
    const confirmed = pages.get(page)?.filter(({ state }) => state === 'confirmed') ?? [];
    const both = confirmed.flatMap((record) => record.ids.filter((id) => ids.has(id)));
    if (both.length > 0) found.set(page, new Set(both));
  }
  return found;
}
