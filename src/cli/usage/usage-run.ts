import { resolve } from 'node:path';
import { type Environment, type ResolvedOptions, resolveOptions } from '../../config/options.ts';
import { missingSettings } from '../../config/service-settings.ts';
import { type Finding, mediaAssetError } from '../../errors/errors.ts';
import { openMediaService } from '../../service/open-media-service.ts';
import type { BuildRules } from '../../usage/build-rules.ts';
import { previewHost } from '../../usage/decide/report-decision.ts';
import { countsText } from '../../usage/output/render-plan.ts';
import { type Plan, requestsOf } from '../../usage/plan/plan-usage.ts';
import { endingText } from '../../usage/report/end-signal.ts';
import { heldOf, type ReportResult } from '../../usage/report/report-result.ts';
import type { ReportRun } from '../../usage/report/report-usage.ts';
import { openUsages } from '../../usage/run-usages.ts';
import { wrong } from '../command-options.ts';
import { reachService, readSiteSettings, type SiteFlags } from '../settings/site-settings.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { exitCodes, noteFindings, type Terminal } from '../terminal/terminal.ts';
import { scanFolder } from './scan-folder.ts';

export interface UsageFlags extends SiteFlags {
  readonly state?: string;
  readonly markdown?: string;
  readonly onError?: 'warn' | 'fail';
  readonly yes?: boolean;
}

type Part = Required<Pick<ReportRun, 'onProgress'>> & { readonly signal: AbortSignal };

export type UsageRun = Awaited<ReturnType<typeof prepareUsageRun>>;

/**
 * Prepares planning and reporting, without the manifest. For a command that `sends`, the error for an
 * unknown service also lists missing credentials, and a preview is refused: its pages aren't the site's.
 * One that must ask before it does its `act` is refused if it can ask nobody.
 */
export async function prepareUsageRun(
  flags: UsageFlags,
  terminal: Terminal,
  { sends = false, act }: { sends?: boolean; act?: string } = {},
) {
  const { directory, environment } = terminal;
  if (act && !flags.yes && !terminal.confirm) {
    wrong(`No terminal to confirm in. Pass --yes to ${act}.`);
  }
  const file = flags.markdown === undefined ? undefined : resolve(directory, flags.markdown);
  const host = sends ? previewHost(environment) : undefined;
  if (host) throw mediaAssetError('report-preview', host);
  const { rules, ...known } = await readSiteSettings(flags, terminal);
  const { site, service, settings } = rules;
  if (!service) {
    const [, ...credentials] = missingSettings(resolveOptions({}, known.environment).service);
    const missing = ['--service (MEDIA_ASSET_BASE_URL)', ...(sends ? credentials : [])];
    throw mediaAssetError('service-not-configured', { missing });
  }
  const onFinding = (found: Finding) => noteFindings([found], terminal);
  const usages = openUsages({
    rules: { ...rules, settings: { ...settings, onError: flags.onError ?? settings?.onError } },
    ...{ service, environment, allowRemovals: flags.allowRemovals },
    store: flags.state ? { file: flags.state } : storeOf(rules, known.environment),
    root: directory,
    markdown: { file, environment },
    onWait: terminal.note,
    onFinding,
  });

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
    ...{ usages, assertSameBuild },
    openService: async (own = onFinding) =>
      openMediaService(reachService(flags, known).reached, known.environment, own),
    scan: (folder: string) => scanFolder(folder, rules, terminal).finally(assertSameBuild),
    /** Whether the user agrees, with `--yes` or in the terminal. */
    isAgreed: async (question: string) =>
      flags.yes === true || (await terminal.confirm?.(question)) === true,
    print: (counts: RunCounts, unchanged: string) =>
      terminal.print(countsToJson(counts), () => countsText(counts, unchanged)),
    /** Ends a command in an outage. Its JSON has the same keys, and `null` for what isn't known. */
    stop: (unknown: object) => (reason: string) =>
      void terminal.print(unknown, () => `Stopped: ${reason}`),
    /** Runs work that calls the service, with a progress line, until it's done or interrupted. */
    async work<T>(title: string, call: (part: Part) => Promise<T>): Promise<T> {
      const onProgress = progressLine(title, terminal);
      const { signal } = terminal;
      const onEnd = () => terminal.note(endingText);
      signal.addEventListener('abort', onEnd, { once: true });
      return call({ signal, onProgress }).finally(() => signal.removeEventListener('abort', onEnd));
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

type RunCounts = Pick<ReportResult, 'reported' | 'removed' | 'requests' | 'unsent' | 'held'> &
  Partial<Pick<ReportResult, 'gap'>>;

/** The counts of a plan that isn't sent. */
export function unsentCounts(plan: Plan): RunCounts {
  const pairs = requestsOf(plan.steps).flatMap(({ page, ids }) => ids.map((id) => `${id} ${page}`));
  const unsent = new Set(pairs).size;
  return { reported: 0, removed: 0, requests: 0, unsent, held: heldOf(plan) };
}

export const outcomeCodes = { ...exitCodes, failed: exitCodes.error };

/** The contract of `report --json`. `held` and `gap` are only there if they say something. */
export function countsToJson({ reported, removed, requests, unsent, held, gap }: RunCounts) {
  return { reported, removed, requests, unsent, ...(held > 0 && { held }), ...(gap && { gap }) };
}
