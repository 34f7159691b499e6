import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseRenditionUrl } from '../../assets/formats/rendition-url.ts';
import { isOnBuildHost } from '../../config/environment.ts';
import { hasCredentials } from '../../config/service-settings.ts';
import {
  type Finding,
  finding,
  isMediaAssetError,
  type MediaAssetError,
} from '../../errors/errors.ts';
import { type SiteScan, scanSite } from '../../scan/scan-site.ts';
import { type BuildRules, pagesDigest } from '../../usage/build-rules.ts';
import { hostsOf } from '../../usage/decide/build-hosts.ts';
import {
  decideReport,
  isReported,
  previewHost,
  readBuildFacts,
} from '../../usage/decide/report-decision.ts';
import { endOfRights, nextEnd } from '../../usage/next-end.ts';
import { endingText, endSignal } from '../../usage/report/end-signal.ts';
import { openUsages } from '../../usage/run-usages.ts';
import { logFinding, logFindings } from '../log-finding.ts';
import { assertOwnMark, endBuild, markedRules } from './build-mark.ts';
import type { SiteBuild } from './build-notes.ts';
import { type BuildSummary, buildSummaryLines, type UsageSummary } from './build-summary.ts';
import { writeCacheRules } from './cache-rules.ts';
import { sealOriginals } from './earlier-build.ts';
import { createImageSitemap } from './image-sitemap.ts';
import { credentialsFinding } from './missing-credentials.ts';

/** The most pages of a plan in a build's log. `media-asset plan` shows all. */
const pagesInLog = 30;

/** Scans the built pages in a folder, reports, and logs a summary. */
export async function reportBuild(build: SiteBuild, dir: string): Promise<void> {
  const { scan, next, usages, failure, interrupt } = await planOrSend(build, dir);
  const { images, unscanned, options, logger } = build;
  const work = images.publisher.counts();
  const lines = buildSummaryLines({ scan, work, next, usages, unscanned });
  for (const line of lines) logger.info(line);
  if (!hasCredentials(options)) logFinding(logger, credentialsFinding(options));
  if (interrupt) process.kill(process.pid, interrupt);
  if (failure) throw failure;
}

interface Reported {
  readonly usages: UsageSummary;
  /** Thrown after the summary is printed. */
  readonly failure?: MediaAssetError | undefined;
  /** The signal that interrupted the sending. It ends the process after the summary is printed. */
  readonly interrupt?: NodeJS.Signals | undefined;
}

/** Depending on the options, sends the usages of the built pages or shows the plan. */
async function planOrSend(
  build: SiteBuild,
  dir: string,
): Promise<Reported & Pick<BuildSummary, 'next'> & { readonly scan: SiteScan }> {
  const { config, options, service, images, logger } = build;
  const root = fileURLToPath(config.root);
  const { report } = options;
  const marked = { ...markedRules(build), ...(await build.online) };
  // Without credentials, pages can lack images.
  const isListed = options.sitemap && config.site && hasCredentials(options);
  const sitemap = isListed ? createImageSitemap(build) : undefined;
  const onPage: Parameters<typeof scanSite>[0]['onPage'] = (page, found) =>
    found && sitemap?.add(page);
  const scan = await scanSite({ dir, rules: marked, onPage }).catch(async (error: unknown) => {
    // The pages may be missing because another build has started.
    if (config.site) await assertOwnMark(build);
    if (!build.rendersOnDemand || !isMediaAssetError(error, 'scan-empty')) throw error;
    return emptyScan(marked, dir);
  });
  logFindings(logger, [...scan.findings, ...((await sitemap?.write(dir)) ?? [])]);
  const folder = relative(root, dir);
  const digests = images.publisher.digests();
  const readsRights = options.rights.read && hasCredentials(options);
  const ends = Object.entries(digests).map(([id, { record }]) => endOfRights(Number(id), record));
  const next = readsRights ? nextEnd(ends, [...scan.pages, ...scan.excluded]) : undefined;
  if (readsRights && options.cacheRules) {
    const isNetlify = hostsOf(process.env).some(({ name }) => name === 'Netlify');
    logFindings(logger, await writeCacheRules(build, { dir, ends, isNetlify }));
  }
  const found = { scan, next };
  const withoutReport = (reason: string) => ({
    ...found,
    usages: { kind: 'off', reason } as const,
  });
  if (!hasCredentials(options)) {
    // The mark stays unfinished, so the command doesn't report these pages either.
    return withoutReport('not planned: without credentials, pages can lack assets');
  }
  const decision = decideReport({ ...report, ...(await readBuildFacts(root)) });
  const originals = isReported(decision)
    ? await sealOriginals(await images.publisher.originals(), {
        access: options.service,
        service: service.baseUrl,
      })
    : undefined;
  const rules = await endBuild(build, folder, {
    ...{ pages: pagesDigest(scan), names: images.people.names(), originals },
    ...{ digests: { settings: build.settings, assets: digests }, next },
  });
  if (decision.action === 'none') return withoutReport(decision.reason);
  if (scan.pages.length === 0) {
    return withoutReport('No page could be scanned: nothing was sent, nothing removed.');
  }
  const uncounted = findUncounted(build, scan);
  if (uncounted) logFinding(logger, uncounted);
  // After the deploy, `media-asset report` adds what it has sent to the same summary.
  const isReportedLater = decision.action === 'prepare' && !previewHost(process.env);
  const usages = openUsages({
    ...{ rules, service: service.baseUrl, store: report.store, root, environment: process.env },
    markdown: { environment: isReportedLater ? {} : process.env },
    onWait: (text) => logger.info(text),
    onFinding: (found) => logFinding(logger, found),
  });

  async function showPlan(enable: string): Promise<Reported> {
    const { plan, findings } = await usages.plan(scan);
    // A build that sends nothing writes no ledger, so a missing one isn't worth a notice.
    const others = findings.filter(({ code }) => code !== 'ledger-missing');
    logFindings(logger, others);
    const isLocal = hostsOf(process.env).length === 0 && !isOnBuildHost(process.env);
    const isFirst = others.length < findings.length;
    // Without a ledger, a local plan has all usages.
    const maxPages = isLocal && isFirst ? 0 : pagesInLog;
    const text = usages.planText(plan, { maxPages, manifest: scan });
    for (const line of text.split('\n')) logger.info(line);
    await usages.publish(plan, { manifest: scan });
    return { usages: { kind: 'planned', reason: decision.reason, enable } };
  }

  async function send(): Promise<Reported> {
    const { checks, downloads } = images.publisher.counts();
    let interrupt: NodeJS.Signals | undefined;
    const ended = endSignal((name) => {
      interrupt = name;
      logger.info(endingText);
    });
    const { signal } = ended;
    const result = await usages
      .send(scan, { dir, service, signal, serviceAnswered: checks + downloads > 0 })
      .finally(ended.letGo);
    const { failure } = result;
    // The failure is printed when it's thrown, unless a signal ends the process first.
    const isLeft = ({ code }: Finding) => code !== failure?.code || interrupt !== undefined;
    logFindings(logger, result.findings.filter(isLeft));
    await usages.publish(result.plan, { manifest: scan, result });
    return { usages: { kind: 'sent', ...result }, failure, interrupt };
  }

  const failed = (reason: string): Reported => ({ usages: { kind: 'failed', reason } });
  const sends = decision.action === 'send';
  const work = sends ? send() : showPlan(decision.enable.replace('<folder>', () => folder || '.'));
  const outage = { onError: sends ? report.onError : 'warn', instead: failed } as const;
  const reported = await usages.unlessOutage(work, outage).catch((error: unknown) => {
    if (!isMediaAssetError(error)) throw error;
    return { ...failed(error.message), failure: error };
  });
  return { ...found, ...reported };
}

/** Finds assets that are published, but aren't usages: in feeds, in data for scripts, in islands. */
function findUncounted({ published }: SiteBuild, { pages }: SiteScan): Finding | undefined {
  const shown = new Set(pages.flatMap(({ assets }) => assets));
  const places = new Map(
    Array.from(published, ([path, where]) => [parseRenditionUrl(path)?.id ?? 0, where]),
  );
  const named = Array.from(places, ([id, where]) => ({ id, where }));
  const assets = named.filter(({ id }) => !shown.has(id)).sort((a, b) => a.id - b.id);
  return assets.length > 0 ? finding('notice', 'assets-uncounted', { assets }) : undefined;
}

/** The scan of a site that renders all pages on demand. */
function emptyScan({ site, base }: BuildRules, dir: string): SiteScan {
  const counts = { pages: 0, redirects: 0, excluded: 0 };
  const findings = [finding('warning', 'scan-empty', { dir, rendersOnDemand: true })];
  return { site, base, pages: [], files: [], findings, counts, excluded: [], links: new Map() };
}
