import pLimit from 'p-limit';
import { mediaAssetError } from '../../../errors/errors.ts';
import { countOf } from '../../../errors/wording.ts';
import { ledgerIdentity } from '../../../usage/ledger/ledger-identity.ts';
import { changeHistory, forgetGone } from '../../../usage/ledger/publication-history.ts';
import { assetLabel } from '../../../usage/output/rights-notes.ts';
import { progressLine } from '../../terminal/progress-line.ts';
import { type Command, exitCodes, type Terminal } from '../../terminal/terminal.ts';
import { prepareUsageRun, type UsageFlags } from '../../usage/usage-run.ts';
import {
  findPublished,
  type PublishedAsset,
  type Source,
} from '../../withdrawal/find-published.ts';
import { createLiveSite, type LiveState } from '../../withdrawal/live-site.ts';
import {
  resultOf,
  unknownOf,
  type WithdrawalRecord,
  writeWithdrawalRecord,
} from '../../withdrawal/withdrawal-record.ts';

const atOnce = 8;

export const withdraw: Command<UsageFlags, [id: number]> = async (flags, terminal, id) => {
  const run = await prepareUsageRun(flags, terminal);
  const { rules, usages } = run;
  const { service, site } = ledgerIdentity(usages.identity);
  const known = await findPublished(id, run, terminal);
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
    await changeHistory(to, (now) => ({ ...now, history: forgetGone(now.history, over) }));
  }
  const { version: _, ...result } = record;
  const shown = { label: assetLabel(id, rules.names), file: written.markdown };
  terminal.print({ ...result, record: written }, () =>
    withdrawalText(record, { ...shown, paint: terminal.paint }),
  );
  return record.gone ? exitCodes.done : exitCodes.held;
};

async function askLiveSite(
  id: number,
  { files, pages, published: history }: PublishedAsset,
  { service, terminal }: { service: string; terminal: Terminal },
): Promise<Pick<WithdrawalRecord, 'pages' | 'urls'>> {
  const live = createLiveSite(history, service);
  const progress = progressLine('Asking the site', terminal);
  const limit = pLimit(atOnce);
  const total = files.length + pages.length;
  let done = 0;
  const ask = <T>(work: () => Promise<T>) =>
    limit(work).finally(() => {
      done += 1;
      progress({ done, total });
    });
  return {
    urls: await Promise.all(
      files
        .toSorted((one, other) => (one.url < other.url ? -1 : 1))
        .map((file) => ask(async () => ({ url: file.url, ...(await live.file(file)) }))),
    ),
    pages: await Promise.all(
      pages.map((known) => ask(async () => ({ ...known, ...(await live.page(known.page, id)) }))),
    ),
  };
}

const sourceNames: Readonly<Record<Source, string>> = {
  build: 'last build',
  history: 'published',
  ledger: 'reported',
  service: 'listed by the service',
};

function withdrawalText(
  record: WithdrawalRecord,
  { label, file, paint }: { label: string; file: string } & Pick<Terminal, 'paint'>,
): string {
  const { id, pages, urls, gone } = record;
  const lineOf = (url: string, { status, gone, reason }: LiveState, known = '') => {
    const note = [reason, known].filter(Boolean).join(' ');
    const line = `  ${paint.red(String(status ?? '---'))}  ${url}`;
    return gone ? [] : `${line}${note && `  ${paint.dim(note)}`}`;
  };
  const pageLines = pages.flatMap((one) =>
    lineOf(one.page, one, `(${one.from.map((source) => sourceNames[source]).join(', ')})`),
  );
  const urlLines = urls.flatMap((one) => lineOf(one.url, one));
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
    gone ? `${paint.green('Gone:')} ${resultOf(record)}` : resultOf(record),
    ...(unknownOf(record).length > 0 ? [unknownOf(record).join('\n')] : []),
    ...(gone
      ? []
      : [['What to do:', ...steps.map((step, index) => `  ${index + 1}. ${step}`)].join('\n')]),
    `Record: ${file}`,
  ].join('\n\n');
}
