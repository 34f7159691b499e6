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
  const { rules, run, assertSameBuild } = await prepareUsageRun(flags, terminal);
  const manifest = await scanFolder(folder, { rules, flags }, terminal).finally(assertSameBuild);
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
          next: nextStep(planned, { folder, flags }),
        }),
  );
  await publishMarkdown(planToMarkdown(planned), { file: flags.markdown, terminal });
  return planned.guard.held ? exitCodes.held : exitCodes.done;
}

/** The command that sends a plan, as it is typed: with the flags that the plan was made with. */
function nextStep(
  { guard }: Plan,
  { folder, flags }: { folder: string; flags: UsageFlags },
): string {
  const { exclude = [], allowRemovals, ...given } = flags;
  const words = [
    folder,
    ...sameFlags.flatMap(([name, flag]) => (given[name] === undefined ? [] : [flag, given[name]])),
    ...exclude.flatMap((glob) => ['--exclude', glob]),
    ...(allowRemovals ? ['--allow-removals'] : []),
  ];
  const held = guard.held ? ' (without what is held)' : '';
  return `media-asset report ${words.map(toShellWord).join(' ')}${held}`;
}

const sameFlags = [
  ['site', '--site'],
  ['base', '--base'],
  ['service', '--service'],
  ['format', '--format'],
  ['trailingSlash', '--trailing-slash'],
  ['state', '--state'],
  ['project', '--project'],
  ['contact', '--contact'],
] as const;

function toShellWord(word: string): string {
  return /^[\w./\\:-]+$/.test(word) ? word : JSON.stringify(word);
}
