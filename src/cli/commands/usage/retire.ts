import { gapText } from '../../../usage/ledger/gaps.ts';
import { siteUrl } from '../../../usage/ledger/ledger-identity.ts';
import { changeHistory } from '../../../usage/ledger/publication-history.ts';
import { compareState } from '../../../usage/record-publication.ts';
import { type ReportRun, reportUsage } from '../../../usage/report/report-usage.ts';
import { type ExitCode, exitCodes, noteFindings, type Terminal } from '../../terminal/terminal.ts';
import {
  outcomeCodes,
  prepareUsageRun,
  type UsageFlags,
  type UsageRun,
  unsentCounts,
} from '../../usage/usage-run.ts';

/** Keeps an empty ledger. The guard doesn't apply, because the user has named the site. */
export async function retire(flags: UsageFlags, terminal: Terminal): Promise<ExitCode> {
  const act = 'remove all usages of the site';
  const all = { ...flags, allowRemovals: true };
  const run = await prepareUsageRun(all, terminal, { sends: true, act });
  const { history: store, identity } = run.usages;
  const compare = () =>
    compareState(run.usages, { pages: [] }, { kind: 'unread', problem: 'not asked' });
  const { kept, loaded } = await compare();
  const code = await removeAll(run, async () => (await compare()).loaded, terminal);
  if (code !== exitCodes.done) return code;
  if (loaded.ledger.gap) return exitCodes.held;
  // `withdraw` no longer asks which build of an ended site is online. A lost ledger doesn't say that it ended.
  if (loaded.tag && kept) {
    const known = { store, service: identity.service };
    const isOther = ({ site }: { site: string }) => site !== siteUrl(identity);
    await changeHistory(known, (kept) => ({ ...kept, builds: kept.builds.filter(isOther) }));
  }
  return code;
}

async function removeAll(
  run: UsageRun,
  load: NonNullable<ReportRun['load']>,
  terminal: Terminal,
): Promise<ExitCode> {
  const { ledger, tag } = await load();
  const { usages } = run;
  const { store, identity } = usages;
  const service = await run.openService();
  const unchanged =
    tag === undefined
      ? `There is no ledger at ${store.name}, so no usages of this site are known.`
      : `Nothing to remove: the ledger ${store.name} has no usages of this site below ${identity.base || '/'}.`;
  if (ledger.pages.size === 0) {
    const counts = { reported: 0, removed: 0, requests: 0, unsent: 0, held: 0, gap: ledger.gap };
    run.print(counts, ledger.gap ? `${unchanged} ${gapText(ledger.gap)}` : unchanged);
    return exitCodes.done;
  }
  // All pages of the ledger, without assets.
  const pages = Array.from(ledger.pages, ([page, [record]]) => {
    return { page, pageName: record?.pageName ?? '', assets: [] };
  });
  const manifest = { site: ledger.site, base: ledger.base, pages, findings: [] };
  const { plan } = await usages.plan(manifest);
  terminal.note(usages.planText(plan, { paint: terminal.notePaint }));
  const question = `Remove all of this from ${identity.service}?`;
  if (plan.steps.length > 0 && !(await run.isAgreed(question))) {
    run.print(unsentCounts(plan), unchanged);
    return exitCodes.unsent;
  }
  const own = { load, service, manifest, startedAt: undefined, build: undefined };
  const result = await run.work('Sending', (part) => reportUsage({ ...usages, ...part, ...own }));
  noteFindings(result.findings, terminal);
  run.print(result, unchanged);
  return outcomeCodes[result.outcome];
}
