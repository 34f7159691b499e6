import { mediaAssetError } from '../errors/errors.ts';
import type { Manifest } from '../scan/manifest.ts';
import { underLease } from '../storage/lease.ts';
import type { BuildRules } from './build-rules.ts';
import { addGaps, compareWitness, type WitnessAnswer } from './ledger/gaps.ts';
import { changeLedger } from './ledger/ledger.ts';
import { ownPages, siteUrl } from './ledger/ledger-identity.ts';
import { readLiveWitness } from './ledger/live-witness.ts';
import type { StateStore } from './ledger/open-state-store.ts';
import * as histories from './ledger/publication-history.ts';
import { ledgerChunks, loadLedger } from './ledger/stored-ledger.ts';
import { type ReportRun, sureStart } from './report/report-usage.ts';

export interface RecordOptions {
  /** Whether a person says that nothing was published before. */
  readonly first?: boolean | undefined;
  readonly rollback?: ReportRun['rollback'];
  readonly signal: AbortSignal | undefined;
}

type StateOfSite = Pick<ReportRun, 'store' | 'identity' | 'fields' | 'clock'> & {
  readonly history: StateStore;
};

/**
 * Compares ledger and history with the build that is online. `loaded`: the ledger with its gap. A lost one
 * has what the history knows: the service may list it.
 */
export async function compareState(
  { store, history, identity, fields, clock }: StateOfSite,
  { pages }: Pick<Manifest, 'pages'>,
  answer: WitnessAnswer,
) {
  const now = clock();
  const at = new Date(now).toISOString();
  const site = siteUrl(identity);
  const { service } = identity;
  const kept = await histories.loadHistory(history, service, now);
  const { history: published, builds } = kept ?? histories.newHistory(now);
  const loaded = await loadLedger(store, identity);
  // Another site's pages can be below this one's. Of a build without an ID, no one knows whose they are.
  const isBelow = ownPages(identity);
  const sites = new Map(builds.map(({ startedAt, site }) => [startedAt, site]));
  const shown = published.filter(({ kind, url }) => kind === 'page' && isBelow(url));
  const gaps = compareWitness(answer, {
    ...{ site, at, history: kept ?? { id: '', builds } },
    ledger: loaded.tag === undefined ? undefined : loaded.ledger,
    wasRecorded: [...sites.values(), ...shown.map(({ last }) => sites.get(last) ?? site)].includes(
      site,
    ),
  });
  if (gaps.ledger.kind === 'no gap') return { kept, gaps, loaded };
  const names = new Map(pages.map(({ page, pageName }) => [page, pageName]));
  const lost = shown.filter(({ last }) => !loaded.tag && sites.get(last) === site);
  const doubts = lost.map(({ url: page, id }) => {
    const told = { page, pageName: names.get(page) ?? '', ...fields, date: at.slice(0, 10) };
    return { ...told, ids: [id], state: 'in-doubt' as const };
  });
  const ledger = { ...changeLedger(loaded.ledger, doubts), gap: gaps.ledger };
  return { kept, gaps, loaded: { ...loaded, ledger } };
}

/**
 * Adds what a build publishes to the history, and what the live site says that ledger or history lack.
 * Call before anything is sent: a run that's killed while it sends has already published the pages, or
 * will.
 */
export async function recordPublication(
  usages: StateOfSite,
  manifest: Pick<Manifest, 'pages'>,
  options: RecordOptions & {
    rules: Pick<BuildRules, 'build' | 'history' | 'witness' | 'originals'>;
    publication: histories.Publication;
    readWitness?: typeof readLiveWitness;
  },
): Promise<void> {
  const { rules, publication, first, rollback, signal, readWitness = readLiveWitness } = options;
  const { store, history, identity, clock } = usages;
  const site = siteUrl(identity);
  const answer = await onlineBefore(rules, () => readWitness(site));
  const compare = () => compareState(usages, manifest, answer);
  const { kept, gaps, loaded } = await compare();
  const unnamed = 'without an ID';
  const before = [
    ...(kept?.builds.map(({ build }) => build) ?? []),
    ...(loaded.tag ? [loaded.ledger.build ?? unnamed] : []),
    ...(kept?.builds.length === 0 ? [unnamed] : []),
    ...(answer.kind === 'read' ? [answer.build] : []),
  ];
  const other = before.find((build) => build !== rules.build);
  if (first && other) throw mediaAssetError('history-not-first', { build: other });
  // Before the history knows this build, because the next build then finds no gap.
  if (gaps.ledger.kind !== 'no gap') {
    await underLease(store.lock(signal), async (lease) => {
      const { ledger, tag } = (await compare()).loaded;
      await lease.write(ledgerChunks(ledger), tag);
    });
  }
  const { service } = identity;
  const { build: startedAt } = publication;
  const { build, originals: sealed } = rules;
  const now = clock();
  const isRefused = !rollback && startedAt < (sureStart(loaded.ledger.startedAt, now) ?? '');
  await histories.changeHistory({ store: history, service, signal, now }, (known, isNew) => {
    const others = known.builds.filter((one) => one.site !== site || one.build !== build);
    const before = known.originals[site]?.build;
    const isNewest = before === undefined || before <= startedAt || Date.parse(before) > now;
    const open = known.gaps.filter((gap) => gap.site !== site || gap.detail !== build);
    const own = build ? [{ site, build, startedAt }] : [];
    return {
      ...known,
      id: isNew ? (rules.history ?? known.id) : known.id,
      history: histories.addPublication(known.history, publication),
      // The last one is in the ledger next, unless the report of an older build is refused.
      builds: isRefused ? [...own, ...others] : [...others, ...own],
      gaps: first ? [] : addGaps(open, [gaps.history]),
      ...(sealed &&
        isNewest && { originals: { ...known.originals, [site]: { build: startedAt, sealed } } }),
    };
  });
}

/** What was online before a build, as the build has read it, or as it's now. */
async function onlineBefore(
  { build, witness }: Pick<BuildRules, 'build' | 'witness'>,
  read: () => Promise<WitnessAnswer>,
): Promise<WitnessAnswer> {
  if (!build) return { kind: 'unread', problem: "its builds don't write one" };
  if (witness?.kind === 'read') return witness;
  const now = await read();
  const isOwn = now.kind === 'read' && now.build === build;
  return isOwn ? { kind: 'unread', problem: witness?.problem ?? 'it was replaced' } : now;
}
