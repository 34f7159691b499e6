import { planToJson } from '../../../usage/plan/plan-usage.ts';
import { type Command, exitCodes, noteFindings } from '../../terminal/terminal.ts';
import { prepareUsageRun, type UsageFlags } from '../../usage/usage-run.ts';

/** Sends nothing and changes nothing. */
export const plan: Command<UsageFlags, [folder: string]> = async (flags, terminal, folder) => {
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
};
