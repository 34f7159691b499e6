import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { PeopleAssets } from '../../assets/people-assets.ts';
import type { KnownRecord } from '../../assets/records/records.ts';
import { inLanguage } from '../../assets/request/asking.ts';
import type { InLanguages, Language, SiteLanguages } from '../../config/languages.ts';
import { parseAssetId } from '../../errors/asset-id.ts';
import { noticeOf } from '../../errors/author-words.ts';
import { ignoreOurs, isMediaAssetError } from '../../errors/errors.ts';
import { listNames } from '../../errors/wording.ts';
import type { MediaService } from '../../service/types.ts';
import { fold, type ListedFile, openCatalogue, type ReadList } from './catalogue.ts';
import type * as protocol from './protocol.ts';
import { rightsText, toShownRecord } from './shown-record.ts';

export type Library = ReturnType<typeof openLibrary>;

interface ListEntry {
  readonly file: ListedFile;
  readonly listing: ReadList;
}

export function openLibrary(site: {
  service: Pick<MediaService, 'folders' | 'files' | 'search'> &
    Partial<Pick<MediaService, 'usages'>>;
  images: Pick<PeopleAssets, 'listedRecords'> & {
    describeRecord(
      ...asked: Parameters<PeopleAssets['describeRecord']>
    ): Promise<Pick<KnownRecord, 'record' | 'verdict'> | undefined>;
    /** Without it, an asset has the size that the service lists. */
    original?(id: number): Promise<Partial<protocol.Size> | undefined>;
  };
  languages: SiteLanguages;
  /** How many requests the service gets at a time. */
  concurrency: number;
}) {
  const { service, images, languages, concurrency } = site;
  const { listedRecords } = images;
  // One request stays free for what an author does meanwhile.
  const limit = pLimit(Math.max(1, concurrency - 1));
  const catalogue = openCatalogue({ service, listedRecords, limit });
  /** The assets that authors have placed or uploaded, the last one first. */
  let recent: readonly number[] = [];
  let completing = 0;
  let usagesRead = newUsages();

  const useOf = (locale = '') => inLanguage(languages.ofName(locale), locale, languages);

  /** The lists that a question is about, and their assets, the best ones first. */
  function find({ search, folder, kind, sort }: protocol.AssetsRequest, isNew: boolean) {
    const tree = catalogue.folders(isNew);
    const isWhole = search !== undefined || folder === undefined;
    const folders = isWhole
      ? tree.folders.map(({ id, name }) => catalogue.folder(id, isNew, name))
      : [catalogue.folder(folder, isNew)];
    if (!isWhole) folders[0]?.begin?.();
    const all = folders.flatMap(entriesOf);
    const id = parseAssetId(search);
    const own = id === undefined ? undefined : catalogue.asset(id, isNew);
    const searched = search === undefined ? undefined : catalogue.search(search, isNew);
    const words = fold(search ?? '').split(/\s+/);
    const found = searched
      ? [
          ...all.filter(({ file }) => file.id === id),
          ...(own ? entriesOf(own) : []),
          ...entriesOf(searched),
          // A service may not look for parts of words, or for letters without their accents.
          ...all.filter(({ file }) => words.every((word) => file.folded.includes(word))),
        ]
      : all;
    const rank = ({ file }: ListEntry) => {
      const at = sort === undefined && !searched ? recent.indexOf(file.id) : -1;
      return file.id === id ? -1 : at < 0 ? recent.length : at;
    };
    // An asset can be in several folders.
    const entries = Array.from(
      Map.groupBy(found, ({ file }) => file.id).values(),
      ([one]) => one as ListEntry,
    )
      .filter(({ file }) => kind === undefined || file.kind === kind)
      .sort((one, other) => rank(one) - rank(other) || orders[sort ?? 'service'](one, other));
    const lists = [...(isWhole ? [tree] : []), ...folders, ...(searched ? [searched] : [])];
    const failed = [...folders, ...(searched ? [searched] : [])].filter(({ failure }) => failure);
    return {
      ...{ entries, failed },
      thrown: (isWhole && tree.failure) || failed[0]?.failure,
      isReading: [...lists, ...(own ? [own] : [])].some((list) => list.isReading),
      // The service knows best what fits.
      isAnswered: !searched?.isReading || searched.files.size > 0,
    };
  }

  /** Whether an asset passes a filter; `undefined` if that isn't known. */
  function decide(
    { file: { id, kind }, listing: { records } }: ListEntry,
    only: protocol.Only,
    use: InLanguages,
  ): boolean | undefined {
    const not = (known: boolean | undefined) => (known === undefined ? undefined : !known);
    if (only === 'unused') return not(usagesRead.used.get(id));
    if (only === 'without-alt') return kind === 'image' ? not(records?.hasAlt(id, use)) : false;
    const { state } = records?.verdict(id, use) ?? { state: 'unknown' };
    if (state === 'unknown') return only === state || undefined;
    return only === 'allowed' ? state !== 'forbidden' : state === only;
  }

  /** Reads singly what lists lack of the records of assets, once. */
  function complete(entries: readonly ListEntry[]): void {
    for (const [listing, some] of Map.groupBy(entries, (entry) => entry.listing)) {
      const { records, completed } = listing;
      const open = some.flatMap(({ file: { record } }) => record ?? []);
      const missing = open.filter(({ id }) => !completed.has(id));
      for (const { id } of missing) completed.add(id);
      if (!records || missing.length === 0) continue;
      follow(records.complete(missing), listing);
    }
  }

  /** Reads singly whether assets have usages, once. */
  function readUsages(entries: readonly ListEntry[], read: typeof usagesRead): void {
    for (const { file, listing } of entries.filter(({ file }) => !read.used.has(file.id))) {
      read.used.set(file.id, undefined);
      const ask = async () => {
        // Who asks something else doesn't wait for the rest.
        if (read !== usagesRead || read.failed >= mostFailed) return;
        const listed = await usagesOf(file.id);
        read.failed = listed ? Number.NEGATIVE_INFINITY : read.failed + 1;
        read.used.set(file.id, listed && listed.length > 0);
      };
      follow(limit(ask), listing);
    }
  }

  function follow(work: Promise<unknown>, listing: ReadList): void {
    completing += 1;
    const fail = (failure: unknown) => {
      listing.failure = failure;
    };
    work.catch(fail).finally(() => {
      completing -= 1;
    });
  }

  /** `undefined` if the service doesn't list them. */
  const usagesOf = async (id: number) => service.usages?.list(id).catch(ignoreOurs);

  /** The record's alt texts, if the site has several languages. */
  function altsOf(id: number): Promise<protocol.LanguageAlt[]> | undefined {
    if (languages.all.length < 2 || !listedRecords?.judges.alt) return undefined;
    const altIn = async (language: Language) => {
      const use = inLanguage([language], language, languages);
      const described = await images.describeRecord(id, use, false);
      return { language, alt: described && (described.record?.alt ?? '') };
    };
    return Promise.all(languages.all.map(altIn));
  }

  function noteUse(id: number): void {
    recent = [id, ...recent.filter((one) => one !== id)].slice(0, mostRecent);
  }

  function show({ file, listing: { records } }: ListEntry, use: InLanguages): protocol.ListedAsset {
    const verdict = records?.verdict(file.id, use);
    return {
      ...assetOf(file),
      rights: listedRecords?.judges.rights ? (verdict?.state ?? 'unknown') : undefined,
      why: verdict && rightsText(verdict),
      hasAlt: records?.hasAlt(file.id, use),
    };
  }

  /** Answers a question when something is known, or asked again, as far as it's known by then. */
  async function assets(request: protocol.AssetsRequest): Promise<protocol.AssetsAnswer> {
    const { only, again, limit } = request;
    const use = useOf(request.locale);
    if (!again) usagesRead = newUsages();
    const read = usagesRead;
    for (let wait = again ? 0 : longestWait; ; wait -= pause) {
      const { entries, thrown, failed, isAnswered, ...found } = find(request, wait === longestWait);
      const judge = (entry: ListEntry) => !only || decide(entry, only, use);
      // As many as are shown are asked about, also to decide a filter.
      const isAsked = ({ file, listing }: ListEntry) => listing.completed.has(file.id);
      const asked = entries.filter((one) => isAsked(one) || judge(one) !== false).slice(0, limit);
      complete(asked);
      if (only === 'unused' && read === usagesRead) readUsages(asked, read);
      // What needs no request is known by then.
      await setImmediate();
      const judged = Map.groupBy(entries, judge);
      const shown = judged.get(true) ?? [];
      const isReading = found.isReading || completing > 0;
      if (!isReading && thrown && entries.length === 0) throw thrown;
      if (isReading && wait > 0 && !(isAnswered && shown.length > 0)) {
        await delay(pause);
        continue;
      }
      return {
        assets: shown.slice(0, limit).map((entry) => show(entry, use)),
        ...{ total: shown.length, undecided: judged.get(undefined)?.length ?? 0, isReading },
        failure: thrown ? failureOf(failed, thrown) : undefined,
      };
    }
  }

  return {
    noteUse,
    /** Shows an upload in its folder, which is read again when someone asks for it. */
    noteUpload(folder: number, file: ListedFile): void {
      const listing = catalogue.folder(folder);
      listing.files.set(file.id, file);
      listing.staleAt = 1;
      noteUse(file.id);
    },
    async folders(): Promise<protocol.FoldersAnswer> {
      const tree = catalogue.folders(true);
      if (tree.folders.length === 0) await tree.ended;
      if (tree.folders.length === 0 && tree.failure) throw tree.failure;
      const folders = tree.folders.map(({ id, name = `${id}`, depth }) => ({ id, name, depth }));
      const judges = listedRecords?.judges ?? { rights: false, alt: false };
      return { folders, judges: { ...judges, usages: service.usages !== undefined } };
    },
    assets,
    async asset({ id, locale }: protocol.AssetRequest): Promise<protocol.AssetDetails> {
      // Not every service lists usages.
      const listed = await usagesOf(id);
      const usages = listed
        ?.filter(({ page }) => page)
        .map(({ page, pageName }) => ({ page, ...(pageName && { pageName }) }));
      const record = toShownRecord(await images.describeRecord(id, useOf(locale), false));
      const own = catalogue.asset(id, true);
      await own.ended;
      // Not every service has the call, but a refused token says nothing of that.
      if (isMediaAssetError(own.failure, 'request-unauthorized')) throw own.failure;
      const file = own.files.get(id);
      const { width, height } = (images.original ? await images.original(id) : file?.size) ?? {};
      const size = width && height ? { width, height } : undefined;
      return { name: file?.name, size, record, alts: await altsOf(id), usages };
    },
  };
}

const mostRecent = 10;

/** After so many assets without a list of usages, the service has none. */
const mostFailed = 3;

/** `used` has assets by ID: `undefined` until it's known. */
const newUsages = () => ({ used: new Map<number, boolean | undefined>(), failed: 0 });

/** In ms. */
const [pause, longestWait] = [25, 20_000];

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

const orders = {
  service: () => 0,
  name: ({ file: one }: ListEntry, { file: other }: ListEntry) =>
    names.compare(one.name, other.name) || one.id - other.id,
  newest: ({ file: one }: ListEntry, { file: other }: ListEntry) => other.id - one.id,
};

const entriesOf = (listing: ReadList): ListEntry[] =>
  Array.from(listing.files.values(), (file) => ({ file, listing }));

export function assetOf({ folded: _, record: __, ...asset }: ListedFile): protocol.ListedAsset {
  return asset;
}

function failureOf(failed: readonly ReadList[], thrown: unknown): protocol.Notice {
  const notice = noticeOf(thrown);
  const lists = listNames(failed.map(({ name }) => name)) || 'the folders';
  return { ...notice, message: `${lists} couldn't be read. ${notice.message}` };
}
