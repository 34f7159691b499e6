import { join, resolve } from 'node:path';
import pLimit from 'p-limit';
import { reviewsFile } from '../../../assets/renditions/review-crops.ts';
import { removeFolder, serviceFolder } from '../../../assets/store/asset-folder.ts';
import { isMediaAssetError, mediaAssetError } from '../../../errors/errors.ts';
import { countOf, oneLine } from '../../../errors/wording.ts';
import { dayOf, oneDay } from '../../../storage/day.ts';
import { removeFile } from '../../../storage/retry-locked-file.ts';
import type { BuildRules } from '../../../usage/build-rules.ts';
import { addGaps, compareWitness, type Gap } from '../../../usage/ledger/gaps.ts';
import { pastTime } from '../../../usage/ledger/last-run.ts';
import { ownPages, siteUrl } from '../../../usage/ledger/ledger-identity.ts';
import { readLiveWitness } from '../../../usage/ledger/live-witness.ts';
import * as histories from '../../../usage/ledger/publication-history.ts';
import { loadLedger } from '../../../usage/ledger/stored-ledger.ts';
import { assetLabel } from '../../../usage/output/render-plan.ts';
import { listAssetUsages } from '../../../usage/reconcile/list-usages.ts';
import { cacheFolder } from '../../settings/site-settings.ts';
import { progressLine } from '../../terminal/progress-line.ts';
import { type Command, exitCodes, type Terminal } from '../../terminal/terminal.ts';
import { scanFolder } from '../../usage/scan-folder.ts';
import { prepareUsageRun, type UsageFlags, type UsageRun } from '../../usage/usage-run.ts';
import { createLiveSite, type LiveState } from '../../withdrawal/live-site.ts';
import * as records from '../../withdrawal/withdrawal-record.ts';

const atOnce = 8;
/** Assets whose usages are asked for if the service refuses those of the asset. */
const mostOthers = 5;

interface WithdrawFlags extends UsageFlags {
  /** ISO 8601 in UTC. */
  readonly completeBefore?: string;
}

export const withdraw: Command<WithdrawFlags, [id: number]> = async (flags, terminal, id) => {
  const run = await prepareUsageRun(flags, terminal);
  const { usages } = run;
  const { names } = usages.rules;
  const { service, site } = usages.identity;
  const known = await findPublished(id, run, terminal);
  const { history, at, unknown, elsewhere } = known;
  if ([known.files, known.pages, unknown, known.gaps].every(({ length }) => length === 0)) {
    throw mediaAssetError('asset-unpublished', { id });
  }
  const { pages, urls } = await askLiveSite(id, known, { service, terminal });
  const [since = null] = history?.map(({ first }) => first).sort() ?? [];
  // No one knows what will be published.
  const said = flags.completeBefore && pastTime(flags.completeBefore, Date.parse(at));
  const isOpen = ({ at: noticed }: Gap) => !said || !history || noticed > said;
  const gaps = known.gaps.filter(isOpen);
  const isKnown = gaps.length === 0 && known.wasAsked;
  const record: records.WithdrawalRecord = {
    ...{ version: 1, id, name: names?.[id] ?? null, at },
    ...{ site, service, since, unknown, elsewhere, gaps },
    completeBefore: said ?? known.completeBefore ?? null,
    gone: isKnown && urls.length > 0 && [...urls, ...pages].every((one) => one.gone),
    ...{ pages, urls },
  };
  const file = await records.writeWithdrawalRecord(terminal.directory, record);
  // Before the history forgets the entries: a later run has to come back if this one is killed here.
  if (record.gone) {
    const cacheDir = cacheFolder(terminal, { built: usages.rules });
    await removeFile(join(cacheDir, reviewsFile));
    await removeFolder(join(serviceFolder(cacheDir, service), String(id)));
  }
  const proven = new Set([
    ...urls.flatMap(({ url, gone }) => (gone ? url : [])),
    ...pages.flatMap(({ page, gone }) => (gone ? page : [])),
  ]);
  const over = history?.filter((one) => isKnown && one.id === id && proven.has(one.url)) ?? [];
  // What isn't known today may be known tomorrow. A difference stays, until it's closed.
  const found = gaps.filter(({ kind, at }) => kind === 'gap' && at === record.at);
  if (history && (said || over.length + found.length > 0)) {
    const { signal } = terminal;
    await histories.changeHistory({ store: usages.history, service, signal }, (now) => ({
      ...{ ...now, ...histories.forgetGone(now, over, known.online) },
      // A fingerprint of the asset may be sealed in them.
      originals: record.gone ? {} : now.originals,
      gaps: addGaps(now.gaps.filter(isOpen), found),
      completeBefore: said ?? now.completeBefore,
    }));
  }
  const { version: _, ...result } = record;
  terminal.print({ ...result, record: file }, () =>
    withdrawalText(record, { label: assetLabel(id, names), file, paint: terminal.paint }),
  );
  return record.gone ? exitCodes.done : exitCodes.held;
};

/** Finds each known page and URL, and why there may be more. `published`: with the last build. */
async function findPublished(
  id: number,
  { usages, openService }: Pick<UsageRun, 'usages' | 'openService'>,
  terminal: Terminal,
) {
  const { identity } = usages;
  const now = usages.clock();
  const stored = await histories.loadHistory(usages.history, identity.service, now);
  const { ledger, tag } = await loadLedger(usages.store, identity);
  const build = await readBuild(usages.rules, terminal);
  const history = stored?.history;
  const published = build ? histories.addPublication(history ?? [], build) : (history ?? []);
  const others = [
    ...histories.newestFirst(published).flatMap((one) => one.id || []),
    ...[...ledger.pages.values()].flat().flatMap(({ ids }) => ids),
  ].filter((other) => other !== id);
  const asked = [...new Set(others)].slice(0, mostOthers);
  const listed = await listPages(id, asked, openService);
  const here = { build, history: stored, ledger: tag, service: listed.pages };
  const isOwn = ownPages(identity);
  const pagesIn = (urls: histories.Publication['urls'] = []) =>
    urls.flatMap((one) => (histories.isPage(one) && one.id === id ? one.url : []));
  const reported = Array.from(ledger.pages).filter(([, records]) =>
    records.some(({ ids, state }) => ids.includes(id) && state !== 'unsent'),
  );
  const pages: Readonly<Record<records.KnownFrom, readonly string[]>> = {
    build: pagesIn(build?.urls),
    history: pagesIn(stored?.history),
    ledger: reported.map(([page]) => page),
    service: listed.pages?.filter(isOwn) ?? [],
  };
  const known = [...new Set(records.sources.flatMap((source) => pages[source]))].sort();
  const fromOf = (page: string) => records.sources.filter((source) => pages[source].includes(page));
  const { builds, gaps, ...kept } = stored ?? histories.newHistory(now);
  const own = siteUrl(identity);
  const at = new Date(now).toISOString();
  const compared = [own, ...new Set(builds.flatMap(({ site }) => (site === own ? [] : site)))];
  const live = await Promise.all(
    compared.map(async (site) => {
      const told = tag !== undefined && site === own ? ledger : undefined;
      const state = { site, at, history: { ...kept, builds }, ledger: told, wasRecorded: false };
      const answer = await readLiveWitness(site);
      const build = answer.kind === 'read' ? answer.build : [];
      return { build, gap: compareWitness(answer, state).history };
    }),
  );
  const unheard = known.filter((page) => `${fromOf(page)}` === 'service');
  const found = unheard.map((detail): Gap => {
    return { site: own, kind: 'gap', reason: 'listed', detail, at };
  });
  if (listed.answer === 'not given')
    found.push({ site: '', kind: 'not known', reason: 'unlisted', detail: `${id}`, at });
  return {
    files: published.filter((one) => one.kind === 'file' && one.id === id),
    pages: known.map((page) => ({ page, from: fromOf(page) })),
    elsewhere: listed.pages?.filter((page) => !isOwn(page)).length ?? 0,
    unknown: records.sources.filter((name) => !here[name]),
    gaps: addGaps(gaps, [...live.map(({ gap }) => gap), ...found]),
    online: live.flatMap(({ build }) => build),
    ...{ history, published, at, wasAsked: listed.answer !== 'none' },
    completeBefore: stored?.completeBefore,
  };
}

/** What the last build publishes; `undefined` unless its folder is here as a whole. */
async function readBuild(
  rules: BuildRules,
  terminal: Terminal,
): Promise<histories.Publication | undefined> {
  const { output, finished } = rules;
  if (output === undefined || !finished) return undefined;
  try {
    const scan = await scanFolder(output, rules, terminal);
    return await histories.readPublication(resolve(terminal.directory, output), rules, scan);
  } catch (thrown) {
    const codes = ['folder-missing', 'folder-mismatch', 'scan-empty'] as const;
    if (!isMediaAssetError(thrown, ...codes)) throw thrown;
    return undefined;
  }
}

/**
 * The pages that the service lists for an asset; `undefined` if it doesn't list them. `answer`: `not given`
 * if it refuses the asset's list, which proves nothing, unless it refuses the lists of others too.
 */
async function listPages(
  id: number,
  others: readonly number[],
  openService: UsageRun['openService'],
): Promise<{ pages?: string[]; answer: 'given' | 'not given' | 'no such call' | 'none' }> {
  const list = async (ids: readonly number[]) => {
    try {
      return await listAssetUsages(await openService(), ids);
    } catch (thrown) {
      if (!isMediaAssetError(thrown)) throw thrown;
      return thrown.code;
    }
  };
  const own = await list([id]);
  if (typeof own === 'object') {
    const pages = own.listing.get(id)?.flatMap(({ page }) => page || []);
    return { pages: [...new Set(pages)], answer: 'given' };
  }
  if (own === 'answer-unexpected' || own === 'request-refused') return { answer: 'not given' };
  if (own !== 'usages-not-listed') return { answer: 'none' };
  const hasNone = others.length > 0 && (await list(others)) === own;
  return { answer: hasNone ? 'no such call' : 'not given' };
}

async function askLiveSite(
  id: number,
  { files, pages, published: history }: Awaited<ReturnType<typeof findPublished>>,
  { service, terminal }: { service: string; terminal: Terminal },
): Promise<Pick<records.WithdrawalRecord, 'pages' | 'urls'>> {
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

const sourceNames: Readonly<Record<records.KnownFrom, string>> = {
  build: 'last build',
  history: 'published',
  ledger: 'reported',
  service: 'listed by the service',
};

function withdrawalText(
  record: records.WithdrawalRecord,
  { label, file, paint }: { label: string; file: string } & Pick<Terminal, 'paint'>,
): string {
  const { id, pages, urls, gone } = record;
  const lineOf = (url: string, { status, gone, reason }: LiveState, known = '') => {
    const note = oneLine([reason, known].filter(Boolean).join(' '));
    const line = `  ${paint.red(String(status ?? '---'))}  ${oneLine(url)}`;
    return gone ? [] : `${line}${note && `  ${paint.dim(note)}`}`;
  };
  const pageLines = pages.flatMap((one) =>
    lineOf(one.page, one, `(${one.from.map((source) => sourceNames[source]).join(', ')})`),
  );
  const urlLines = urls.flatMap((one) => lineOf(one.url, one));
  const tomorrow = dayOf(Date.parse(record.at) + oneDay);
  const list = (lines: readonly string[], what: string) =>
    lines.length > 0 && [`Not proved for ${countOf(lines.length, what)}:`, ...lines].join('\n');
  const state = `If you know that no URL is missing, pass \`--complete-before ${tomorrow}\` once.`;
  const steps = [
    pageLines.length > 0 && 'Remove the asset from these pages, or forbid it in the service.',
    'Build, deploy and report the site.',
    urlLines.length > 0 && 'Purge the URLs above from your host and your CDN.',
    `Run \`media-asset withdraw ${id}\` again.`,
    record.gaps.length > 0 && state,
  ].filter(Boolean);
  const numbered = steps.map((step, index) => `  ${index + 1}. ${step}`);
  return [
    paint.bold(`Asset ${label}`),
    list(pageLines, 'page'),
    list(urlLines, 'URL'),
    gone ? `${paint.green('Gone:')} ${records.resultOf(record)}` : records.resultOf(record),
    records.unknownOf(record).join('\n'),
    !gone && ['What to do:', ...numbered].join('\n'),
    `Record: ${file}`,
  ]
    .filter(Boolean)
    .join('\n\n');
}
