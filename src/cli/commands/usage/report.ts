import { resolve } from 'node:path';
import type { Finding } from '../../../errors/errors.ts';
import { type Command, exitCodes, noteFindings } from '../../terminal/terminal.ts';
import { prepareUsageRun, type UsageFlags, unsentCounts } from '../../usage/usage-run.ts';

const unchanged = 'Nothing changed: the service already lists what the pages show.';

interface ReportFlags extends UsageFlags {
  readonly rollback?: boolean;
  readonly first?: boolean;
}

/** Sends the plan. Without `--yes`, shows it and asks first. */
export const report: Command<ReportFlags, [folder: string]> = async (flags, terminal, folder) => {
  const run = await prepareUsageRun(flags, terminal, { sends: true, act: 'send the plan' });
  const { usages } = run;
  const service = await run.openService();
  const manifest = await run.scan(folder);
  const inOutage = {
    onError: usages.onError,
    instead: run.stop({ reported: null, removed: null, requests: null, unsent: null }),
  };
  let shown: readonly Finding[] = [];
  if (!flags.yes) {
    const planned = await usages.unlessOutage(usages.plan(manifest), inOutage);
    if (!planned) return exitCodes.done;
    const { plan, findings } = planned;
    noteFindings(findings, terminal);
    shown = findings;
    terminal.note(usages.planText(plan, { paint: terminal.notePaint, manifest }));
    const question = `Send this to ${usages.identity.service}?`;
    if (plan.steps.length > 0 && !(await run.isAgreed(question))) {
      run.print(unsentCounts(plan), unchanged);
      return exitCodes.unsent;
    }
    // A build may have started before the user answered.
    await run.assertSameBuild();
  }
  const { rollback, first } = flags;
  const dir = resolve(terminal.directory, folder);
  const sending = run.work('Sending', (part) =>
    usages.send(manifest, { ...part, service, dir, first, rollback }),
  );
  const result = await usages.unlessOutage(sending, inOutage);
  if (!result) return exitCodes.done;
  const isNew = ({ code, place }: Finding) =>
    !shown.some((one) => one.code === code && one.place === place);
  noteFindings(result.findings.filter(isNew), terminal);
  run.print(result, unchanged);
  await usages.publish(result.plan, { manifest, result });
  const { failure } = result;
  if (failure?.code === 'usage-unsent-too-long') return exitCodes.error;
  if (failure || (terminal.signal.aborted && result.unsent > 0)) return exitCodes.unsent;
  return result.held > 0 ? exitCodes.held : exitCodes.done;
};
