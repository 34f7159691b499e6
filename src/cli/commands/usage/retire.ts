import { loadLedger } from '../../../usage/ledger/stored-ledger.ts';
import { assertCanConfirm } from '../../command-options.ts';
import { type ExitCode, exitCodes, type Terminal } from '../../terminal/terminal.ts';
import { prepareUsageRun, type UsageFlags } from '../../usage/usage-run.ts';

/** Keeps an empty ledger. The guard doesn't apply, because the user has named the site. */
export async function retire(flags: UsageFlags, terminal: Terminal): Promise<ExitCode> {
  assertCanConfirm(flags, terminal, 'remove all usages of the site');
  const run = await prepareUsageRun({ ...flags, allowRemovals: true }, terminal, { sends: true });
  const { store, identity } = run.usages;
  const opened = run.openService();
  const { ledger, tag } = await loadLedger(store, identity);
  const empty =
    tag === undefined
      ? `There is no ledger at ${store.name}, so no usages of this site are known below ${identity.base}.`
      : `Nothing to remove: the ledger has no usages of this site below ${identity.base}.`;
  if (ledger.pages.size === 0) {
    run.print({ reported: 0, removed: 0, requests: 0, unsent: 0, held: 0 }, empty);
    return exitCodes.done;
  }
  // All pages of the ledger, without assets.
  const pages = Array.from(ledger.pages, ([page, [record]]) => {
    return { page, pageName: record?.pageName ?? '', assets: [] };
  });
  const manifest = { site: ledger.site, base: ledger.base, pages, findings: [] };
  const { plan } = await run.plan(manifest);
  terminal.note(run.planText(plan, { paint: terminal.notePaint, rights: undefined }));
  const question = `Remove all of this from ${identity.service}?`;
  return run.sendIfAgreed(plan, { question, unchanged: empty }, (part) =>
    run.report(manifest, { ...opened, ...part, startedAt: undefined }),
  );
}
