import { type Finding, mediaAssetError } from '../errors.ts';
import type { Manifest } from '../scan/manifest.ts';
import { loadLedger } from '../usage/load-ledger.ts';
import { planToMarkdown } from '../usage/plan-to-markdown.ts';
import { planUsage } from '../usage/plan-usage.ts';
import { renderPlan } from '../usage/render-plan.ts';
import { reportCounts } from '../usage/report-counts.ts';
import { openService } from './open-service.ts';
import { checkMarkdown, publishMarkdown } from './publish-markdown.ts';
import { countsText, countsToJson, outcomeCodes, type ReportCounts } from './report-outcome.ts';
import { scanFolder } from './scan-folder.ts';
import { sendUsages } from './send-usages.ts';
import { type ExitCode, exitCodes, noteFindings, type Terminal } from './terminal.ts';
import { prepareUsageRun, type UsageFlags } from './usage-run.ts';

type UsageRun = Awaited<ReturnType<typeof prepareUsageRun>>['run'] & { manifest: Manifest };

const unchanged = 'Nothing changed: the service already lists what the pages show.';

export interface ReportFlags extends UsageFlags {
  readonly yes?: boolean;
  /** Seconds that sending may take. */
  readonly timeLimit?: number;
  /** A file for the plan as Markdown. */
  readonly markdown?: string;
}

/**
 * `media-asset report <folder>`: sends the plan. Without `--yes` a person is shown it and asked.
 *
 * @throws `command-usage` where nobody can be asked
 */
export async function report(
  flags: ReportFlags,
  terminal: Terminal,
  folder: string,
): Promise<ExitCode> {
  if (!flags.yes && !terminal.confirm) {
    throw mediaAssetError('command-usage', {
      problem: 'Nobody is there to be asked: pass --yes to send the plan.',
    });
  }
  await checkMarkdown(flags.markdown, terminal);
  const {
    rules,
    environment,
    run: settings,
    assertSameBuild,
  } = await prepareUsageRun(flags, terminal, {
    sends: true,
  });
  const opened = openService(settings.identity.service, { rules, environment });
  const scan = scanFolder(folder, { rules, flags }, terminal).finally(assertSameBuild);
  const run = { ...settings, manifest: await scan };
  const print = (counts: ReportCounts) =>
    terminal.out(
      flags.json
        ? JSON.stringify(countsToJson(counts), undefined, 2)
        : countsText(counts, unchanged),
    );

  const asked = flags.yes ? undefined : await ask(run, terminal);
  if (asked?.answer === false) {
    print(asked.counts);
    return exitCodes.unsent;
  }
  // A person may take their time.
  if (asked) await assertSameBuild();
  const { timeLimit, markdown: file } = flags;
  const result = await sendUsages({ ...run, ...opened }, { terminal, timeLimit });
  const isNew = ({ code, place }: Finding) =>
    !asked?.findings.some((one) => one.code === code && one.place === place);
  noteFindings(result.findings.filter(isNew), terminal);
  print(result);
  await publishMarkdown(planToMarkdown(result.plan, { result }), { file, terminal });
  return outcomeCodes[result.outcome];
}

/** Shows the plan and asks whether to send it; a plan without requests needs no answer. */
async function ask(run: UsageRun, terminal: Terminal) {
  const { ledger, findings } = await loadLedger(run.store, run.identity);
  noteFindings(findings, terminal);
  const today = new Date().toISOString().slice(0, 10);
  const plan = planUsage({ ...run, ledger, today });
  terminal.note(
    renderPlan(plan, {
      paint: terminal.notePaint,
      width: terminal.noteWidth,
      identity: run.identity,
      manifest: run.manifest,
    }),
  );
  const held = plan.guard.held ? plan.guard.removals : 0;
  return {
    findings,
    counts: { ...reportCounts(plan.steps, { ledger }), requests: 0, held },
    answer:
      plan.steps.length === 0 ||
      (await terminal.confirm?.(`Send this to ${run.identity.service}?`)) === true,
  };
}
