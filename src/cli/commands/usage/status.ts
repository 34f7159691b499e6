import { finding } from '../../../errors/errors.ts';
import { countOf, oneLine } from '../../../errors/wording.ts';
import type { LastRun } from '../../../usage/ledger/last-run.ts';
import { type LedgerStatus, ledgerStatus } from '../../../usage/ledger/ledger.ts';
import { type ExitCode, exitCodes, noteFindings, type Terminal } from '../../terminal/terminal.ts';
import { prepareUsageRun, type UsageFlags } from '../../usage/usage-run.ts';

export async function status(flags: UsageFlags, terminal: Terminal): Promise<ExitCode> {
  const { rules, usages, loadLedger } = await prepareUsageRun(flags, terminal);
  const { site, finished } = rules;
  const findings = finished === false ? [finding('warning', 'build-unfinished', { site })] : [];
  noteFindings(findings, terminal);
  const { ledger, tag } = await loadLedger();
  const { lastRun = null, unsentSince = null, ...known } = ledgerStatus(ledger);
  const { name } = usages.store;
  const kept = tag !== undefined;
  terminal.print({ ledger: name, kept, ...known, unsentSince, lastRun, findings }, () => {
    const about: Row[] = [
      ['site', `${known.site}${known.base}`],
      ['service', known.service],
      ['ledger', name],
    ];
    const rows = kept
      ? [...pairRows(known), ...unsentRows(unsentSince, lastRun), ...runRows(lastRun)]
      : missingRows;
    const { dim } = terminal.paint;
    return [...about, ...rows].map(([title, line]) => `${dim(title.padEnd(12))}${line}`).join('\n');
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

function pairRows({ pairs, pages }: Pick<LedgerStatus, 'pairs' | 'pages'>): Row[] {
  const { confirmed, inDoubt, unsent } = pairs;
  const known = confirmed + inDoubt;
  const counts = `${countOf(known, 'usage')} on ${countOf(pages, 'page')}: ${confirmed} confirmed, ${inDoubt} in doubt`;
  return [
    ['known', known === 0 ? 'nothing' : counts],
    ...(inDoubt > 0 ? [['', 'The next run settles what is in doubt.'] as const] : []),
    ...(unsent > 0
      ? [['', `${countOf(unsent, 'usage')} removed, to be reported again`] as const]
      : []),
  ];
}

function unsentRows(since: string | null, lastRun: LastRun | null): Row[] {
  const { unsent = 0, reason } = lastRun ?? {};
  if (!since && unsent === 0) return [['unsent', 'nothing']];
  return [
    ['unsent', `${countOf(unsent, 'usage')}${since ? `, since ${since}` : ''}`],
    ...(reason ? [['', oneLine(reason)] as const] : []),
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
