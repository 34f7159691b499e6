import { availableParallelism } from 'node:os';
import { isAssetId } from '../errors/asset-id.ts';
import {
  finding,
  ignoreOurs,
  isMediaAssetError,
  type MediaAssetError,
  mediaAssetError,
  toFinding,
} from '../errors/errors.ts';
import type { AssetsOptions } from './assets-options.ts';
import { type AssetDigests, changesSince, digestAssets } from './build-digests.ts';
import { getMediaFile } from './files/get-media-file.ts';
import { originalOf, type Source, type SourceKind } from './formats/source.ts';
import { createGetMediaAsset, type OnPages } from './get-media-asset.ts';
import { creditOf } from './records/asset-record.ts';
import { createRecords, listedRecords, recordRule } from './records/records.ts';
import { createRightsGuard } from './records/rights-guard.ts';
import { type EmitRequest, emitRenditions } from './renditions/emit-renditions.ts';
import { createFindShown } from './renditions/find-shown.ts';
import { createLiveRenditions } from './renditions/live-renditions.ts';
import { missingImage } from './renditions/missing-image.ts';
import { createRenditionBytes } from './renditions/rendition-bytes.ts';
import { serveFile } from './renditions/serve-renditions.ts';
import { createCropComparisons } from './renditions/service-crops.ts';
import { previewImage } from './renditions/small-images.ts';
import type { Asking } from './request/asking.ts';
import type { MediaAssetRequest, MediaCredit } from './request/media-asset.ts';
import type { MediaFile, MediaFileRequest } from './request/media-file.ts';
import { atPage, isUnavailable } from './sources/asset-errors.ts';
import { checkTokenless } from './sources/check-tokenless.ts';
import { checkUsed, isCurrent, keepSources, presentVersion } from './sources/check-used.ts';
import { createPrefetch, createSources } from './sources/sources.ts';
import { createStaleGuard } from './sources/stale-guard.ts';
import { type KeptFacts, kindOf } from './store/asset-facts.ts';
import { openAssetStore } from './store/asset-store.ts';
import { openLastBuild } from './store/last-build.ts';

type Assets = ReturnType<typeof createAssets>;
/** What pages ask. */
export type PageAssets = Assets['pages'];
/** What the publisher of pages asks. */
export type PublisherAssets = Assets['publisher'];
/** What people ask, with the toolbar or a command. */
export type PeopleAssets = Assets['people'];

/** Opens the cache, and does nothing else until a method is called. */
export function createAssets(options: AssetsOptions) {
  const { service, cacheDir, mode, files, toUrl, onFinding } = options;
  const { clock = Date.now, hasCredentials, rights, earlier, sourceLabel, languages } = options;
  const place = { cacheDir, service: service.baseUrl, clock };
  const startedAt = clock();
  const isMissing = (thrown: unknown): thrown is MediaAssetError =>
    !hasCredentials && isMediaAssetError(thrown, 'service-not-configured');
  const onBackgroundFailure = (thrown: unknown, id: number) => {
    if (isMissing(thrown)) return;
    if (!isMediaAssetError(thrown)) throw thrown;
    const severity = isUnavailable(thrown) ? 'error' : 'warning';
    onFinding({ ...toFinding(severity, thrown), asset: id });
  };
  const needsBytes = mode === 'dev' || !hasCredentials;
  const store = openAssetStore({ ...place, mode, needsBytes });
  const lastBuild = openLastBuild({ ...place, store });
  const sources = createSources({ service, store, mode, clock, files, onBackgroundFailure });
  const access = { store, sources };
  const live = earlier && createLiveRenditions({ published: earlier.renditions, onFinding });
  const bytes = createRenditionBytes({ access, atOnce: availableParallelism(), live });
  const rule = recordRule(options);
  const records =
    rule &&
    createRecords({
      ...{ service, store, mode, clock, hasCredentials, rule, languages, onBackgroundFailure },
    });
  const guard = createRightsGuard({ records, rule: rights, languages, mode, onFinding });
  const stale = createStaleGuard({
    ...{ maxStale: options.maxStale, clock, onFinding },
    staleSince: (id) => [sources, records].flatMap((one) => one?.staleSince(id) ?? []),
  });
  const comparisons = createCropComparisons(access);
  const findShown = createFindShown({ access, options, comparisons });
  const prefetch = createPrefetch(sources, options.requestsAtOnce);
  const checks = { ...access, records };
  /** How pages of this run use each asset. */
  const asked = new Map<number, SourceKind | undefined>();
  const ask = (id: number, kind?: SourceKind) =>
    void asked.set(id, asked.get(id) === 'original' ? 'original' : (kind ?? asked.get(id)));
  const shown = new Set<number>();
  const missing = new Set<number>();
  const stills = new Set<number>();
  let recalled: KeptFacts = {};
  let tokenless: Promise<void> | undefined;
  let hasEnded = false;

  async function settled(): Promise<void> {
    await prefetch.stop();
    await tokenless;
    await bytes.settled();
    await sources.settled();
    await records?.settled();
  }

  const onPages: OnPages = {
    ...{ ask, shown, record: guard.show },
    /** A dev session shows cached assets, and checks them in the background. */
    allowStale: mode === 'build' && hasCredentials ? stale.allow : () => undefined,
    issueLink(url, source) {
      store.issue(url, { as: 'link', source });
      // A dev session has no visitors.
      if (mode === 'build') tokenless ??= checkTokenless(url, onFinding);
    },
    noteStill(subject, format, isStill) {
      if (stills.has(subject.id)) return;
      stills.add(subject.id);
      onFinding(finding('warning', 'frames-lost', { ...subject, format, isStill }));
    },
    toAbsolute: (url) => (options.site ? new URL(url, options.site).href : url),
  };

  /** Without credentials, a page is shown without what isn't cached. Throws any other error. */
  function noteMissing(thrown: unknown, { id }: { readonly id: number }): MediaAssetError {
    if (!isMissing(thrown)) throw thrown;
    missing.add(id);
    return thrown;
  }

  /** The labelled placeholder of an unavailable asset. */
  const showMissing = async (request: MediaAssetRequest, asking: Asking, error: MediaAssetError) =>
    missingImage({ ...request, inMarkdown: undefined, ...asking }, error, {
      defaults: { ...options.defaults, record: (await guard.orEmpty(asking))?.record },
      originalUrl: service.files.originalUrl,
    });

  /** What an image itself says, for a label. A file that isn't an image isn't downloaded for that. */
  async function ownSourceType(id: number): Promise<string | undefined> {
    const { original, file } = store.facts(id).sources;
    const isFile = asked.get(id) === 'file' || (file && !original);
    if (!sourceLabel || isFile) return undefined;
    return (await sources.get(originalOf(id)).catch(ignoreOurs))?.digitalSourceType;
  }

  const pages = {
    getMediaAsset: createGetMediaAsset({
      ...{ options, access, onPages, findShown },
      issuer: { store, toUrl, begin: mode === 'build' ? bytes.begin : undefined },
      orPlaceholder: (request, asking, thrown) =>
        showMissing(request, asking, noteMissing(thrown, asking)),
    }),
    /** `undefined` if the file isn't cached and there are no credentials. */
    getMediaFile: (request: MediaFileRequest, asking: Asking): Promise<MediaFile | undefined> =>
      getMediaFile({ access, onPages, options }, request, asking).catch((thrown) => {
        noteMissing(thrown, asking);
        return undefined;
      }),
    /** What a record says about an asset's makers; empty without credentials and a cached record. */
    async getMediaCredit({ id, ...asking }: Asking): Promise<MediaCredit> {
      if (!isAssetId(id)) throw mediaAssetError('asset-id-invalid', { ...asking, value: id });
      ask(id);
      try {
        const known = await guard.show({ ...asking, id }, true);
        if (!options.record && !sourceLabel) throw mediaAssetError('record-unread', undefined);
        const credit = creditOf(known?.record);
        const digitalSourceType = credit.digitalSourceType ?? (await ownSourceType(id));
        const label = sourceLabel?.(digitalSourceType, asking.texts);
        return { ...credit, digitalSourceType, sourceLabel: label };
      } catch (thrown) {
        noteMissing(isMissing(thrown) ? thrown : atPage(thrown, { ...asking, id }), { id });
        return { ...creditOf(undefined), sourceLabel: undefined };
      }
    },
    missingImage: showMissing,
    /** What a URL names; `undefined` if no component has issued it. */
    fileFor: (url: string) => serveFile({ access, bytes, options }, url),
  };

  const publisher = {
    /** Call before a build. Without a cache, takes over what an earlier build knew of its assets. */
    async recall(): Promise<void> {
      if (!earlier || lastBuild.assets.size > 0) return;
      recalled = await earlier.originals();
      await store.recall(recalled);
    },
    /** What a later build without a cache needs to know of this build's assets. Call after `save`. */
    originals: () => store.keep(startedAt),
    /** Call before a build. Checks the assets that the last build used. */
    async checkUsed(onProgress?: (done: number, total: number) => void): Promise<void> {
      const kept = Object.entries(recalled).map(([id, { sources }]) => {
        const kind: SourceKind = sources.original ? 'original' : 'file';
        return [Number(id), { kind }] as const;
      });
      const used = lastBuild.assets.size > 0 ? lastBuild.assets : new Map(kept);
      await Promise.all([
        checkUsed({ ...checks, used }, onProgress),
        records?.prepare(used.keys()),
      ]);
      lastBuild.compare((id, kind) => presentVersion(access, id, kind));
    },
    /** Starts to download the assets that source files name, unless an earlier build recorded its own. */
    prefetch(readNamed: () => Promise<readonly number[]>): void {
      if (lastBuild.assets.size > 0) return;
      // A page that requests the asset or its record gets the same error.
      const named = readNamed();
      named.then(prefetch.start).catch(() => {});
      records?.prepare(named).catch(() => {});
    },
    /** Changes whenever pages of an earlier build may be out of date. */
    versions: lastBuild.epoch,
    /** Changes `versions()`, so that pages of this build that lack an asset aren't reused. */
    renewVersions: lastBuild.renewEpoch,
    /**
     * Lets the next build check the sources of these URLs too, because HTML that is kept for later pages
     * names them.
     *
     * @returns a digest of what the HTML depends on in the records of these assets
     */
    keep: (urls: readonly string[]) => keepSources(checks, urls),
    /** Whether kept HTML shows the cached versions, which a check may have renewed, and these records. */
    isCurrent: (urls: readonly string[], outcomes: string) => isCurrent(checks, urls, outcomes),
    /** Call after a build. Writes every catalogued rendition that the built files name. */
    async emit(request: EmitRequest) {
      const onWritten = () => {
        hasEnded = true;
      };
      const site = { access, bytes, onPages, guard, options, onWritten };
      const findings = await emitRenditions(site, request);
      return [...findings, ...comparisons.takeFindings(), ...(records?.findings() ?? [])];
    },
    /** What the pages of this build depend on in its assets. Call after `save`. */
    digests: () => digestAssets(checks, asked),
    counts: () => ({
      assets: shown.size,
      ...bytes.counts(),
      ...sources.counts(),
      /** Assets shown from the cache without a check. */
      stale: stale.count(),
      /** Assets that are missing on pages because there are no credentials. */
      missing: missing.size,
    }),
    /**
     * Call after a successful build. Deletes withdrawn assets and replaced versions, and evicts files that
     * no build has used for 30 days.
     */
    async tidy(): Promise<void> {
      if (!hasCredentials) return;
      const withdrawn = await sources.confirmWithdrawals();
      await settled();
      for (const id of withdrawn) await store.withdraw(id);
      await store.evict(clock());
    },
    /** Waits for background work, and writes what is known of the assets. */
    async save(): Promise<void> {
      stale.report();
      await settled();
      const used = store.usedSince(startedAt);
      for (const [id, issued] of used) ask(id, kindOf(issued));
      if (!hasCredentials) return;
      await store.save();
      // Written last: after a kill, the next build finds more changes, not fewer.
      await lastBuild.save(hasEnded ? used : undefined);
    },
  };

  const people = {
    /** What an asset's record says; `undefined` if it isn't known. */
    describeRecord: guard.describe,
    /** What records in a list say about rights; `undefined` if the site reads none. */
    listedRecords: rule && listedRecords(rule, { service, languages, now: clock }),
    /** A small WebP of a whole image. */
    preview: (id: number, width: number) => previewImage(access, { id, width }),
    /** A cached original. Sends no request. */
    async original(id: number): Promise<Source | undefined> {
      const source = await store.find(originalOf(id));
      return source?.kind === 'file' ? undefined : source;
    },
    /** The names in the service of this build's assets and of the last one's, by ID, if they're known. */
    names: store.names,
    /**
     * Checks the assets of an earlier build, and lists those whose pages are out of date.
     * Throws what the next build would throw, and errors of the service in an outage.
     */
    changesSince: (built: AssetDigests, onProgress: (done: number, total: number) => void) =>
      changesSince(checks, built, onProgress),
  };
  return { pages, publisher, people };
}
