import { resolve } from 'node:path';
import { type Environment, type ResolvedOptions, resolveOptions } from '../../config/options.ts';
import { missingSettings } from '../../config/service-settings.ts';
import { type Finding, mediaAssetError } from '../../errors/errors.ts';
import { countOf } from '../../errors/wording.ts';
import type { Manifest } from '../../scan/manifest.ts';
import type { SiteScan } from '../../scan/scan-site.ts';
import type { BuildRules } from '../../usage/build-rules.ts';
import { previewHost } from '../../usage/decide/report-decision.ts';
import { missingPlanToMarkdown, planToMarkdown } from '../../usage/output/plan-to-markdown.ts';
import { assertMarkdownWritable, publishMarkdown } from '../../usage/output/publish-markdown.ts';
import { type RenderOptions, renderPlan } from '../../usage/output/render-plan.ts';
import { type Plan, requestsOf } from '../../usage/plan/plan-usage.ts';
import { heldOf, type ReportResult } from '../../usage/report/report-result.ts';
import type { ReportRun } from '../../usage/report/report-usage.ts';
import {
  openSiteUsages,
  planSite,
  recordPublication,
  reportSite,
  storeOutage,
} from '../../usage/site-usages.ts';
import { openService } from '../settings/find-service.ts';
import { readSiteSettings, type SiteFlags } from '../settings/site-settings.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { type ExitCode, exitCodes, noteFindings, type Terminal } from '../terminal/terminal.ts';
import { scanFolder } from './scan-folder.ts';

export interface UsageFlags extends SiteFlags {
  readonly state?: string;
  readonly markdown?: string;
  readonly onError?: 'warn' | 'fail';
  readonly yes?: boolean;
  /** In seconds, for all work that calls the service. */
  readonly timeLimit?: number;
}

type Part = Required<Pick<ReportRun, 'signal' | 'onProgress'>>;

export type UsageRun = Awaited<ReturnType<typeof prepareUsageRun>>;

/**
 * Prepares planning and reporting, without the manifest. For a command that `sends`, the error for
 * an unknown service also lists missing credentials, and a preview is refused: its pages aren't the
 * site's.
 */
export async function prepareUsageRun(
  flags: UsageFlags,
  terminal: Terminal,
  { sends = false }: { sends?: boolean } = {},
) {
  const { directory, environment } = terminal;
  const file = flags.markdown === undefined ? undefined : resolve(directory, flags.markdown);
  if (file !== undefined) await assertMarkdownWritable(file);
  const host = sends ? previewHost(environment) : undefined;
  if (host) throw mediaAssetError('report-preview', host);
  const { rules, ...known } = await readSiteSettings(flags, terminal);
  const { site, service, names, rights } = rules;
  if (!service) {
    const [, ...credentials] = missingSettings(resolveOptions({}, known.environment).service);
    const missing = ['--service (MEDIA_ASSET_BASE_URL)', ...(sends ? credentials : [])];
    throw mediaAssetError('service-not-configured', { missing });
  }
  const opened = openSiteUsages({
    ...{ rules, service, environment },
    store: flags.state ? { file: flags.state } : storeOf(rules, known.environment),
    root: directory,
    onWait: terminal.note,
  });
  const usages = { ...opened, allowRemovals: flags.allowRemovals ?? opened.allowRemovals };
  const { identity } = usages;
  const onError = flags.onError ?? rules.settings?.onError ?? 'warn';
  const onFinding = (found: Finding) => noteFindings([found], terminal);
  const publish = (markdown: string) => publishMarkdown(markdown, { file, environment, onFinding });
  let timeLeft = flags.timeLimit;

  /**
   * Call it after reading pages and before sending. Throws `build-unfinished` if another build
   * has started since. `scanFolder` refuses a build that was already unfinished.
   */
  async function assertSameBuild(): Promise<void> {
    const { finished, build } = (await readSiteSettings(flags, terminal)).rules;
    const begunSince = finished === false && rules.finished !== false;
    if (!begunSince && build === rules.build) return;
    throw mediaAssetError('build-unfinished', { site, begunSince: true });
  }

  return {
    ...{ rules, usages, onError, assertSameBuild },
    openService: () => openService(flags, known, { terminal }),
    scan: (folder: string) => scanFolder(folder, rules, terminal).finally(assertSameBuild),
    plan: (manifest: Manifest) => planSite(usages, manifest),
    /** Adds what a folder publishes to the history. Call it before anything is sent. */
    record: (folder: string, scan: SiteScan, signal: AbortSignal) =>
      recordPublication(usages, scan, { dir: resolve(directory, folder), rules, signal }),
    report: (manifest: Manifest, options: Parameters<typeof reportSite>[2]) =>
      reportSite(usages, manifest, options),
    /** A plan for people. */
    planText: (plan: Plan, options: Partial<RenderOptions>) =>
      renderPlan(plan, { identity, names, rights, ...options }),
    /** Writes `--markdown` and the job summary. */
    publish: (plan: Plan, result?: ReportResult) =>
      publish(planToMarkdown(plan, { identity, result, names, rights })),
    /** Whether the user agrees, with `--yes` or in the terminal. */
    isAgreed: async (question: string) =>
      flags.yes === true || (await terminal.confirm?.(question)) === true,
    print: (counts: RunCounts, unchanged: string) =>
      terminal.print(countsToJson(counts), () => countsText(counts, unchanged)),
    /**
     * The result of work. If the ledger's store can't be reached, prints a warning and returns
     * `undefined`, or throws if `onError` is `fail`. Nothing has been sent then.
     *
     * @param unknown the command's JSON in an outage: the same keys, `null` for what isn't known
     */
    async unlessOutage<T>(
      work: Promise<T>,
      { unknown, onError }: { unknown: object; onError: 'warn' | 'fail' },
    ): Promise<T | undefined> {
      try {
        return await work;
      } catch (error) {
        const outage = storeOutage(error);
        if (!outage || onError === 'fail') throw error;
        onFinding(outage);
        terminal.print(unknown, () => `Stopped: ${outage.message}`);
        await publish(missingPlanToMarkdown(outage.message));
        return undefined;
      }
    },
    /** Sends a plan that the user agrees to. */
    async sendIfAgreed(
      plan: Plan,
      { question, unchanged }: { question: string; unchanged: string },
      send: (part: Part) => Promise<ReportResult>,
    ): Promise<ExitCode> {
      if (plan.steps.length > 0 && !(await this.isAgreed(question))) {
        this.print(unsentCounts(plan), unchanged);
        return exitCodes.unsent;
      }
      const result = await this.work('Sending', send);
      noteFindings(result.findings, terminal);
      this.print(result, unchanged);
      return outcomeCodes[result.outcome];
    },
    /**
     * Runs work that calls the service, with a progress line, until it's done, interrupted or out of
     * time.
     */
    async work<T>(title: string, call: (part: Part) => Promise<T>): Promise<T> {
      const onProgress = progressLine(title, terminal);
      const start = performance.now();
      const left = timeLeft && Math.max(0, Math.floor(timeLeft * 1000));
      const limit = left === undefined ? [] : [AbortSignal.timeout(left)];
      const signal = AbortSignal.any([terminal.signal, ...limit]);
      const onEnd = () =>
        terminal.note(
          terminal.signal.aborted
            ? 'Finishing the current requests. Press Ctrl-C again to stop at once.'
            : 'Time limit reached. Finishing the current requests.',
        );
      signal.addEventListener('abort', onEnd, { once: true });
      try {
        return await call({ signal, onProgress });
      } finally {
        signal.removeEventListener('abort', onEnd);
        if (timeLeft !== undefined) timeLeft -= (performance.now() - start) / 1000;
      }
    },
  };
}

function storeOf(
  { store }: BuildRules,
  { MEDIA_ASSET_STATE_URL }: Environment,
): ResolvedOptions['report']['store'] {
  if (typeof store === 'object') return store;
  const { report } = resolveOptions({}, { MEDIA_ASSET_STATE_URL });
  if (store === 'redis' && !report.store) {
    const problem = 'MEDIA_ASSET_STATE_URL: missing; the build keeps its ledger in that Redis';
    throw mediaAssetError('options-invalid', { problems: [problem] });
  }
  return report.store;
}

type RunCounts = Pick<ReportResult, 'reported' | 'removed' | 'requests' | 'unsent' | 'held'>;

/** The counts of a plan that isn't sent. */
export function unsentCounts(plan: Plan): RunCounts {
  const pairs = requestsOf(plan.steps).flatMap(({ page, ids }) => ids.map((id) => `${id} ${page}`));
  const unsent = new Set(pairs).size;
  return { reported: 0, removed: 0, requests: 0, unsent, held: heldOf(plan) };
}

export const outcomeCodes: Readonly<Record<ReportResult['outcome'], ExitCode>> = {
  done: exitCodes.done,
  held: exitCodes.held,
  unsent: exitCodes.unsent,
  failed: exitCodes.error,
};

/**
 * The contract of `media-asset report --json`. `held` is only there if the guard holds removals.
 */
export function countsToJson({ reported, removed, requests, unsent, held }: RunCounts) {
  return { reported, removed, requests, unsent, ...(held > 0 && { held }) };
}

/** Summarizes a run. Returns `unchanged` if nothing happened. */
export function countsText(
  { reported, removed, requests, unsent, held }: RunCounts,
  unchanged: string,
): string {
  if (requests + unsent + held === 0) return unchanged;
  const parts = [
    requests === 0
      ? 'Nothing was sent'
      : `${countOf(reported, 'usage')} reported, ${removed} removed, in ${countOf(requests, 'request')}`,
    ...(unsent > 0 ? [`${unsent} unsent`] : []),
    ...(held > 0 ? [`${countOf(held, 'removal')} held`] : []),
  ];
  return `${parts.join('; ')}.`;
}
