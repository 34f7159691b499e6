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

async function plan(
  flags: UsageFlags & { markdown?: string },
  terminal: Terminal,
  folder: string,
): Promise<ExitCode> {
  const { planToMarkdown } = await import('../../../usage/output/plan-to-markdown.ts');
  const { planToJson } = await import('../../../usage/plan/plan-usage.ts');
  const { publishMarkdown } = await import('../../../usage/output/publish-markdown.ts');
  const { renderPlan } = await import('../../../usage/output/render-plan.ts');
  const { planSite } = await import('../../../usage/site-usages.ts');
  const { scanFolder } = await import('../../usage/scan-folder.ts');
  const { unlessOutage } = await import('../../usage/send-usages.ts');
  const { markdownFile, prepareUsageRun } = await import('../../usage/usage-run.ts');
  const file = await markdownFile(flags, terminal);
  const { rules, usages, assertSameBuild } = await prepareUsageRun(flags, terminal);
  const manifest = await scanFolder(folder, rules, terminal).finally(assertSameBuild);
  const planned = await unlessOutage(planSite(usages, manifest), {
    unknown: { requests: null, guard: null },
    onError: 'warn',
    file,
    terminal,
  });
  if (!planned) return exitCodes.done;
  const { plan, findings } = planned;
  const isPlain = Object.keys(flags).length === 0;
  noteFindings(findings, terminal);
  const { names, rights } = rules;
  terminal.print({ ...planToJson(plan), ...(rights && { rights }) }, () =>
    renderPlan(plan, {
      paint: terminal.paint,
      identity: usages.identity,
      names,
      rights,
      manifest,
      next: `media-asset report ${folder}${isPlain ? '' : ', with the same flags'}`,
    }),
  );
  await publishMarkdown(planToMarkdown(plan, { names, rights }), {
    file,
    environment: terminal.environment,
    onFinding: (found) => noteFindings([found], terminal),
  });
  return plan.guard.held ? exitCodes.held : exitCodes.done;
}
