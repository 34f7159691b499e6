import type { Environment, ResolvedOptions } from '../config/options.ts';
import { type Finding, isMediaAssetError, toFinding } from '../errors/errors.ts';
import type { Manifest } from '../scan/manifest.ts';
import type { SiteScan } from '../scan/scan-site.ts';
import type { BuildRules } from './build-rules.ts';
import { ledgerIdentity } from './ledger/ledger-identity.ts';
import { openStateStore, type StateKind, waitForLedger } from './ledger/open-state-store.ts';
import { readPublication } from './ledger/publication-history.ts';
import {
  missingPlanToMarkdown,
  planToMarkdown,
  publishMarkdown,
} from './output/publish-markdown.ts';
import { type RenderOptions, renderPlan } from './output/render-plan.ts';
import type { Plan } from './plan/plan-usage.ts';
import { compareState, type RecordOptions, recordPublication } from './record-publication.ts';
import type { ReportResult } from './report/report-result.ts';
import { planRun, type ReportRun, reportUsage } from './report/report-usage.ts';

type SendOptions = RecordOptions & { readonly dir: string } & Pick<
    ReportRun,
    'service' | 'serviceAnswered' | 'onProgress'
  >;

/**
 * Opens the usages of a site for a build or a command: its ledger, its publication history, and the
 * steps of a report. Doesn't read or connect yet.
 */
export function openUsages(site: {
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
  const { rules, store, root, environment, markdown, onWait, onFinding } = site;
  const { allowRemovals = environment.MEDIA_ASSET_ALLOW_REMOVALS === '1' } = site;
  const { build, startedAt, project, contact, description, settings = {} } = rules;
  const { maxIdsPerRequest, concurrency, maxUnsent, onError } = settings;
  const identity = ledgerIdentity({ ...rules, service: site.service });
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
      const load = async () => (await compareState(run, manifest, answer)).loaded;
      return planRun({ ...run, manifest, rollback: true, load });
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
