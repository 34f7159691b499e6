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
import type { UsageFlags } from '../../usage/usage-run.ts';

const unchanged = 'Nothing changed: the service already lists what the pages show.';

interface ReportFlags extends UsageFlags {
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
  const { prepareUsageRun, unsentCounts } = await import('../../usage/usage-run.ts');
  const run = await prepareUsageRun(flags, terminal, { sends: true });
  const opened = run.openService();
  const { usages, onError } = run;
  const manifest = await run.scan(folder);
  const inOutage = { unknown: { reported: 0, removed: 0, requests: 0, unsent: null }, onError };
  let shown: readonly Finding[] = [];
  if (!flags.yes) {
    const planned = await run.unlessOutage(run.plan(manifest), inOutage);
    if (!planned) return exitCodes.done;
    const { plan, findings } = planned;
    noteFindings(findings, terminal);
    shown = findings;
    terminal.note(run.planText(plan, { paint: terminal.notePaint, manifest }));
    const question = `Send this to ${usages.identity.service}?`;
    if (plan.steps.length > 0 && !(await run.isAgreed(question))) {
      run.print(unsentCounts(plan), unchanged);
      return exitCodes.unsent;
    }
    // A build may have started before the user answered.
    await run.assertSameBuild();
  }
  const sending = run.work('Sending', async (part) => {
    await run.record(folder, manifest, part.signal);
    return run.report(manifest, { ...opened, ...part, onError, rollback: flags.rollback });
  });
  const result = await run.unlessOutage(sending, inOutage);
  if (!result) return exitCodes.done;
  const isNew = ({ code, place }: Finding) =>
    !shown.some((one) => one.code === code && one.place === place);
  noteFindings(result.findings.filter(isNew), terminal);
  run.print(result, unchanged);
  await run.publish(result.plan, result);
  const { failure } = result;
  if (failure?.code === 'usage-unsent-too-long') return exitCodes.error;
  if (failure || (terminal.signal.aborted && result.unsent > 0)) return exitCodes.unsent;
  return result.held > 0 ? exitCodes.held : exitCodes.done;
}
