import type { Command } from 'commander';
import { type Finding, finding } from '../../../errors/errors.ts';
import { countOf, oneLine } from '../../../errors/wording.ts';
import type { LastRun } from '../../../usage/ledger/last-run.ts';
import type { LedgerStatus } from '../../../usage/ledger/ledger-status.ts';
import { example, ledgerOptions, stateOption, type ToAction } from '../../command-options.ts';
import { type ExitCode, exitCodes, noteFindings, type Terminal } from '../../terminal/terminal.ts';
import type { UsageFlags } from '../../usage/usage-run.ts';

export function declareStatus(program: Command, run: ToAction): void {
  stateOption(ledgerOptions(program.command('status')))
    .description('Show what the ledger knows: reported, in doubt, unsent, held and refused usages.')
    .addHelpText('after', example('media-asset status', 'media-asset status --json'))
    .action(run(status));
}

async function status(flags: UsageFlags, terminal: Terminal): Promise<ExitCode> {
  const { ledgerStatus } = await import('../../../usage/ledger/ledger-status.ts');
  const { prepareUsageRun } = await import('../../usage/usage-run.ts');
  const { rules, usages, loadLedger } = await prepareUsageRun(flags, terminal);
  const { site, finished } = rules;
  const findings =
    finished === false ? [finding('warning', 'build-unfinished', site, { site })] : [];
  noteFindings(findings, terminal);
  const { ledger, tag } = await loadLedger();
  const found = ledgerStatus(ledger);
  const { name } = usages.store;
  const kept = tag !== undefined;
  terminal.print(toJson(found, { name, kept, findings }), () =>
    statusText(found, { name, kept, paint: terminal.paint }),
  );
  return exitCodes.done;
}

function toJson(
  found: LedgerStatus,
  { name, kept, findings }: { name: string; kept: boolean; findings: readonly Finding[] },
) {
  const { lastRun = null, unsentSince = null, ...known } = found;
  return { ledger: name, kept, ...known, unsentSince, lastRun, findings };
}

function statusText(
  found: LedgerStatus,
  { name, kept, paint }: { name: string; kept: boolean; paint: Terminal['paint'] },
): string {
  const rows: [string, string][] = [
    ['site', `${found.site}${found.base}`],
    ['service', found.service],
    ['ledger', name],
  ];
  const text = () =>
    rows.map(([title, line]) => `${paint.dim(title.padEnd(12))}${line}`).join('\n');
  if (!kept) {
    rows.push(
      ['known', 'nothing (no ledger yet)'],
      ['', "Nothing was reported from here, or the ledger wasn't kept."],
      ['', 'media-asset reconcile <folder> asks the service what it lists.'],
    );
    return text();
  }
  const { confirmed, inDoubt, unsent } = found.pairs;
  const known = confirmed + inDoubt;
  rows.push([
    'known',
    known === 0
      ? 'nothing'
      : `${countOf(known, 'usage')} on ${countOf(found.pages, 'page')}: ${confirmed} confirmed, ${inDoubt} in doubt`,
  ]);
  if (inDoubt > 0) rows.push(['', 'The next run settles what is in doubt.']);
  if (unsent > 0) rows.push(['', `${countOf(unsent, 'usage')} removed, to be reported again`]);
  rows.push(...unsentRows(found), ...runRows(found.lastRun));
  return text();
}

function unsentRows({ unsentSince, lastRun }: LedgerStatus): [string, string][] {
  const unsent = lastRun?.unsent ?? 0;
  if (!unsentSince && unsent === 0) return [['unsent', 'nothing']];
  return [
    ['unsent', `${countOf(unsent, 'usage')}${unsentSince ? `, since ${unsentSince}` : ''}`],
    ...(lastRun?.reason ? [['', oneLine(lastRun.reason)] as [string, string]] : []),
  ];
}

function runRows(run: LastRun | undefined): [string, string][] {
  if (!run) return [['last report', 'not recorded']];
  const rows: [string, string][] = [];
  if (run.held > 0) {
    rows.push(
      ['held', `${countOf(run.held, 'removal')}, more than the guard allows`],
      ['', 'If the pages are really gone, run media-asset report once with --allow-removals.'],
    );
  }
  for (const { page, id, removed, status, text } of run.refused) {
    const what = `${removed ? 'removal of asset' : 'asset'} ${id} on ${page}`;
    const said = text === '' ? '' : `: ${oneLine(text)}`;
    rows.push([
      rows.some(([title]) => title === 'refused') ? '' : 'refused',
      `${what}, ${status}${said}`,
    ]);
  }
  const more = run.refusals - run.refused.length;
  if (more > 0) rows.push(['', `and ${more} more`]);
  const did = `${countOf(run.reported, 'usage')} reported, ${run.removed} removed, in ${countOf(run.requests, 'request')}`;
  return [...rows, ['last report', `${run.at}: ${did}`]];
}
