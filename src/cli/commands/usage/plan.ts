import type { Command } from 'commander';
import { example, runOptions, siteOptions, type ToAction } from '../../command-options.ts';
import { type ExitCode, exitCodes, noteFindings, type Terminal } from '../../terminal/terminal.ts';
import type { UsageFlags } from '../../usage/usage-run.ts';

/** Sends nothing and changes nothing. */
export function declarePlan(program: Command, run: ToAction): void {
  runOptions(siteOptions(program.command('plan')))
    .description('Show what a report would change in the service.')
    .option('--markdown <file>', 'also write the plan as Markdown, for a review comment')
    .addHelpText(
      'after',
      example('media-asset plan dist', 'media-asset plan dist --markdown usages.md'),
    )
    .action(run(plan));
}

async function plan(flags: UsageFlags, terminal: Terminal, folder: string): Promise<ExitCode> {
  const { prepareUsageRun } = await import('../../usage/usage-run.ts');
  const { planToJson } = await import('../../../usage/plan/plan-usage.ts');
  const run = await prepareUsageRun(flags, terminal);
  const manifest = await run.scan(folder);
  const unknown = { requests: null, guard: null };
  const planned = await run.unlessOutage(run.plan(manifest), { unknown, onError: 'warn' });
  if (!planned) return exitCodes.done;
  const { plan, findings } = planned;
  noteFindings(findings, terminal);
  const { rights } = run.rules;
  const isPlain = Object.keys(flags).length === 0;
  const next = `media-asset report ${folder}${isPlain ? '' : ', with the same flags'}`;
  terminal.print({ ...planToJson(plan), ...(rights && { rights }) }, () =>
    run.planText(plan, { paint: terminal.paint, manifest, next }),
  );
  await run.publish(plan);
  return plan.guard.held ? exitCodes.held : exitCodes.done;
}
