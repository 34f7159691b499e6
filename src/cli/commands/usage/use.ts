import { listIds } from '../../../errors/wording.ts';
import type { UseChange } from '../../../usage/ledger/project-uses.ts';
import { planProjects, reportProjects } from '../../../usage/site-usages.ts';
import { assertCanConfirm, wrong } from '../../command-options.ts';
import { readLastBuild } from '../../settings/find-service.ts';
import type { Command } from '../../terminal/terminal.ts';
import { prepareUsageRun, type UsageFlags } from '../../usage/usage-run.ts';

interface UseFlags extends UsageFlags {
  readonly project: string;
  readonly types?: string[];
  readonly amount?: number;
  readonly remove?: boolean;
}

/** Changes the uses of assets in a project. The guard doesn't apply, because the user names them. */
export const use: Command<UseFlags, [ids: readonly number[]]> = async (flags, terminal, ids) => {
  assertCanConfirm(flags, terminal, 'send the change');
  const { built } = await readLastBuild(terminal);
  // A service that removes usages by project would remove those of the pages too.
  if (built?.project === flags.project && !flags.remove)
    wrong(`The site's pages are in the project “${flags.project}”. Name another project.`);
  // The uses belong to no site.
  const site = built?.site ?? 'http://localhost';
  const run = await prepareUsageRun({ ...flags, site }, terminal, { sends: true });
  const opened = run.openService();
  const { project, contact, description, types, amount, remove = false } = flags;
  const given = Object.entries({ contact, description, types, amount: amount?.toString() });
  const change: UseChange = {
    ...{ project, ids, remove },
    given: Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    defaults: { contact: run.rules.contact, description: '', amount: '1', types: ['web'] },
  };
  const unchanged = remove
    ? 'Nothing had to be removed.'
    : 'Nothing changed: the service already has these uses.';
  const { plan, known } = await planProjects(run.usages, change);
  const unknown = remove ? ids.filter((id) => !known.includes(id)) : [];
  if (unknown.length > 0) {
    const others = listIds(known) || 'none';
    terminal.note(
      `The ledger has no use of ${listIds(unknown)} in “${project}”. It has: ${others}.`,
    );
  }
  const { identity } = run.usages.projects;
  if (!flags.yes && plan.steps.length > 0) {
    terminal.note(run.planText(plan, { paint: terminal.notePaint, identity, rights: undefined }));
  }
  const question = `Send this to ${identity.service}?`;
  return run.sendIfAgreed(plan, { question, unchanged }, (part) =>
    reportProjects(run.usages, change, { ...opened, ...part }),
  );
};
