import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegrationLogger } from 'astro';
import { parseRenditionUrl } from '../../assets/formats/rendition-url.ts';
import type { AssetRights } from '../../assets/records/rights-guard.ts';
import { isOnBuildHost } from '../../config/environment.ts';
import { hasCredentials } from '../../config/service-settings.ts';
import {
  type Finding,
  finding,
  isMediaAssetError,
  type MediaAssetError,
} from '../../errors/errors.ts';
import { type SiteScan, scanSite } from '../../scan/scan-site.ts';
import type { BuildRules } from '../../usage/build-rules.ts';
import {
  hostsOf,
  readCheckedOutCommit,
  readDefaultBranch,
} from '../../usage/decide/build-hosts.ts';
import { decideReport, previewHost } from '../../usage/decide/report-decision.ts';
import { missingPlanToMarkdown, planToMarkdown } from '../../usage/output/plan-to-markdown.ts';
import { publishMarkdown } from '../../usage/output/publish-markdown.ts';
import { renderPlan } from '../../usage/output/render-plan.ts';
import type { RightsNote } from '../../usage/output/rights-notes.ts';
import {
  openSiteUsages,
  planSite,
  recordPublication,
  reportSite,
  storeOutage,
} from '../../usage/site-usages.ts';
import { logFinding, logFindings } from '../log-finding.ts';
import { endBuild, markedRules, ownsMark } from './build-mark.ts';
import type { SiteBuild } from './build-notes.ts';
import { buildSummaryLines, type UsageSummary } from './build-summary.ts';
import { sealOriginals } from './earlier-build.ts';
import { credentialsFinding } from './missing-credentials.ts';

const oneDay = 24 * 60 * 60 * 1000;

/** The most pages of a plan in a build's log. `media-asset plan` shows all. */
const pagesInLog = 30;

interface Run {
  /** The folder of the built site. */
  readonly dir: string;
  readonly logger: AstroIntegrationLogger;
}

/** Scans the built pages, reports, and logs a summary. */
export async function reportBuild(build: SiteBuild, run: Run): Promise<void> {
  const { logger } = run;
  const { scan, usages, failure, interrupt } = await planOrSend(build, run);
  const { images, files, unscanned, options } = build;
  const work = images.publisher.counts();
  const lines = buildSummaryLines({ scan, work, files, usages, unscanned });
  for (const line of lines) logger.info(line);
  if (!hasCredentials(options)) logFinding(logger, credentialsFinding(options));
  if (interrupt) process.kill(process.pid, interrupt);
  if (failure) throw failure;
}

/** Depending on the options, sends the usages of the built pages or shows the plan. */
async function planOrSend(
  build: SiteBuild,
  { dir, logger }: Run,
): Promise<{
  scan: SiteScan;
  usages: UsageSummary;
  /** Thrown after the summary is printed. */
  failure?: MediaAssetError | undefined;
  /** The signal that interrupted the sending. It ends the process after the summary is printed. */
  interrupt?: NodeJS.Signals | undefined;
}> {
  const { config, options, service, images, published } = build;
  const root = fileURLToPath(config.root);
  const rules = markedRules(build);
  const { report } = options;
  const scan = await scanSite({ dir, rules }).catch(async (error: unknown) => {
    // The pages may be missing because another build has started.
    if (config.site && report.when !== 'never') await ownsMark(build);
    if (!build.rendersOnDemand || !isMediaAssetError(error, 'scan-empty')) throw error;
    return emptyScan(rules, dir);
  });
  logFindings(logger, scan.findings);
  const folder = relative(root, dir);
  const withoutReport = (reason: string) => ({ scan, usages: { kind: 'off', reason } as const });
  if (!hasCredentials(options)) {
    // The mark stays unfinished, so the command doesn't report these pages either.
    return withoutReport('not planned: without credentials, pages can lack assets');
  }
  const names = images.people.names();
  const rights = options.record && rightsNotes(build.rights);
  const digests = { settings: build.settings, assets: images.publisher.digests() };
  const decision = decideReport({
    ...report,
    defaultBranch: await readDefaultBranch(process.env),
    checkedOut: await readCheckedOutCommit(root),
    environment: process.env,
  });
  const isReported = decision.action === 'send' || decision.action === 'prepare';
  const originals = isReported
    ? await sealOriginals(await images.publisher.originals(), {
        access: options.service,
        service: service.baseUrl,
      })
    : undefined;
  await endBuild(build, folder, { pages: scan.pages, names, rights, digests, originals });
  if (decision.action === 'none') return withoutReport(decision.reason);
  if (scan.pages.length === 0) {
    return withoutReport('No page could be scanned: nothing was sent, nothing removed.');
  }
  const uncounted = findUncounted(published, scan);
  if (uncounted) logFinding(logger, uncounted);
  const usages = openSiteUsages({
    rules: { ...rules, startedAt: build.startedAt },
    service: service.baseUrl,
    store: report.store,
    root,
    environment: process.env,
    onWait: (text) => logger.info(text),
  });
  const about = { identity: usages.identity, manifest: scan, names, rights };
  // After the deploy, `media-asset report` adds what it has sent to the same summary.
  const isReportedLater = decision.action === 'prepare' && !previewHost(process.env);
  const publish = (markdown: string) =>
    publishMarkdown(markdown, {
      environment: isReportedLater ? {} : process.env,
      onFinding: (found) => logFinding(logger, found),
    });
  try {
    if (decision.action !== 'send') {
      const { plan, findings } = await planSite(usages, scan);
      // A build that sends nothing writes no ledger, so a missing one isn't worth a notice.
      const others = findings.filter(({ code }) => code !== 'ledger-missing');
      logFindings(logger, others);
      const isLocal = hostsOf(process.env).length === 0 && !isOnBuildHost(process.env);
      const isFirst = others.length < findings.length;
      const text = renderPlan(plan, {
        // Without a ledger, a local plan has all usages.
        maxPages: isLocal && isFirst ? 0 : pagesInLog,
        ...about,
      });
      for (const line of text.split('\n')) logger.info(line);
      await publish(planToMarkdown(plan, about));
      const { reason } = decision;
      const enable = decision.enable.replace('<folder>', () => folder || '.');
      return { scan, usages: { kind: 'planned', reason, enable } };
    }
    const { checks, downloads } = images.publisher.counts();
    const limit = report.timeLimit ? [AbortSignal.timeout(report.timeLimit * 1000)] : [];
    const { result, interrupt } = await abortOnSignal(
      async (ended) => {
        const signal = AbortSignal.any([ended, ...limit]);
        await recordPublication(usages, scan, { dir, rules: { ...rules, originals }, signal });
        return reportSite(usages, scan, {
          ...{ service, signal, onError: report.onError },
          maxUnsent: report.maxUnsent * oneDay,
          serviceAnswered: checks + downloads > 0,
        });
      },
      () => logger.info('Finishing the current requests. Press Ctrl-C again to stop at once.'),
    );
    const { failure } = result;
    // The failure is printed when it's thrown, unless a signal ends the process first.
    const isLeft = ({ code }: Finding) => code !== failure?.code || interrupt !== undefined;
    logFindings(logger, result.findings.filter(isLeft));
    await publish(planToMarkdown(result.plan, { ...about, result }));
    return { scan, usages: { kind: 'sent', ...result }, failure, interrupt };
  } catch (error) {
    if (!isMediaAssetError(error)) throw error;
    const usages: UsageSummary = { kind: 'failed', reason: error.message };
    const outage = storeOutage(error);
    if (!outage || (decision.action === 'send' && report.onError === 'fail')) {
      return { scan, usages, failure: error };
    }
    logFinding(logger, outage);
    await publish(missingPlanToMarkdown(outage.message));
    return { scan, usages };
  }
}

/** Forbidden assets first, then those that end first. */
function rightsNotes(assets: readonly AssetRights[]): readonly RightsNote[] {
  const notes = assets.flatMap(({ id, state, until, pages }): RightsNote[] =>
    state === 'forbidden' || state === 'ending' ? [{ id, state, until, pages }] : [],
  );
  const order = ({ state, until = '' }: RightsNote) => (state === 'forbidden' ? '' : until);
  return notes.sort((one, other) => order(one).localeCompare(order(other)) || one.id - other.id);
}

/** Finds assets that are published, but aren't usages: in feeds, in data for scripts, in islands. */
function findUncounted(published: Iterable<string>, { pages }: SiteScan): Finding | undefined {
  const shown = new Set(pages.flatMap(({ assets }) => assets));
  const named = Array.from(published, (path) => parseRenditionUrl(path)?.id ?? 0);
  const ids = [...new Set(named)].filter((id) => !shown.has(id)).sort((a, b) => a - b);
  return ids.length > 0 ? finding('notice', 'assets-uncounted', { ids }) : undefined;
}

/** The scan of a site that renders all pages on demand. */
function emptyScan({ site, base }: BuildRules, dir: string): SiteScan {
  const counts = { pages: 0, redirects: 0, excluded: 0 };
  const findings = [finding('warning', 'scan-empty', { dir, rendersOnDemand: true })];
  return { site, base, pages: [], findings, counts, links: new Map() };
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs work that ends when its signal is aborted. Aborts it at the first Ctrl-C, or when the terminal
 * or job ends. The second Ctrl-C ends the process at once. `interrupt` is the received signal.
 */
async function abortOnSignal<T>(
  run: (signal: AbortSignal) => Promise<T>,
  onInterrupt: () => void,
): Promise<{ result: T; interrupt: NodeJS.Signals | undefined }> {
  const ended = new AbortController();
  let interrupt: NodeJS.Signals | undefined;
  const letGo = () => {
    for (const name of signals) process.off(name, end);
  };
  const end = (name: NodeJS.Signals) => {
    letGo();
    interrupt = name;
    onInterrupt();
    ended.abort();
  };
  for (const name of signals) process.on(name, end);
  try {
    const result = await run(ended.signal);
    return { result, interrupt };
  } finally {
    letGo();
  }
}
