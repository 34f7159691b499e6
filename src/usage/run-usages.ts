import type { Environment, ResolvedOptions } from '../config/options.ts';
import { type Finding, isMediaAssetError, mediaAssetError, toFinding } from '../errors/errors.ts';
import type { Manifest } from '../scan/manifest.ts';
import type { SiteScan } from '../scan/scan-site.ts';
import type { BuildRules } from './build-rules.ts';
import { addGaps, compareWitness, type WitnessAnswer } from './ledger/gaps.ts';
import { changeLedger } from './ledger/ledger.ts';
import { ledgerIdentity, ownPages, siteUrl } from './ledger/ledger-identity.ts';
import { readLiveWitness } from './ledger/live-witness.ts';
import {
  openStateStore,
  type StateKind,
  type StateStore,
  waitForLedger,
} from './ledger/open-state-store.ts';
import {
  addPublication,
  changeHistory,
  loadHistory,
  newHistory,
  type Publication,
  readPublication,
} from './ledger/publication-history.ts';
import { ledgerChunks, loadLedger } from './ledger/stored-ledger.ts';
import {
  missingPlanToMarkdown,
  planToMarkdown,
  publishMarkdown,
} from './output/publish-markdown.ts';
import { type RenderOptions, renderPlan } from './output/render-plan.ts';
import type { Plan } from './plan/plan-usage.ts';
import type { ReportResult } from './report/report-result.ts';
import { planRun, type ReportRun, reportUsage, sureStart } from './report/report-usage.ts';

export interface RecordOptions {
  /** Whether a person says that nothing was published before. */
  readonly first?: boolean | undefined;
  readonly rollback?: ReportRun['rollback'];
  readonly signal: AbortSignal | undefined;
}

type SendOptions = RecordOptions & { readonly dir: string } & Pick<
    ReportRun,
    'service' | 'serviceAnswered' | 'onProgress'
  >;

/**
 * Opens the usages of a site for a build or a command: its ledger, its publication history, and the
 * steps of a report. Doesn't read or connect yet.
 */
export function openUsages({
  rules,
  service,
  store,
  root,
  environment,
  allowRemovals = environment.MEDIA_ASSET_ALLOW_REMOVALS === '1',
  markdown,
  onWait,
  onFinding,
}: {
  rules: BuildRules;
  /** The base URL of the service. */
  service: string;
  /** The ledger's place. Default: in `root`. */
  store: ResolvedOptions['report']['store'];
  root: string;
  /** The variables of the process. In a `.env` file, an override would apply to every run. */
  environment: Environment;
  allowRemovals?: boolean | undefined;
  /** Where plans and results are published as Markdown. */
  markdown: Omit<Parameters<typeof publishMarkdown>[1], 'onFinding'>;
  /** Called once, with a sentence for people, if another run holds the ledger. */
  onWait: (text: string) => void;
  onFinding: (finding: Finding) => void;
}) {
  const { site, base, build, startedAt, project, contact, description, settings = {} } = rules;
  const { maxIdsPerRequest, concurrency, maxUnsent, onError } = settings;
  const identity = ledgerIdentity({ service, site, base });
  const about = { identity, names: rules.names };
  const open = (kind: StateKind) =>
    waitForLedger(openStateStore({ store, root, identity, kind }), { onWait });
  const run = {
    ...{ identity, build, startedAt, allowRemovals },
    ...{ maxIdsPerRequest, concurrency, maxUnsent, onError },
    fields: { project, contact, description },
    clock: Date.now,
    store: open('ledger'),
    /** The store of the publication history. */
    history: open('history'),
  };

  const publish = (text: string) => publishMarkdown(text, { ...markdown, onFinding });

  /** Adds what a folder publishes to the history. Call it before anything is sent. */
  async function record(scan: SiteScan, { dir, ...options }: RecordOptions & { dir: string }) {
    const publication = await readPublication(dir, rules, scan, run.clock());
    await recordPublication(run, scan, { ...options, rules, publication });
  }

  return {
    ...{ ...run, rules, record },
    async plan(manifest: Manifest) {
      const answer = rules.witness ?? { kind: 'unread', problem: 'not asked' };
      const { loaded } = await compareState(run, manifest, answer);
      return planRun({ ...run, manifest, rollback: true }, loaded);
    },
    async send(scan: SiteScan, { dir, first, ...options }: SendOptions): Promise<ReportResult> {
      const { rollback, signal } = options;
      await record(scan, { dir, first, rollback, signal });
      return reportUsage({ ...run, ...options, manifest: scan });
    },
    /** A plan for people. */
    planText: (plan: Plan, options: Partial<RenderOptions>) =>
      renderPlan(plan, { ...about, ...options }),
    /** Publishes a plan, or its result. */
    publish: (plan: Plan, options: { manifest: Manifest; result?: ReportResult }) =>
      publish(planToMarkdown(plan, { ...about, ...options })),
    /**
     * The result of work, or in an outage of the ledger's store what `instead` makes of it. Nothing is
     * planned then, and nothing is sent that the ledger wouldn't record. Throws if `onError` is `fail`.
     */
    async unlessOutage<T, U>(
      work: Promise<T>,
      outage: { onError: 'warn' | 'fail' | undefined; instead: (reason: string) => U },
    ): Promise<T | U> {
      try {
        return await work;
      } catch (error) {
        if (outage.onError === 'fail' || !isMediaAssetError(error, 'store-unreachable'))
          throw error;
        onFinding(toFinding('warning', error));
        const other = outage.instead(error.message);
        await publish(missingPlanToMarkdown(error.message));
        return other;
      }
    },
  };
}

type StateOfSite = Pick<ReportRun, 'store' | 'identity' | 'fields' | 'clock'> & {
  readonly history: StateStore;
};

/**
 * Compares ledger and history with the build that is online. `loaded`: the ledger with its gap. A lost one
 * has what the history knows: the service may list it.
 */
async function compareState(
  { store, history, identity, fields, clock }: StateOfSite,
  { pages }: Pick<Manifest, 'pages'>,
  answer: WitnessAnswer,
) {
  const now = clock();
  const at = new Date(now).toISOString();
  const site = siteUrl(identity);
  const { service } = identity;
  const kept = await loadHistory(history, service, now);
  const { history: published, builds } = kept ?? newHistory(now);
  const loaded = await loadLedger(store, identity);
  // Another site's pages can be below this one's. No one knows whose those of version 1 are.
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
  {
    rules,
    publication,
    first,
    rollback,
    signal,
    readWitness = readLiveWitness,
  }: RecordOptions & {
    rules: Pick<BuildRules, 'build' | 'history' | 'witness' | 'originals'>;
    publication: Publication;
    readWitness?: typeof readLiveWitness;
  },
): Promise<void> {
  const { store, history, identity, clock } = usages;
  const site = siteUrl(identity);
  const answer = await onlineBefore(rules, () => readWitness(site));
  const compare = () => compareState(usages, manifest, answer);
  const { kept, gaps, loaded } = await compare();
  const unnamed = 'of an earlier version';
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
    const lease = await store.lock(signal);
    try {
      const { ledger, tag } = (await compare()).loaded;
      await lease.write(ledgerChunks(ledger), tag);
    } finally {
      await lease.release();
    }
  }
  const { service } = identity;
  const { build: startedAt } = publication;
  const { build, originals: sealed } = rules;
  const now = clock();
  const isRefused = !rollback && startedAt < (sureStart(loaded.ledger.startedAt, now) ?? '');
  await changeHistory({ store: history, service, signal, now }, (known, isNew) => {
    const others = known.builds.filter((one) => one.site !== site || one.build !== build);
    const before = known.originals[site]?.build;
    const isNewest = before === undefined || before <= startedAt || Date.parse(before) > now;
    const open = known.gaps.filter((gap) => gap.site !== site || gap.detail !== build);
    const own = build ? [{ site, build, startedAt }] : [];
    return {
      ...known,
      id: isNew ? (rules.history ?? known.id) : known.id,
      history: addPublication(known.history, publication),
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
