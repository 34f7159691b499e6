import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { mediaAssetError } from '../../../errors/errors.ts';
import { countOf } from '../../../errors/wording.ts';
import {
  example,
  ledgerOptions,
  stateOption,
  type ToAction,
  toAssetId,
} from '../../command-options.ts';
import { progressLine } from '../../terminal/progress-line.ts';
import { type ExitCode, exitCodes, type Terminal } from '../../terminal/terminal.ts';
import type { UsageFlags } from '../../usage/usage-run.ts';
import type { WithdrawalRecord } from '../../withdrawal/withdrawal-record.ts';

interface WithdrawFlags extends UsageFlags {
  readonly cache?: string;
}

export function declareWithdraw(program: Command, run: ToAction): void {
  stateOption(ledgerOptions(program.command('withdraw')))
    .description('List the pages and URLs of an asset, and prove that visitors no longer get it.')
    .argument('<id>', 'asset ID', toAssetId)
    .option('--cache <folder>', "the integration's cache folder (default: the last build's)")
    .addHelpText('after', example('media-asset withdraw 4711'))
    .action(run(withdraw));
}

/** @throws `asset-unpublished`; as `plan`; `withdrawal-broken`, `file-unwritable` */
async function withdraw(flags: WithdrawFlags, terminal: Terminal, id: number): Promise<ExitCode> {
  const { assetLabel } = await import('../../../usage/output/asset-label.ts');
  const { loadLedger } = await import('../../../usage/ledger/load-ledger.ts');
  const { findCacheFolder } = await import('../../settings/find-cache-folder.ts');
  const { scanFolder } = await import('../../usage/scan-folder.ts');
  const { prepareUsageRun } = await import('../../usage/usage-run.ts');
  const { askLiveSite } = await import('../../withdrawal/ask-live-site.ts');
  const { findPublished, outputFolder } = await import('../../withdrawal/find-published.ts');
  const { earlierUrls, writeWithdrawalRecord } = await import(
    '../../withdrawal/withdrawal-record.ts'
  );
  const { directory } = terminal;
  const { rules, usages } = await prepareUsageRun(flags, terminal);
  const { service, site } = usages.identity;
  const output = outputFolder(rules, directory);
  const isBuilt = output !== undefined && existsSync(output);
  const found = await findPublished(id, {
    ...{ rules, service },
    cacheDir: await findCacheFolder(flags, terminal),
    output: isBuilt ? output : undefined,
    // An unfinished build, such as one that the asset has failed, says nothing about pages.
    manifest:
      isBuilt && rules.finished !== false
        ? await scanFolder(output, { ...rules, pages: undefined }, terminal)
        : undefined,
    ledger: (await loadLedger(usages.store, usages.identity)).ledger,
  });
  const known = [...new Set([...found.urls, ...(await earlierUrls(directory, id))])].sort();
  if (known.length + found.pages.length === 0) throw mediaAssetError('asset-unpublished', { id });
  const progress = progressLine('Asking the site', terminal);
  const urls = await askLiveSite(known, {
    onProgress: (done, total) => progress.show({ done, total }),
  }).finally(progress.end);
  const record: WithdrawalRecord = {
    ...{ version: 1, id, name: rules.names?.[id] ?? null, at: new Date().toISOString() },
    ...{ site, service, gone: urls.length > 0 && urls.every((one) => one.gone) },
    pages: found.pages.map(({ page, from }) => ({ page, from: [...from] })),
    urls,
  };
  const files = await writeWithdrawalRecord(directory, record);
  const { version: _, ...result } = record;
  terminal.print({ ...result, record: files }, () =>
    withdrawalText(record, {
      label: assetLabel(id, rules.names),
      file: files.markdown,
      paint: terminal.paint,
    }),
  );
  return record.gone ? exitCodes.done : exitCodes.held;
}

function withdrawalText(
  { id, pages, urls, gone }: WithdrawalRecord,
  { label, file, paint }: { label: string; file: string } & Pick<Terminal, 'paint'>,
): string {
  const left = urls.filter((one) => !one.gone);
  const sources = { build: 'last build', ledger: 'reported' };
  const pageLines = pages.map(
    ({ page, from }) =>
      `  ${page}  ${paint.dim(`(${from.map((one) => sources[one]).join(', ')})`)}`,
  );
  const urlLines = left.map(
    ({ url, status, reason = '' }) =>
      `  ${paint.red(String(status ?? '---'))}  ${url}${reason && `  ${paint.dim(reason)}`}`,
  );
  const steps = [
    ...(pages.length > 0
      ? ['Remove the asset from these pages, or forbid it in the service.']
      : []),
    'Build and deploy the site.',
    ...(left.length > 0 ? ['Purge the URLs above from your host and your CDN.'] : []),
    `Run \`media-asset withdraw ${id}\` again.`,
  ];
  return [
    paint.bold(`Asset ${label}`),
    pages.length > 0
      ? [`Shown on ${countOf(pages.length, 'page')}:`, ...pageLines].join('\n')
      : 'No page shows it.',
    gone
      ? `${paint.green('Gone:')} ${countOf(urls.length, 'URL')} asked, and each answered 404 or 410.`
      : urls.length === 0
        ? 'None of its URLs is known here, so nothing is proved.'
        : [
            `${left.length} of ${countOf(urls.length, 'URL')} didn't answer 404 or 410:`,
            ...urlLines,
          ].join('\n'),
    ...(gone
      ? []
      : [['What to do:', ...steps.map((step, index) => `  ${index + 1}. ${step}`)].join('\n')]),
    `Record: ${file}`,
  ].join('\n\n');
}
