import type { Finding } from '../../../errors/errors.ts';
import { assertCanConfirm } from '../../command-options.ts';
import { type Command, exitCodes, noteFindings } from '../../terminal/terminal.ts';
import { prepareUsageRun, type UsageFlags, unsentCounts } from '../../usage/usage-run.ts';

const unchanged = 'Nothing changed: the service already lists what the pages show.';

interface ReportFlags extends UsageFlags {
  readonly rollback?: boolean;
}

/** Sends the plan. Without `--yes`, shows it and asks first. */
export const report: Command<ReportFlags, [folder: string]> = async (flags, terminal, folder) => {
  assertCanConfirm(flags, terminal, 'send the plan');
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
};
