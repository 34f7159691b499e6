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
import type { PublishedAsset, Source } from '../../withdrawal/find-published.ts';
import type { LiveState } from '../../withdrawal/live-site.ts';
import type { WithdrawalRecord } from '../../withdrawal/withdrawal-record.ts';

/** Requests under way at once. */
const atOnce = 8;

export function declareWithdraw(program: Command, run: ToAction): void {
  stateOption(ledgerOptions(program.command('withdraw')))
    .description('List the pages and URLs of an asset, and prove that visitors no longer get it.')
    .argument('<id>', 'asset ID', toAssetId)
    .addHelpText('after', example('media-asset withdraw 4711'))
    .action(run(withdraw));
}

/** @throws `asset-unpublished`; as `plan`; `history-broken`, `file-unwritable` */
async function withdraw(flags: UsageFlags, terminal: Terminal, id: number): Promise<ExitCode> {
  const { assetLabel } = await import('../../../usage/output/asset-label.ts');
  const { changeHistory, forgetGone } = await import(
    '../../../usage/ledger/publication-history.ts'
  );
  const { ledgerIdentity } = await import('../../../usage/ledger/ledger-identity.ts');
  const { prepareUsageRun } = await import('../../usage/usage-run.ts');
  const { findPublished } = await import('../../withdrawal/find-published.ts');
  const { resultOf, unknownOf, writeWithdrawalRecord } = await import(
    '../../withdrawal/withdrawal-record.ts'
  );
  const { rules, usages, openService } = await prepareUsageRun(flags, terminal);
  const { service, site } = ledgerIdentity(usages.identity);
  const known = await findPublished(id, { rules, usages, openService }, terminal);
  const { history, isWhole, unknown, elsewhere } = known;
  if (known.files.length + known.pages.length + unknown.length === 0) {
    throw mediaAssetError('asset-unpublished', { id });
  }
  const { pages, urls } = await askLiveSite(id, known, { service, terminal });
  const [since = null] = history?.map(({ first }) => first).sort() ?? [];
  const record: WithdrawalRecord = {
    ...{ version: 1, id, name: rules.names?.[id] ?? null, at: new Date().toISOString() },
    ...{ site, service, since, isWhole, unknown, elsewhere },
    gone: isWhole && urls.length > 0 && [...urls, ...pages].every((one) => one.gone),
    ...{ pages, urls },
  };
  const written = await writeWithdrawalRecord(terminal.directory, record);
  const proven = new Set([
    ...urls.flatMap(({ url, gone }) => (gone ? url : [])),
    ...pages.flatMap(({ page, gone }) => (gone ? page : [])),
  ]);
  const over = history?.filter((one) => one.id === id && proven.has(one.url)) ?? [];
  if (over.length > 0) {
    const { signal } = terminal;
    const to = { store: usages.history, service, signal };
    await changeHistory(to, (now) => forgetGone(now, over));
  }
  const { version: _, ...result } = record;
  terminal.print({ ...result, record: written }, () =>
    withdrawalText(record, {
      label: assetLabel(id, rules.names),
      sentences: [resultOf(record), ...unknownOf(record)],
      file: written.markdown,
      paint: terminal.paint,
    }),
  );
  return record.gone ? exitCodes.done : exitCodes.held;
}

/** Requests all pages and URLs, as a visitor's browser does. */
async function askLiveSite(
  id: number,
  { files, pages, published: history }: PublishedAsset,
  { service, terminal }: { service: string; terminal: Terminal },
): Promise<Pick<WithdrawalRecord, 'pages' | 'urls'>> {
  const { default: pLimit } = await import('p-limit');
  const { createLiveSite } = await import('../../withdrawal/live-site.ts');
  const { requestLive } = await import('../../withdrawal/request-live.ts');
  const live = createLiveSite({ history, service, request: requestLive });
  const progress = progressLine('Asking the site', terminal);
  const limit = pLimit(atOnce);
  const total = files.length + pages.length;
  let done = 0;
  const ask = <T>(work: () => Promise<T>) =>
    limit(async () => {
      const answer = await work();
      done += 1;
      progress.show({ done, total });
      return answer;
    });
  try {
    const urls = await Promise.all(files.map((file) => ask(() => live.file(file))));
    const answers = await Promise.all(
      pages.map(({ page, from }) =>
        ask(async () => {
          const { url: _, ...state } = await live.page(page, id);
          return { page, from, ...state };
        }),
      ),
    );
    return { urls: urls.sort((one, other) => (one.url < other.url ? -1 : 1)), pages: answers };
  } finally {
    progress.end();
  }
}

const sourceNames: Readonly<Record<Source, string>> = {
  build: 'last build',
  history: 'published',
  ledger: 'reported',
  service: 'listed by the service',
};

function withdrawalText(
  { id, pages, urls, gone }: WithdrawalRecord,
  {
    label,
    sentences: [result = '', ...unknown],
    file,
    paint,
  }: { label: string; sentences: readonly string[]; file: string } & Pick<Terminal, 'paint'>,
): string {
  const lineOf = (url: string, { status, gone, reason }: Omit<LiveState, 'url'>, known = '') => {
    const note = [reason, known].filter(Boolean).join(' ');
    const line = `  ${paint.red(String(status ?? '---'))}  ${url}`;
    return gone ? [] : `${line}${note && `  ${paint.dim(note)}`}`;
  };
  const pageLines = pages.flatMap(({ page, from, ...state }) =>
    lineOf(page, state, `(${from.map((one) => sourceNames[one]).join(', ')})`),
  );
  const urlLines = urls.flatMap(({ url, ...state }) => lineOf(url, state));
  const list = (lines: readonly string[], what: string) =>
    lines.length > 0
      ? [[`Not proved for ${countOf(lines.length, what)}:`, ...lines].join('\n')]
      : [];
  const steps = [
    ...(pageLines.length > 0
      ? ['Remove the asset from these pages, or forbid it in the service.']
      : []),
    'Build, deploy and report the site.',
    ...(urlLines.length > 0 ? ['Purge the URLs above from your host and your CDN.'] : []),
    `Run \`media-asset withdraw ${id}\` again.`,
  ];
  return [
    paint.bold(`Asset ${label}`),
    ...list(pageLines, 'page'),
    ...list(urlLines, 'URL'),
    gone ? `${paint.green('Gone:')} ${result}` : result,
    ...(unknown.length > 0 ? [unknown.join('\n')] : []),
    ...(gone
      ? []
      : [['What to do:', ...steps.map((step, index) => `  ${index + 1}. ${step}`)].join('\n')]),
    `Record: ${file}`,
  ].join('\n\n');
}
