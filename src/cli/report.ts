import { loadEnvironment } from '../environment.ts';
import { mediaAssetError } from '../errors.ts';
import { resolveOptions, serviceSettings } from '../options.ts';
import { createMediaService } from '../service/index.ts';
import { loadLedger } from '../usage/load-ledger.ts';
import { planUsage } from '../usage/plan-usage.ts';
import { renderPlan } from '../usage/render-plan.ts';
import type { ReportResult } from '../usage/report-result.ts';
import { reportUsage } from '../usage/report-usage.ts';
import { progressLine } from './progress-line.ts';
import { type ExitCode, exitCodes, findingText, type Terminal } from './terminal.ts';
import { prepareUsageRun, type UsageFlags } from './usage-run.ts';

type UsageRun = Awaited<ReturnType<typeof prepareUsageRun>>;

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
  const run = await prepareUsageRun(flags, terminal, folder);
  const options = resolveOptions(
    { service: { baseUrl: run.identity.service } },
    loadEnvironment(terminal.directory, 'production', terminal.environment),
  );
  const service = createMediaService(serviceSettings(options));
  if (!flags.yes && !(await isConfirmed(run, terminal))) {
    terminal.note('Nothing was sent.');
    return exitCodes.done;
  }
  const progress = progressLine('Sending', terminal);
  const result = await reportUsage({
    ...run,
    service,
    clock: Date.now,
    signal: terminal.signal,
    onProgress: progress.show,
  }).finally(progress.end);
  for (const found of result.findings) terminal.note(findingText(found, terminal.paint));
  terminal.out(flags.json ? JSON.stringify(toJson(result), undefined, 2) : resultText(result));
  return {
    done: exitCodes.done,
    held: exitCodes.held,
    unsent: exitCodes.unsent,
    failed: exitCodes.error,
  }[result.outcome];
}

async function isConfirmed(run: UsageRun, terminal: Terminal): Promise<boolean> {
  if (!terminal.confirm) {
    throw mediaAssetError('command-usage', {
      problem: 'Nobody is there to be asked: pass --yes to send the plan.',
    });
  }
  const { ledger } = await loadLedger(run.store, run.identity);
  const today = new Date().toISOString().slice(0, 10);
  const plan = planUsage({ ...run, ledger, today });
  terminal.note(renderPlan(plan, { paint: terminal.paint }));
  return plan.requests.length === 0 || terminal.confirm(`Send this to ${run.identity.service}?`);
}

function toJson({ reported, removed, requests, unsent }: ReportResult) {
  return { version: 1, reported, removed, requests, unsent };
}

function resultText({ reported, removed, requests, unsent, held }: ReportResult): string {
  if (requests === 0 && unsent + held === 0) {
    return 'Nothing changed: the service already lists what the pages show.';
  }
  const parts = [
    `${reported} usages reported, ${removed} removed, in ${requests} requests`,
    ...(unsent > 0 ? [`${unsent} unsent`] : []),
    ...(held > 0 ? [`${held} removals held`] : []),
  ];
  return `${parts.join('; ')}.`;
}
