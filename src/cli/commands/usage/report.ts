import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Finding } from '../../../errors/errors.ts';
import {
  example,
  runOptions,
  sendOptions,
  siteOptions,
  type ToAction,
  wrong,
} from '../../command-options.ts';
import { type ExitCode, exitCodes, noteFindings, type Terminal } from '../../terminal/terminal.ts';
import type { RunCounts } from '../../usage/send-usages.ts';
import type { UsageFlags } from '../../usage/usage-run.ts';

const unchanged = 'Nothing changed: the service already lists what the pages show.';

interface ReportFlags extends UsageFlags {
  readonly yes?: boolean;
  /** Time limit for sending, in seconds. */
  readonly timeLimit?: number;
  readonly markdown?: string;
  readonly onError?: 'warn' | 'fail';
  readonly rollback?: boolean;
}

/** Sends the plan. Without `--yes`, shows it and asks first. */
export function declareReport(program: Command, run: ToAction): void {
  sendOptions(runOptions(siteOptions(program.command('report'))))
    .description('Report new usages to the service, and remove old ones.')
    .addOption(
      new Option(
        '--on-error <action>',
        'what to do if usages stay unsent or are refused: warn, or fail with exit code 4 (default: as the last build, or warn)',
      ).choices(['warn', 'fail']),
    )
    .option('--rollback', 'report a build that is older than the one that was reported last')
    .option('--markdown <file>', 'also write what was sent as Markdown, for a review comment')
    .addHelpText(
      'after',
      example(
        'media-asset report dist --yes',
        'media-asset report dist --yes --time-limit 300 --markdown usages.md',
      ),
    )
    .action(run(report));
}

async function report(flags: ReportFlags, terminal: Terminal, folder: string): Promise<ExitCode> {
  if (!flags.yes && !terminal.confirm) {
    wrong('No terminal to confirm in. Pass --yes to send the plan.');
  }
  const { planToMarkdown } = await import('../../../usage/output/plan-to-markdown.ts');
  const { publishMarkdown } = await import('../../../usage/output/publish-markdown.ts');
  const { renderPlan } = await import('../../../usage/output/render-plan.ts');
  const { failureOf, reportCounts } = await import('../../../usage/report/report-result.ts');
  const { planSite, reportFolder } = await import('../../../usage/site-usages.ts');
  const { scanFolder } = await import('../../usage/scan-folder.ts');
  const { countsText, countsToJson, unlessOutage, withTerminal } = await import(
    '../../usage/send-usages.ts'
  );
  const { markdownFile, prepareUsageRun } = await import('../../usage/usage-run.ts');

  const file = await markdownFile(flags, terminal);
  const { rules, usages, openService, assertSameBuild } = await prepareUsageRun(flags, terminal, {
    sends: true,
  });
  const opened = openService();
  const { identity } = usages;
  const { names, rights } = rules;
  const manifest = await scanFolder(folder, rules, terminal).finally(assertSameBuild);
  const print = (counts: RunCounts) =>
    terminal.print(countsToJson(counts), () => countsText(counts, unchanged));

  const onError = flags.onError ?? rules.settings?.onError ?? 'warn';
  const unknown = { reported: 0, removed: 0, requests: 0, unsent: null };
  const to = { unknown, onError, file, terminal };
  let shown: readonly Finding[] = [];
  if (!flags.yes) {
    const planned = await unlessOutage(planSite(usages, manifest), to);
    if (!planned) return exitCodes.done;
    const { plan, ledger, findings } = planned;
    noteFindings(findings, terminal);
    shown = findings;
    const { notePaint: paint } = terminal;
    terminal.note(renderPlan(plan, { paint, identity, manifest, names, rights }));
    const isAgreed =
      plan.steps.length === 0 || (await terminal.confirm?.(`Send this to ${identity.service}?`));
    if (isAgreed !== true) {
      const held = plan.guard.held ? plan.guard.removals : 0;
      print({ ...reportCounts(plan.steps, { ledger }), requests: 0, held });
      return exitCodes.unsent;
    }
    // A build may have started before the user answered.
    await assertSameBuild();
  }
  const sending = withTerminal({ terminal, timeLimit: flags.timeLimit }, (part) =>
    reportFolder(usages, manifest, {
      ...{ dir: resolve(terminal.directory, folder), rules },
      ...opened,
      ...part,
      ...{ onError, rollback: flags.rollback },
    }),
  );
  const result = await unlessOutage(sending, to);
  if (!result) return exitCodes.done;
  const isNew = ({ code, place }: Finding) =>
    !shown.some((one) => one.code === code && one.place === place);
  noteFindings(result.findings.filter(isNew), terminal);
  print(result);
  await publishMarkdown(planToMarkdown(result.plan, { result, names, rights }), {
    file,
    environment: terminal.environment,
    onFinding: (found) => noteFindings([found], terminal),
  });
  const failure = failureOf(result);
  if (failure?.code === 'usage-unsent-too-long') return exitCodes.error;
  if (failure || (terminal.signal.aborted && result.unsent > 0)) return exitCodes.unsent;
  return result.held > 0 ? exitCodes.held : exitCodes.done;
}
