import {
  type Finding,
  finding,
  type MediaAssetError,
  mediaAssetError,
} from '../../errors/errors.ts';
import type { AssetParts } from '../asset-parts.ts';
import { assertAllowed } from '../files/file-rules.ts';
import {
  formatRenditionPath,
  type RenditionAddress,
  renditionKey,
} from '../formats/rendition-url.ts';
import { assetVersion } from '../formats/source.ts';
import { forbiddenOn, type LanguagesOfFile } from '../records/rights-guard.ts';
import { atPage } from '../sources/asset-errors.ts';
import { refusedAssetError } from '../sources/refusals.ts';
import { settleAll } from '../sources/settle-all.ts';
import { SourceLost, writeSource } from '../sources/source-bytes.ts';
import { kindOf } from '../store/asset-facts.ts';

export interface EmitRequest {
  /** The renditions that built files name, each with a page that names it. Repeats are allowed. */
  readonly addresses: readonly RenditionOnPage[];
  /** Assets that built files show. Only they can fail a build. */
  readonly assets: readonly { readonly id: number; readonly page: string }[];
  readonly languagesOf: LanguagesOfFile;
  /** Gets a path below the assets folder. If reading `content` fails, leaves no file. */
  readonly write: (path: string, content: Uint8Array | AsyncIterable<Uint8Array>) => Promise<void>;
  /** Called for a refused asset that built files name. @default its error is thrown */
  readonly onRefused?: (error: MediaAssetError, id: number, pages: readonly string[]) => void;
  /** Called with the number of written files. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface RenditionOnPage {
  readonly address: RenditionAddress;
  readonly page: string;
}

/**
 * Writes every catalogued rendition that built files name, whichever build issued it. Checks assets
 * that this run hasn't checked yet.
 */
export async function emitRenditions(
  site: Pick<AssetParts, 'access' | 'bytes' | 'onPages' | 'guard' | 'options' | 'changedCrops'> & {
    /** Called when all files are written, also if the build fails afterwards. */
    onWritten: () => void;
  },
  { addresses, assets, languagesOf, write, onRefused, onProgress }: EmitRequest,
): Promise<Finding[]> {
  const { access, bytes, onPages, guard, changedCrops, onWritten } = site;
  const { toUrl, hasCredentials } = site.options;
  const { sources, store } = access;
  const listed = addresses.map(({ address: { id }, page }) => ({ id, page }));
  const onPage = (id: number, page: string) => `${id} ${page}`;
  const shown = new Set(assets.map(({ id, page }) => onPage(id, page)));
  const byAsset = Map.groupBy([...listed, ...assets], ({ id }) => id);
  const pages = new Map(Array.from(byAsset, ([id, named]) => [id, distinctPages(named)]));
  const keys = new Set(addresses.map(({ address }) => renditionKey(address)));
  const linked = new Set(assets.map(({ id }) => id));
  const namedOf = (id: number) =>
    Object.entries(store.facts(id).issued).filter(
      ([key, { as }]) => keys.has(key) || (as === 'link' && linked.has(id)),
    );
  // Only assets on pages are checked. The service may refuse a crop that no page shows anymore.
  await settleAll([...pages], async ([id, [page = '']]) => {
    const named = namedOf(id).map(([, entry]) => entry);
    if (named.length === 0) return;
    try {
      await sources.check(id, kindOf(named));
      onPages.allowStale({ id, page });
    } catch (thrown) {
      if (!sources.refusal(id)) throw atPage(thrown, { page, id });
    }
  });
  await sources.confirmWithdrawals();

  const refused = [...pages.keys()].flatMap((id) => sources.refusal(id) ?? []);
  const shownPages = [...pages].filter(([id]) => !sources.refusal(id));
  const isPublished = (id: number) => namedOf(id).length > 0;
  const judged = await guard.check(new Map(shownPages), languagesOf, isPublished);
  const rights = judged
    .map((one) => ({ ...one, pages: one.pages.filter((page) => shown.has(onPage(one.id, page))) }))
    .filter(({ pages }) => pages.length > 0);
  // A page can show an asset by the service's own URL, which no component has asked for.
  for (const { id, pages } of rights) {
    onPages.ask(id);
    onPages.allowStale({ id, page: pages[0] });
  }
  // A component leaves a forbidden asset out. A URL that is still there can't be left out.
  const left = rights.filter(guard.forbids);
  const forbidden = new Set(
    judged.filter(guard.forbids).flatMap(({ id, pages }) => pages.map((page) => onPage(id, page))),
  );
  const given = addresses.filter(
    ({ address: { id }, page }) => !sources.refusal(id) && !forbidden.has(onPage(id, page)),
  );
  const byPath = Map.groupBy(given, ({ address }) => formatRenditionPath(address));
  // Two names of one rendition are two files.
  const named = Array.from(byPath, ([path, shown]) => {
    const [{ address }] = shown as [RenditionOnPage];
    const key = renditionKey(address);
    const entry = store.facts(address.id).issued[key];
    return { path, url: toUrl(path), key, entry, pages: distinctPages(shown) };
  });
  const files = named.flatMap(({ entry, ...file }) =>
    entry && entry.as !== 'link' ? { ...file, entry } : [],
  );
  const lost: { url: string; pages: string; cause: unknown }[] = [];
  const publish = async ({ path, url, key, entry, pages }: (typeof files)[number]) => {
    const { id } = entry.source.reference;
    const subject = { id, page: pages[0] ?? url };
    try {
      assertAllowed(entry, site.options, subject);
      if (entry.as === 'rendition')
        await write(path, await bytes.get({ key, rendition: entry, url }));
      else await writeSource(access, entry.source, (content) => write(path, content));
    } catch (thrown) {
      if (!(thrown instanceof SourceLost)) throw atPage(thrown, subject);
      const crop = entry.as === 'rendition' ? entry.crop : undefined;
      const kept = await changedCrops.kept(store.facts(id).sources.original, crop);
      // Without credentials, no crops are reviewed.
      if (hasCredentials && kept?.source.hash === assetVersion(entry.source))
        changedCrops.lost.add(key);
      else lost.push({ url, pages: pages.join(', '), cause: thrown.cause });
    }
    onPages.shown.add(id);
  };
  await settleAll(files, publish, onProgress);
  for (const [id] of shownPages) for (const [key, entry] of namedOf(id)) store.issue(key, entry);
  onWritten();

  if (left.length > 0) {
    throw mediaAssetError('forbidden-address', { assets: left.map(forbiddenOn) });
  }
  if (lost.length > 0) {
    const renditions = lost.sort((one, other) => (one.url < other.url ? -1 : 1));
    throw mediaAssetError('rendition-lost', { renditions }, { cause: renditions[0]?.cause });
  }
  for (const asset of refused) {
    const named = (pages.get(asset.id) ?? []).filter((page) => shown.has(onPage(asset.id, page)));
    if (named.length === 0) continue;
    const asked = named.map((page) => ({ page }));
    const error = refusedAssetError(asset, asked);
    if (!onRefused) throw error;
    onRefused(error, asset.id, named);
  }
  const unknown = named.flatMap(({ entry, url, pages }) =>
    entry ? [] : pages.map((page) => finding('warning', 'rendition-unknown', { url, page })),
  );
  return [...unknown, ...rights.flatMap((one) => guard.finding(one) ?? [])];
}

function distinctPages(named: readonly { readonly page: string }[]): string[] {
  return [...new Set(named.map(({ page }) => page))].sort();
}
