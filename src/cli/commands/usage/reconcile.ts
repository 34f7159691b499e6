import { resolve } from 'node:path';
import { countsText } from '../../../usage/output/render-plan.ts';
import { listLibrary } from '../../../usage/reconcile/list-usages.ts';
import { lookUpUsages, reconcileUsage } from '../../../usage/reconcile/reconcile-usage.ts';
import type { ReportResult } from '../../../usage/report/report-result.ts';
import { withNulls } from '../../terminal/json-output.ts';
import { type Command, exitCodes, noteFindings } from '../../terminal/terminal.ts';
import { driftText, leftAloneText } from '../../usage/drift-text.ts';
import {
  countsToJson,
  outcomeCodes,
  prepareUsageRun,
  type UsageFlags,
} from '../../usage/usage-run.ts';

type ReconcileFlags = UsageFlags & { readonly all?: boolean };

/**
 * Compares the service's list with the ledger and the built pages, and repairs both after
 * confirmation or with `--yes`. Looks up assets in the ledger or on a page, which may not be all
 * after a lost or rolled-back ledger. `--all` looks up the whole library.
 */
export const reconcile: Command<ReconcileFlags, [folder: string]> = async (
  flags,
  terminal,
  folder,
) => {
  const run = await prepareUsageRun(flags, terminal, { sends: true });
  const { usages } = run;
  // An asset or folder without an ID is in no list of usages.
  let isSkipped = false;
  const service = await run.openService((found) => {
    isSkipped ||= found.code === 'records-skipped';
    noteFindings([found], terminal);
  });
  const manifest = await run.scan(folder);
  const library = flags.all
    ? await run.work('Reading the library', (part) => listLibrary(service, part))
    : { ids: [], findings: [] };
  noteFindings(library.findings, terminal);
  const { drift, leftAlone, findings, assets, unlisted, ids, isAnswered } = await run.work(
    'Asking the service',
    (part) => lookUpUsages({ ...usages, ...part, service, manifest, others: library.ids }),
  );
  noteFindings(findings, terminal);
  const paint = flags.json || flags.yes ? terminal.notePaint : terminal.paint;
  const all = flags.all === true;
  const found = driftText(drift, { assets, unlisted, isAll: all, paint });
  const text = leftAlone.length === 0 ? found : `${found}\n\n${leftAloneText(leftAlone)}`;
  const print = (result?: ReportResult, isRefused = false) => {
    const isSent = result !== undefined && drift.length > 0;
    const repaired = isSent && !isRefused;
    const report = isSent && { report: countsToJson(result) };
    const others = leftAlone.map((one) =>
      withNulls(one, 'page', 'pageName', 'id', 'project', 'contact'),
    );
    const json = { assets, all, drift, leftAlone: others, repaired, ...report };
    const none = repaired
      ? 'The ledger was repaired. Nothing had to be sent.'
      : 'Nothing was sent.';
    terminal.print(json, () => (isSent ? countsText(result, none) : text));
  };

  // Credentials without a folder see an empty library.
  const isListed = library.ids.length > 0 && isAnswered;
  const isPart = isSkipped || library.findings.length + findings.length > 0;
  const isWhole = isListed && !isPart;
  if (drift.length > 0) {
    if (!flags.yes && !terminal.confirm) {
      print();
      return exitCodes.unsent;
    }
    terminal.note(text);
    if (!(await run.isAgreed(`Repair this in ${usages.identity.service}?`))) {
      if (flags.json) print();
      return exitCodes.unsent;
    }
  } else if (!flags.yes || !isWhole) {
    // A whole listing closes the ledger's gap.
    print();
    return isPart ? exitCodes.held : exitCodes.done;
  }
  // A build may have started during the listing or the confirmation.
  await run.assertSameBuild();
  const result = await run.work('Sending', async (part) => {
    await usages.record(manifest, { ...part, dir: resolve(terminal.directory, folder) });
    return reconcileUsage({ ...usages, ...part, service, manifest, ids, isWhole });
  });
  noteFindings(result.findings, terminal);
  const isRefused = isPart || result.findings.some(({ code }) => code === 'listing-refused');
  print(result, isRefused);
  return outcomeCodes[isRefused && result.outcome === 'done' ? 'unsent' : result.outcome];
};
