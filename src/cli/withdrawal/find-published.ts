import { resolve } from 'node:path';
import { isMediaAssetError } from '../../errors/errors.ts';
import type { BuildRules } from '../../usage/build-rules.ts';
import { ledgerIdentity, ownPages } from '../../usage/ledger/ledger-identity.ts';
import {
  addPublication,
  loadHistory,
  type Publication,
  readPublication,
} from '../../usage/ledger/publication-history.ts';
import { loadLedger } from '../../usage/ledger/stored-ledger.ts';
import { listAssetUsages } from '../../usage/reconcile/list-usages.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { scanFolder } from '../usage/scan-folder.ts';
import type { UsageRun } from '../usage/usage-run.ts';

/**
 * What knows pages and URLs. `build`: the last build's files. `history`: what builds have published.
 * `ledger`: what the service was told. `service`: what it lists.
 */
const sources = ['build', 'history', 'ledger', 'service'] as const;
export type Source = (typeof sources)[number];

export type PublishedAsset = Awaited<ReturnType<typeof findPublished>>;

/**
 * Finds every page and URL of an asset that is known here. If a source is missing, asks the service for
 * its list. `history` is as it's kept, and `published` has the last build too.
 */
export async function findPublished(
  id: number,
  { rules, usages, openService }: Pick<UsageRun, 'rules' | 'usages' | 'openService'>,
  terminal: Terminal,
) {
  const { identity } = usages;
  const stored = await loadHistory(usages.history, ledgerIdentity(identity).service);
  const { ledger, tag } = await loadLedger(usages.store, identity);
  const build = await readBuild(rules, terminal);
  const here = { build, history: stored, ledger: tag };
  const unknown: Source[] = sources.filter((name) => name !== 'service' && !here[name]);
  const listed = unknown.length > 0 ? await listPages(id, openService) : [];
  if (!listed) unknown.push('service');
  const isOwn = ownPages(identity);
  const pagesIn = (urls: Publication['urls'] = []) =>
    urls.flatMap((one) => (one.kind === 'page' && one.id === id ? one.url : []));
  const reported = Array.from(ledger.pages).filter(([, records]) =>
    records.some(({ ids, state }) => ids.includes(id) && state !== 'unsent'),
  );
  const pages: Readonly<Record<Source, readonly string[]>> = {
    build: pagesIn(build?.urls),
    history: pagesIn(stored?.history),
    ledger: reported.map(([page]) => page),
    service: listed?.filter(isOwn) ?? [],
  };
  const known = [...new Set(sources.flatMap((source) => pages[source]))].sort();
  const history = stored?.history;
  // A history from an older cache lacks the build that the ledger was told about last.
  const latest = Date.parse(ledger.startedAt ?? '') || 0;
  const isBehind = latest > 0 && !history?.some(({ last }) => Date.parse(last) >= latest);
  const published = build ? addPublication(history ?? [], build) : (history ?? []);
  return {
    files: published.filter((one) => one.kind === 'file' && one.id === id),
    pages: known.map((page) => {
      return { page, from: sources.filter((source) => pages[source].includes(page)) };
    }),
    elsewhere: listed?.filter((page) => !isOwn(page)).length ?? 0,
    ...{ unknown, history, published, isWhole: stored?.isWhole === true && !isBehind },
  };
}

/** What the last build publishes; `undefined` unless its folder is here as a whole. */
async function readBuild(rules: BuildRules, terminal: Terminal): Promise<Publication | undefined> {
  const { output, finished } = rules;
  if (output === undefined || !finished) return undefined;
  try {
    const scan = await scanFolder(output, rules, terminal);
    return await readPublication(resolve(terminal.directory, output), rules, scan);
  } catch (thrown) {
    const codes = ['folder-missing', 'folder-mismatch', 'scan-empty'] as const;
    if (!isMediaAssetError(thrown, ...codes)) throw thrown;
    return undefined;
  }
}

/** The pages that the service lists for an asset; `undefined` if it doesn't list them. */
async function listPages(
  id: number,
  openService: UsageRun['openService'],
): Promise<string[] | undefined> {
  try {
    const { listing } = await listAssetUsages(openService().service, [id]);
    return [...new Set(listing.get(id)?.flatMap(({ page }) => page || []))];
  } catch (thrown) {
    if (!isMediaAssetError(thrown)) throw thrown;
    return undefined;
  }
}
