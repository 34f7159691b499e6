import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { OtherUsage } from '../../../usage/reconcile/look-up-usages.ts';
import type { Drift } from '../../../usage/reconcile/usage-drift.ts';
import type { ReportResult } from '../../../usage/report/report-result.ts';
import {
  example,
  runOptions,
  sendOptions,
  siteOptions,
  type ToAction,
  toAssetIds,
} from '../../command-options.ts';
import { type ExitCode, exitCodes, noteFindings, type Terminal } from '../../terminal/terminal.ts';
import type { RunCounts } from '../../usage/send-usages.ts';
import type { UsageFlags } from '../../usage/usage-run.ts';

interface ReconcileFlags extends UsageFlags {
  readonly yes?: boolean;
  /** In seconds, for listing and sending together. */
  readonly timeLimit?: number;
  readonly asset?: readonly number[];
  readonly all?: boolean;
}

const ledgerRepaired =
  "The ledger now matches the service's list. Run `media-asset report <folder>` to report what the pages show.";

/**
 * Compares the service's list with the ledger and the built pages, and repairs both after
 * confirmation or with `--yes`. Without a folder, the wanted usages are unknown, so only the ledger
 * is repaired. Looks up assets in the ledger or on a page, which may not be all after a lost or
 * rolled-back ledger. `--all` looks up the whole library. Usages that another project reported
 * under the same base are shown but left alone.
 */
export function declareReconcile(program: Command, run: ToAction): void {
  sendOptions(runOptions(siteOptions(program.command('reconcile'), '[folder]')))
    .description(
      "Compare the service's list with the ledger and the built pages, and repair differences.",
    )
    .option('--asset <id>', 'also look up this asset (repeatable)', toAssetIds)
    .option('--all', 'look up every asset of the library, such as after a lost ledger')
    .addHelpText(
      'after',
      example('media-asset reconcile dist', 'media-asset reconcile dist --all --yes'),
    )
    .action(run(reconcile));
}

/** @throws like `lookUpUsages` and `listLibrary`; `listing-ended` if no time is left */
async function reconcile(
  flags: ReconcileFlags,
  terminal: Terminal,
  folder = '',
): Promise<ExitCode> {
  const { listLibrary } = await import('../../../usage/reconcile/list-library.ts');
  const { lookUpUsages } = await import('../../../usage/reconcile/look-up-usages.ts');
  const { reconcileUsage, repairLedger } = await import(
    '../../../usage/reconcile/reconcile-usage.ts'
  );
  const { recordPublication } = await import('../../../usage/site-usages.ts');
  const { usageDrift } = await import('../../../usage/reconcile/usage-drift.ts');
  const { driftText, leftAloneText } = await import('../../usage/drift-text.ts');
  const { scanFolder } = await import('../../usage/scan-folder.ts');
  const { countsText, countsToJson, outcomeCodes, withTerminal } = await import(
    '../../usage/send-usages.ts'
  );
  const { prepareUsageRun } = await import('../../usage/usage-run.ts');

  const { rules, usages, openService, assertSameBuild } = await prepareUsageRun(flags, terminal, {
    sends: true,
  });
  const opened = openService();
  const { service } = opened;
  const run = { ...usages, clock: Date.now };
  const manifest =
    folder === '' ? undefined : await scanFolder(folder, rules, terminal).finally(assertSameBuild);
  const from = performance.now();
  const timeLeft = () => flags.timeLimit && flags.timeLimit - (performance.now() - from) / 1000;
  const library = flags.all
    ? await withTerminal(
        { terminal, timeLimit: flags.timeLimit, title: 'Reading the library' },
        ({ signal, onProgress }) => listLibrary({ service, signal, onProgress }),
      )
    : { ids: [], findings: [] };
  noteFindings(library.findings, terminal);
  const others = [...library.ids, ...(flags.asset ?? [])];
  const { ledger, listing, leftAlone, findings, assets, ids } = await withTerminal(
    { terminal, timeLimit: timeLeft(), title: 'Asking the service' },
    (part) => lookUpUsages({ ...run, ...part, service, manifest, others }),
  );
  const timeLimit = timeLeft();
  noteFindings(findings, terminal);
  const today = new Date().toISOString().slice(0, 10);
  const drift = usageDrift({ ...run, ledger, listing, manifest, today });
  const isBuilt = manifest !== undefined;
  const paint = flags.json || flags.yes ? terminal.notePaint : terminal.paint;
  const unlisted = assets - listing.size;
  const all = flags.all === true;
  const text = [
    driftText(drift, { assets, unlisted, isBuilt, isAll: all, paint }),
    ...leftAloneText(leftAlone, manifest),
  ].join('\n\n');
  const print = (repaired: boolean, result?: ReportResult, said = text) =>
    terminal.print(
      toJson({ assets, all, drift, leftAlone, repaired, report: result && countsToJson(result) }),
      () => said,
    );

  if (drift.length === 0) {
    print(false);
    return exitCodes.done;
  }
  const question = isBuilt ? `Repair this in ${usages.identity.service}?` : 'Repair the ledger?';
  if (!flags.yes && !terminal.confirm) {
    print(false);
    return exitCodes.unsent;
  }
  terminal.note(text);
  if (!flags.yes && (await terminal.confirm?.(question)) !== true) {
    if (flags.json) print(false);
    return exitCodes.unsent;
  }
  if (!manifest) {
    await withTerminal({ terminal, timeLimit, title: 'Asking the service' }, (part) =>
      repairLedger({ ...run, ...part, service, manifest, ids }),
    );
    print(true, undefined, ledgerRepaired);
    return drift.some(isLeft) ? exitCodes.unsent : exitCodes.done;
  }
  // A build may have started during the listing or the confirmation.
  await assertSameBuild();
  const result = await withTerminal({ terminal, timeLimit }, async (part) => {
    const dir = resolve(terminal.directory, folder);
    await recordPublication(usages, manifest, { dir, rules, signal: part.signal });
    return reconcileUsage({ ...run, ...opened, ...part, manifest, ids });
  });
  noteFindings(
    result.findings.filter(({ code }) => code !== 'listing-refused'),
    terminal,
  );
  print(true, result, countsText(result, 'The ledger was repaired. Nothing had to be sent.'));
  return outcomeCodes[result.outcome];
}

/** Whether only a report can repair it. */
function isLeft({ kind }: Drift): boolean {
  return kind === 'missing' || kind === 'repeated';
}

function toJson({
  assets,
  all,
  drift,
  leftAlone,
  repaired,
  report,
}: {
  assets: number;
  all: boolean;
  drift: readonly Drift[];
  leftAlone: readonly OtherUsage[];
  repaired: boolean;
  report: Partial<RunCounts> | undefined;
}) {
  const others = leftAlone.map((usage) => ({
    page: usage.page,
    pageName: usage.pageName ?? null,
    id: usage.id,
    project: usage.project ?? null,
    contact: usage.contact ?? null,
  }));
  return { assets, all, drift, leftAlone: others, repaired, ...(report && { report }) };
}
