import { type Finding, mediaAssetError } from '../errors.ts';
import { resolveOptions, serviceSettings } from '../options.ts';
import { createMediaService } from '../service/index.ts';
import { loadLedger } from '../usage/load-ledger.ts';
import type { Manifest } from '../usage/manifest.ts';
import { planUsage } from '../usage/plan-usage.ts';
import { renderPlan } from '../usage/render-plan.ts';
import { reportCounts } from '../usage/report-counts.ts';
import type { ReportResult } from '../usage/report-result.ts';
import { reportUsage } from '../usage/report-usage.ts';
import { progressLine } from './progress-line.ts';
import { scanFolder } from './scan-folder.ts';
import { type ExitCode, exitCodes, noteFindings, type Terminal } from './terminal.ts';
import { prepareUsageRun, type UsageFlags } from './usage-run.ts';
import { count } from './wording.ts';

type UsageRun = Awaited<ReturnType<typeof prepareUsageRun>>['run'] & { manifest: Manifest };
const oneDay = 24 * 60 * 60 * 1000;

type Counts = Pick<ReportResult, 'reported' | 'removed' | 'requests' | 'unsent' | 'held'>;

/**
 * `media-asset report <folder>`: sends the plan. Without `--yes` a person is shown it and asked.
 *
 * @throws `command-usage` where nobody can be asked
 */
export async function report(
  flags: UsageFlags & { yes?: boolean },
  terminal: Terminal,
  folder: string,
): Promise<ExitCode> {
  if (!flags.yes && !terminal.confirm) {
    throw mediaAssetError('command-usage', {
      problem: 'Nobody is there to be asked: pass --yes to send the plan.',
    });
  }
  const { rules, environment, run: settings } = await prepareUsageRun(flags, terminal);
  const { identity } = settings;
  const { accountsUrl, tokenEncoding, concurrency, maxUnsent } = rules.settings ?? {};
  // The client id belongs to the secret, which only the environment has.
  const clientId = environment.MEDIA_ASSET_CLIENT_ID || rules.settings?.clientId;
  const access = { baseUrl: identity.service, accountsUrl, clientId, tokenEncoding, concurrency };
  const options = resolveOptions({ service: access, report: { maxUnsent } }, environment);
  const service = createMediaService(serviceSettings(options));
  const run = { ...settings, manifest: await scanFolder(folder, rules, terminal) };
  const print = (counts: Counts) =>
    terminal.out(flags.json ? JSON.stringify(toJson(counts), undefined, 2) : resultText(counts));

  const asked = flags.yes ? undefined : await ask(run, terminal);
  if (asked?.answer === false) {
    print(asked.counts);
    return exitCodes.unsent;
  }
  const { signal } = terminal;
  const onEnd = () =>
    terminal.note('Finishing the requests under way. Ctrl-C once more ends at once.');
  signal.addEventListener('abort', onEnd, { once: true });
  const progress = progressLine('Sending', terminal);
  const result = await reportUsage({
    ...run,
    service,
    clock: Date.now,
    maxUnsent: options.report.maxUnsent * oneDay,
    signal,
    onProgress: progress.show,
  }).finally(progress.end);
  const isNew = ({ code, place }: Finding) =>
    !asked?.findings.some((one) => one.code === code && one.place === place);
  noteFindings(result.findings.filter(isNew), terminal);
  print(result);
  return {
    done: exitCodes.done,
    held: exitCodes.held,
    unsent: exitCodes.unsent,
    failed: exitCodes.error,
  }[result.outcome];
}

/** Shows the plan and asks whether to send it; a plan without requests needs no answer. */
async function ask(run: UsageRun, terminal: Terminal) {
  const { ledger, findings } = await loadLedger(run.store, run.identity);
  noteFindings(findings, terminal);
  const today = new Date().toISOString().slice(0, 10);
  const plan = planUsage({ ...run, ledger, today });
  terminal.note(renderPlan(plan, { paint: terminal.notePaint }));
  const held = plan.guard.held ? plan.guard.removals : 0;
  return {
    findings,
    counts: { ...reportCounts(plan.requests, ledger), requests: 0, held },
    answer:
      plan.requests.length === 0 ||
      (await terminal.confirm?.(`Send this to ${run.identity.service}?`)) === true,
  };
}

function toJson({ reported, removed, requests, unsent }: Counts) {
  return { version: 1, reported, removed, requests, unsent };
}

function resultText({ reported, removed, requests, unsent, held }: Counts): string {
  if (requests + unsent + held === 0) {
    return 'Nothing changed: the service already lists what the pages show.';
  }
  const parts = [
    requests === 0
      ? 'Nothing was sent'
      : `${count(reported, 'usage')} reported, ${removed} removed, in ${count(requests, 'request')}`,
    ...(unsent > 0 ? [`${unsent} unsent`] : []),
    ...(held > 0 ? [`${count(held, 'removal')} held`] : []),
  ];
  return `${parts.join('; ')}.`;
}
