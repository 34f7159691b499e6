import { loadLedger } from '../usage/load-ledger.ts';
import { planToJson } from '../usage/plan-to-json.ts';
import { planToMarkdown } from '../usage/plan-to-markdown.ts';
import { type Plan, planUsage } from '../usage/plan-usage.ts';
import { renderPlan } from '../usage/render-plan.ts';
import { checkMarkdown, publishMarkdown } from './publish-markdown.ts';
import { scanFolder } from './scan-folder.ts';
import { type ExitCode, exitCodes, noteFindings, type Terminal } from './terminal.ts';
import { prepareUsageRun, type UsageFlags } from './usage-run.ts';

/** `media-asset plan <folder>`: what would be sent. Sends nothing and changes nothing. */
export async function plan(
  flags: UsageFlags & { markdown?: string },
  terminal: Terminal,
  folder: string,
): Promise<ExitCode> {
  await checkMarkdown(flags.markdown, terminal);
  const { rules, run } = await prepareUsageRun(flags, terminal);
  const manifest = await scanFolder(folder, rules, terminal);
  const { ledger, findings } = await loadLedger(run.store, run.identity);
  noteFindings(findings, terminal);
  const today = new Date().toISOString().slice(0, 10);
  const planned = planUsage({ ...run, manifest, ledger, today });
  terminal.out(
    flags.json
      ? JSON.stringify(planToJson(planned), undefined, 2)
      : renderPlan(planned, {
          paint: terminal.paint,
          width: terminal.width,
          identity: run.identity,
          manifest,
          next: nextStep(planned, folder),
        }),
  );
  await publishMarkdown(planToMarkdown(planned), { file: flags.markdown, terminal });
  return planned.guard.held ? exitCodes.held : exitCodes.done;
}

/** The command that sends a plan, as it is typed. */
function nextStep({ guard }: Plan, folder: string): string {
  const words = /^[\w./\\:-]+$/.test(folder) ? folder : JSON.stringify(folder);
  return `media-asset report ${words}${guard.held ? ' (without what is held)' : ''}`;
}
