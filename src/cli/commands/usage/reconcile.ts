import { listLibrary } from '../../../usage/reconcile/list-usages.ts';
import type { Drift } from '../../../usage/reconcile/reconcile-ledger.ts';
import {
  lookUpUsages,
  type OtherUsage,
  reconcileUsage,
  repairLedger,
} from '../../../usage/reconcile/reconcile-usage.ts';
import type { ReportResult } from '../../../usage/report/report-result.ts';
import { type ExitCode, exitCodes, noteFindings, type Terminal } from '../../terminal/terminal.ts';
import { driftText, leftAloneText } from '../../usage/drift-text.ts';
import {
  countsText,
  countsToJson,
  outcomeCodes,
  prepareUsageRun,
  type UsageFlags,
} from '../../usage/usage-run.ts';

interface ReconcileFlags extends UsageFlags {
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
export async function reconcile(
  flags: ReconcileFlags,
  terminal: Terminal,
  folder = '',
): Promise<ExitCode> {
  const run = await prepareUsageRun(flags, terminal, { sends: true });
  const opened = run.openService();
  const { service } = opened;
  const given = { ...run.usages, clock: Date.now };
  const manifest = folder === '' ? undefined : await run.scan(folder);
  const library = flags.all
    ? await run.work('Reading the library', (part) => listLibrary(service, part))
    : { ids: [], findings: [] };
  noteFindings(library.findings, terminal);
  const others = [...library.ids, ...(flags.asset ?? [])];
  const { drift, leftAlone, findings, assets, unlisted, ids } = await run.work(
    'Asking the service',
    (part) => lookUpUsages({ ...given, ...part, service, manifest, others }),
  );
  noteFindings(findings, terminal);
  const isBuilt = manifest !== undefined;
  const paint = flags.json || flags.yes ? terminal.notePaint : terminal.paint;
  const all = flags.all === true;
  const text = [
    driftText(drift, { assets, unlisted, isBuilt, isAll: all, paint }),
    ...leftAloneText(leftAlone, manifest),
  ].join('\n\n');
  const print = (repaired: boolean, result?: ReportResult, said = text) => {
    const report = result && countsToJson(result);
    const others = leftAlone.map(otherToJson);
    terminal.print(
      { assets, all, drift, leftAlone: others, repaired, ...(report && { report }) },
      () => said,
    );
  };

  if (drift.length === 0) {
    print(false);
    return exitCodes.done;
  }
  const question = isBuilt ? `Repair this in ${given.identity.service}?` : 'Repair the ledger?';
  if (!flags.yes && !terminal.confirm) {
    print(false);
    return exitCodes.unsent;
  }
  terminal.note(text);
  if (!(await run.isAgreed(question))) {
    if (flags.json) print(false);
    return exitCodes.unsent;
  }
  if (!manifest) {
    await run.work('Asking the service', (part) =>
      repairLedger({ ...given, ...part, service, manifest, ids }),
    );
    print(true, undefined, ledgerRepaired);
    return drift.some(isLeft) ? exitCodes.unsent : exitCodes.done;
  }
  // A build may have started during the listing or the confirmation.
  await run.assertSameBuild();
  const result = await run.work('Sending', async (part) => {
    await run.record(folder, manifest, part.signal);
    return reconcileUsage({ ...given, ...opened, ...part, manifest, ids });
  });
  noteFindings(
    result.findings.filter(({ code }) => code !== 'listing-refused'),
    terminal,
  );
  const repaired = 'The ledger was repaired. Nothing had to be sent.';
  print(true, result, countsText(result, repaired));
  return outcomeCodes[result.outcome];
}

/** Whether only a report can repair it. */
function isLeft({ kind }: Drift): boolean {
  return kind === 'missing' || kind === 'repeated';
}

function otherToJson({ page, id, ...names }: OtherUsage) {
  const { pageName, project, contact } = names;
  const orNull = { project: project ?? null, contact: contact ?? null };
  return { page, pageName: pageName ?? null, id, ...orNull };
}
