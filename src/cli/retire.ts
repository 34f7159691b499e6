import { mediaAssetError } from '../errors.ts';
import { loadLedger } from '../usage/load-ledger.ts';
import { planUsage } from '../usage/plan-usage.ts';
import { renderPlan } from '../usage/render-plan.ts';
import { reportCounts } from '../usage/report-counts.ts';
import { retirement } from '../usage/retirement.ts';
import { openService } from './open-service.ts';
import { countsText, countsToJson, outcomeCodes, type ReportCounts } from './report-outcome.ts';
import { sendUsages } from './send-usages.ts';
import { type ExitCode, exitCodes, noteFindings, type Terminal } from './terminal.ts';
import { prepareUsageRun, type UsageFlags } from './usage-run.ts';

export interface RetireFlags extends UsageFlags {
  readonly yes?: boolean;
  /** Seconds that sending may take. */
  readonly timeLimit?: number;
}

/**
 * `media-asset retire --site <url>`: removes every usage that a site has reported, for a site that
 * moves or ends. Its ledger is kept, empty. The guard asks nothing: a person has named the site.
 *
 * @throws `command-usage` where nobody can be asked
 */
export async function retire(flags: RetireFlags, terminal: Terminal): Promise<ExitCode> {
  if (!flags.yes && !terminal.confirm) {
    throw mediaAssetError('command-usage', {
      problem: 'Nobody is there to be asked: pass --yes to remove all usages of the site.',
    });
  }
  const {
    rules,
    environment,
    run: settings,
  } = await prepareUsageRun(flags, terminal, {
    sends: true,
    ledgerOnly: true,
  });
  const { store, identity } = settings;
  const opened = openService(identity.service, { rules, environment });
  const { ledger, tag } = await loadLedger(store, identity);
  const empty =
    tag === undefined
      ? `There is no ledger ${store.name}: nothing is known that this site has reported below ${identity.base}.`
      : `Nothing to remove: the ledger holds no usage of this site below ${identity.base}.`;
  const print = (counts: ReportCounts) =>
    terminal.out(
      flags.json ? JSON.stringify(countsToJson(counts), undefined, 2) : countsText(counts, empty),
    );
  if (ledger.pages.size === 0) {
    print({ reported: 0, removed: 0, requests: 0, unsent: 0, held: 0 });
    return exitCodes.done;
  }
  const run = { ...settings, manifest: retirement(ledger), allowRemovals: true };
  const today = new Date().toISOString().slice(0, 10);
  const plan = planUsage({ ...run, ledger, today });
  const { notePaint: paint, noteWidth: width } = terminal;
  terminal.note(renderPlan(plan, { paint, width, identity }));
  const question = `Remove all of this from ${identity.service}?`;
  const isAgreed = flags.yes || plan.steps.length === 0 || (await terminal.confirm?.(question));
  if (isAgreed !== true) {
    print({ ...reportCounts(plan.steps, { ledger }), requests: 0, held: 0 });
    return exitCodes.unsent;
  }
  const result = await sendUsages({ ...run, ...opened }, { terminal, timeLimit: flags.timeLimit });
  noteFindings(result.findings, terminal);
  print(result);
  return outcomeCodes[result.outcome];
}
