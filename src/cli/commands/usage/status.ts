import { finding } from '../../../errors/errors.ts';
import { countOf, oneLine } from '../../../errors/wording.ts';
import { gapText } from '../../../usage/ledger/gaps.ts';
import type { LastRun } from '../../../usage/ledger/last-run.ts';
import { type LedgerStatus, ledgerStatus } from '../../../usage/ledger/ledger.ts';
import { loadHistory } from '../../../usage/ledger/publication-history.ts';
import { loadLedger } from '../../../usage/ledger/stored-ledger.ts';
import { noteFindings, type Terminal } from '../../terminal/terminal.ts';
import { prepareUsageRun, type UsageFlags } from '../../usage/usage-run.ts';

export async function status(flags: UsageFlags, terminal: Terminal): Promise<void> {
  const { usages } = await prepareUsageRun(flags, terminal);
  const { site, finished } = usages.rules;
  const findings = finished === false ? [finding('warning', 'build-unfinished', { site })] : [];
  noteFindings(findings, terminal);
  const { store, identity } = usages;
  const { ledger, tag } = await loadLedger(store, identity);
  const kept = tag !== undefined;
  const known = ledgerStatus(ledger);
  const published = await loadHistory(usages.history, known.service);
  const gaps = { ledger: ledger.gap ?? null, history: published?.gaps ?? null };
  terminal.print({ ledger: store.name, kept, ...known, gaps, findings }, () => {
    const rows: StatusRow[] = [
      ['site', `${known.site}${known.base}`],
      ['service', known.service],
      ['ledger', store.name],
      ...(kept ? ledgerRows(known) : missingRows),
      ...(ledger.gap ? [['gap', gapText(ledger.gap)] as const, closingRow] : []),
      ...(published?.gaps ?? []).map((gap, index): StatusRow => {
        return [index === 0 ? 'history' : '', `may lack URLs: ${gapText(gap)}`];
      }),
      ...(published?.gaps.length ? [['', stating] as const] : []),
    ];
    return rows.map(([title, line]) => `${terminal.paint.dim(title.padEnd(12))}${line}`).join('\n');
  });
}

/** The title is empty in a row that continues the one above it. */
type StatusRow = readonly [title: string, text: string];

const closingRow: StatusRow = ['', 'media-asset reconcile <folder> --all --yes closes it.'];

const stating = 'If no URL is missing: media-asset withdraw <id> --complete-before <tomorrow>.';

const missingRows: readonly StatusRow[] = [
  ['known', 'nothing (no ledger yet)'],
  ['', "Nothing was reported from here, or the ledger wasn't kept."],
  ['', 'media-asset reconcile <folder> asks the service what it lists.'],
];

function ledgerRows({ pairs, pages, unsentSince, lastRun }: LedgerStatus): StatusRow[] {
  const { confirmed, inDoubt } = pairs;
  const known = confirmed + inDoubt;
  const counts = `${countOf(known, 'usage')} on ${countOf(pages, 'page')}: ${confirmed} confirmed, ${inDoubt} in doubt`;
  const { unsent: left = 0, reason } = lastRun ?? {};
  const isUnsent = unsentSince !== null || left > 0;
  const since = unsentSince ? `, since ${unsentSince}` : '';
  return [
    ['known', known === 0 ? 'nothing' : counts],
    ...(inDoubt > 0 ? [['', 'The next run settles what is in doubt.'] as const] : []),
    ['unsent', isUnsent ? `${countOf(left, 'usage')}${since}` : 'nothing'],
    ...(isUnsent && reason ? [['', oneLine(reason)] as const] : []),
    ...runRows(lastRun),
  ];
}

function runRows(run: LastRun | null): StatusRow[] {
  if (!run) return [['last report', 'not recorded']];
  const allow = 'If the pages are really gone, run media-asset report once with --allow-removals.';
  const held = `${countOf(run.held, 'removal')}, more than the guard allows`;
  const refused = run.refused.map(({ page, id, removed, status, text }, index): StatusRow => {
    const what = `${removed ? 'removal of asset' : 'asset'} ${id} on ${page}`;
    const said = text === '' ? '' : `: ${text}`;
    return [index === 0 ? 'refused' : '', oneLine(`${what}, ${status}${said}`)];
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
