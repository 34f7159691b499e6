import type { Command } from 'commander';
import type { Manifest } from '../../../scan/manifest.ts';
import type { Ledger } from '../../../usage/ledger/ledger.ts';
import {
  example,
  ledgerOptions,
  sendOptions,
  stateOption,
  type ToAction,
  wrong,
} from '../../command-options.ts';
import { type ExitCode, exitCodes, noteFindings, type Terminal } from '../../terminal/terminal.ts';
import type { RunCounts } from '../../usage/send-usages.ts';
import type { UsageFlags } from '../../usage/usage-run.ts';

interface RetireFlags extends UsageFlags {
  readonly yes?: boolean;
  /** Time limit for sending, in seconds. */
  readonly timeLimit?: number;
}

/** Keeps an empty ledger. The guard doesn't apply, because the user has named the site. */
export function declareRetire(program: Command, run: ToAction): void {
  sendOptions(stateOption(ledgerOptions(program.command('retire'), { siteNamed: true })))
    .description('Remove all usages of a site that moves or ends.')
    .addHelpText(
      'after',
      example(
        'media-asset retire --site https://old.example.org --service https://dam.example.org',
      ),
    )
    .action(run(retire));
}

async function retire(flags: RetireFlags, terminal: Terminal): Promise<ExitCode> {
  if (!flags.yes && !terminal.confirm) {
    wrong('No terminal to confirm in. Pass --yes to remove all usages of the site.');
  }
  const { loadLedger } = await import('../../../usage/ledger/load-ledger.ts');
  const { renderPlan } = await import('../../../usage/output/render-plan.ts');
  const { reportCounts } = await import('../../../usage/report/report-result.ts');
  const { planSite, reportSite } = await import('../../../usage/site-usages.ts');
  const { countsText, countsToJson, outcomeCodes, withTerminal } = await import(
    '../../usage/send-usages.ts'
  );
  const { prepareUsageRun } = await import('../../usage/usage-run.ts');

  const prepared = await prepareUsageRun(flags, terminal, { sends: true });
  const usages = { ...prepared.usages, allowRemovals: true, startedAt: undefined };
  const { store, identity } = usages;
  const { names } = prepared.rules;
  const opened = prepared.openService();
  const { ledger, tag } = await loadLedger(store, identity);
  const empty =
    tag === undefined
      ? `There is no ledger at ${store.name}, so no usages of this site are known below ${identity.base}.`
      : `Nothing to remove: the ledger has no usages of this site below ${identity.base}.`;
  const print = (counts: RunCounts) =>
    terminal.print(countsToJson(counts), () => countsText(counts, empty));
  if (ledger.pages.size === 0) {
    print({ reported: 0, removed: 0, requests: 0, unsent: 0, held: 0 });
    return exitCodes.done;
  }
  const manifest = emptyManifest(ledger);
  const { plan } = await planSite(usages, manifest);
  terminal.note(renderPlan(plan, { paint: terminal.notePaint, identity, names }));
  const question = `Remove all of this from ${identity.service}?`;
  const isAgreed = flags.yes || plan.steps.length === 0 || (await terminal.confirm?.(question));
  if (isAgreed !== true) {
    print({ ...reportCounts(plan.steps, { ledger }), requests: 0, held: 0 });
    return exitCodes.unsent;
  }
  const result = await withTerminal({ terminal, timeLimit: flags.timeLimit }, (part) =>
    reportSite(usages, manifest, { ...opened, ...part }),
  );
  noteFindings(result.findings, terminal);
  print(result);
  return outcomeCodes[result.outcome];
}

/** The manifest of a retired site: all pages of the ledger, without assets. */
function emptyManifest({ site, base, pages }: Ledger): Manifest {
  const ended = [...pages].map(([page, records]) => ({
    page,
    pageName: records[0]?.pageName ?? '',
    assets: [],
  }));
  return { site, base, pages: ended, findings: [] };
}
