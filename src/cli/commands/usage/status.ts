import { finding } from '../../../errors/errors.ts';
import { countOf, oneLine } from '../../../errors/wording.ts';
import type { LastRun } from '../../../usage/ledger/last-run.ts';
import { type LedgerStatus, ledgerStatus } from '../../../usage/ledger/ledger.ts';
import type { ProjectUse } from '../../../usage/ledger/project-uses.ts';
import { loadLedger } from '../../../usage/ledger/stored-ledger.ts';
import { type ExitCode, exitCodes, noteFindings, type Terminal } from '../../terminal/terminal.ts';
import { prepareUsageRun, type UsageFlags } from '../../usage/usage-run.ts';

export async function status(flags: UsageFlags, terminal: Terminal): Promise<ExitCode> {
  const { rules, usages } = await prepareUsageRun(flags, terminal);
  const { site, finished } = rules;
  const findings = finished === false ? [finding('warning', 'build-unfinished', { site })] : [];
  noteFindings(findings, terminal);
  const { store, identity, projects } = usages;
  const { ledger, tag } = await loadLedger(store, identity);
  const inProjects = await loadLedger(projects.store, projects.identity);
  const { uses = [] } = inProjects.ledger;
  const { pairs, unsentSince, lastRun } = ledgerStatus(inProjects.ledger);
  const kept = tag !== undefined;
  const known = ledgerStatus(ledger);
  const json = { ...known, projects: { uses, pairs, unsentSince, lastRun } };
  terminal.print({ ledger: store.name, kept, ...json, findings }, () => {
    const rows: Row[] = [
      ['site', `${known.site}${known.base}`],
      ['service', known.service],
      ['ledger', store.name],
      ...(kept ? ledgerRows(known, 'page') : missingRows),
      ...(inProjects.tag && uses.length === 0 ? [['projects', 'no uses'] as const] : []),
      ...uses.map(useRow),
      ...(inProjects.tag ? ledgerRows(ledgerStatus(inProjects.ledger), 'project') : []),
    ];
    const { dim } = terminal.paint;
    return rows.map(([title, line]) => `${dim(title.padEnd(12))}${line}`).join('\n');
  });
  return exitCodes.done;
}

/** The title is empty in a row that continues the one above it. */
type Row = readonly [title: string, text: string];

const missingRows: readonly Row[] = [
  ['known', 'nothing (no ledger yet)'],
  ['', "Nothing was reported from here, or the ledger wasn't kept."],
  ['', 'media-asset reconcile <folder> asks the service what it lists.'],
];

function useRow({ project, ids, types, amount, contact }: ProjectUse, index: number): Row {
  const fields = oneLine([...types, amount, contact].join(', '));
  return [index === 0 ? 'projects' : '', `${project}: ${ids.join(', ')} (${fields})`];
}

function ledgerRows(
  { pairs, pages, unsentSince, lastRun }: LedgerStatus,
  place: 'page' | 'project',
): Row[] {
  const { confirmed, inDoubt, unsent } = pairs;
  const known = confirmed + inDoubt;
  const places = `${place === 'page' ? 'on' : 'in'} ${countOf(pages, place)}`;
  const counts = `${countOf(known, 'usage')} ${places}: ${confirmed} confirmed, ${inDoubt} in doubt`;
  const { unsent: left = 0, reason } = lastRun ?? {};
  const isUnsent = unsentSince !== null || left > 0;
  const since = unsentSince ? `, since ${unsentSince}` : '';
  return [
    ['known', known === 0 ? 'nothing' : counts],
    ...(inDoubt > 0 ? [['', 'The next run settles what is in doubt.'] as const] : []),
    ...(unsent > 0
      ? [['', `${countOf(unsent, 'usage')} removed, to be reported again`] as const]
      : []),
    ['unsent', isUnsent ? `${countOf(left, 'usage')}${since}` : 'nothing'],
    ...(isUnsent && reason ? [['', oneLine(reason)] as const] : []),
    ...runRows(lastRun),
  ];
}

function runRows(run: LastRun | null): Row[] {
  if (!run) return [['last report', 'not recorded']];
  const allow = 'If the pages are really gone, run media-asset report once with --allow-removals.';
  const held = `${countOf(run.held, 'removal')}, more than the guard allows`;
  const refused = run.refused.map(({ page, id, removed, status, text }, index): Row => {
    const what = `${removed ? 'removal of asset' : 'asset'} ${id} on ${page}`;
    const said = text === '' ? '' : `: ${oneLine(text)}`;
    return [index === 0 ? 'refused' : '', `${what}, ${status}${said}`];
  });
  const more = run.refusals - run.refused.length;
  const did = `${countOf(run.reported, 'usage')} reported, ${run.removed} removed, in ${countOf(run.requests, 'request')}`;
  return [
    ...(run.held > 0 ? [['held', held] as const, ['', allow] as const] : []),
    ...refused,
    ...(more > 0 ? [['', `and ${more} more`] as const] : []),
    ['last report', `${run.at}: ${did}`],
  ];
}
