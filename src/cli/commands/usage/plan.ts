import { planToJson } from '../../../usage/plan/plan-usage.ts';
import { type Command, exitCodes, noteFindings } from '../../terminal/terminal.ts';
import { prepareUsageRun, type UsageFlags } from '../../usage/usage-run.ts';

/** Sends nothing and changes nothing. */
export const plan: Command<UsageFlags, [folder: string]> = async (flags, terminal, folder) => {
  const run = await prepareUsageRun(flags, terminal);
  const { usages } = run;
  const manifest = await run.scan(folder);
  const planned = await usages.unlessOutage(usages.plan(manifest), {
    onError: 'warn',
    instead: run.stop({ requests: null, guard: null }),
  });
  if (!planned) return exitCodes.done;
  const { plan, findings } = planned;
  noteFindings(findings, terminal);
  const isPlain = Object.keys(flags).length === 0;
  const next = `media-asset report ${folder}${isPlain ? '' : ', with the same flags'}`;
  terminal.print(planToJson(plan), () =>
    usages.planText(plan, { paint: terminal.paint, manifest, next }),
  );
  await usages.publish(plan, { manifest });
  return plan.guard.held ? exitCodes.held : exitCodes.done;
};
