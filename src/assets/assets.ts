import { availableParallelism } from 'node:os';
import { type Finding, isMediaAssetError } from '../errors/errors.ts';
import type { ImagesContext, ImagesOptions } from './assets-context.ts';
import { getMediaFile } from './files/get-media-file.ts';
import { customFormats } from './geometry/custom-format-parameters.ts';
import { getMediaAsset } from './get-media-asset.ts';
import { bytesFor, fileFor } from './renditions/content-for.ts';
import { type EmitRequest, type Emitted, emitRenditions } from './renditions/emit-renditions.ts';
import { createPrefetch } from './renditions/prefetch.ts';
import { createRenditionBytes } from './renditions/rendition-bytes.ts';
import type { MediaAsset, MediaAssetRequest } from './request/media-asset.ts';
import type { MediaFile, MediaFileRequest } from './request/media-file.ts';
import type { NamedInSource } from './request/named-in-source.ts';
import { checkTokenless } from './sources/check-tokenless.ts';
import { checkUsed, isCurrent, keepSources } from './sources/check-used.ts';
import { createSources } from './sources/sources.ts';
import { createStaleGuard } from './sources/stale-assets.ts';
import { openAssetStore } from './store/asset-store.ts';
import { openCatalogue } from './store/catalogue.ts';

export type { ImagesOptions } from './assets-context.ts';

/** The images of one build, or of one session of the dev server. */
export interface Images {
  /** Gives a page the addresses and sizes of an asset. @throws an error that names the page */
  getMediaAsset(request: MediaAssetRequest): Promise<MediaAsset>;
  /** The same for a file that is published as it is. @throws an error that names the page */
  getMediaFile(request: MediaFileRequest): Promise<MediaFile>;
  /**
   * Before a build: checks the assets that the last one used, and begins to fetch what the cache
   * lacks of them. Refused ones are remembered.
   */
  checkUsed(onProgress?: (done: number, total: number) => void): Promise<void>;
  /** Begins to fetch what pages will ask for. */
  prefetch(named: readonly NamedInSource[]): void;
  /** Whether no earlier build has left what it used. */
  isFirstBuild(): boolean;
  /** Changes whenever pages of an earlier build may be out of date. */
  versions(): string;
  /** Whether a rendition's URL shows the version that is in the cache, which a check has renewed. */
  isCurrent(url: string): Promise<boolean>;
  /** Has the next build check these sources too: HTML that is kept for later pages names them. */
  keepSources(urls: readonly string[]): void;
  /** Some pages of this build lack an asset: changes `versions()`, so that none of them is reused. */
  renewVersions(): void;
  /** After a build: writes every catalogued rendition that the built files name. */
  emit(request: EmitRequest): Promise<Emitted>;
  /** The bytes behind a rendition's URL; `undefined` for one that no component has issued. */
  bytesFor(url: string): Promise<{ bytes: Buffer; contentType: string } | undefined>;
  /** The file behind its URL; `undefined` for one that no component has issued. */
  fileFor(url: string): Promise<{ path: string; contentType: string } | undefined>;
  counts(): ImageCounts;
  /**
   * After a build that succeeded: deletes withdrawn assets and replaced versions, and evicts what no
   * build has used for 30 days.
   */
  tidy(): Promise<void>;
  /** Ends what goes on in the background, and writes the catalogue. */
  save(): Promise<void>;
}

/** What a run has done so far. */
interface ImageCounts {
  /** Assets that pages show. */
  readonly assets: number;
  /** Renditions. */
  readonly made: number;
  readonly reused: number;
  /** Bodies that came from the service. */
  readonly downloads: number;
  /** Answers that told whether a cached source is current. */
  readonly checks: number;
  /** Assets shown from the cache, unchecked. */
  readonly stale: number;
}

const sevenDays = 7 * 24 * 60 * 60 * 1000;

/** The images of a site. Opens the catalogue; nothing else happens until it is asked to. */
export function createImages(options: ImagesOptions): Images {
  const { service, cacheDir, mode, onFinding, clock = Date.now } = options;
  const cache = openAssetStore(cacheDir, mode);
  const catalogue = openCatalogue({ cacheDir, clock, onFinding });
  const sources = createSources({
    service,
    cache,
    catalogue,
    mode,
    clock,
    files: options.files,
    onBackgroundFailure: (thrown, id) => onFinding(failureFinding(thrown, `asset ${id}`)),
  });
  const atOnce = options.concurrency ?? availableParallelism();
  const bytes = createRenditionBytes({ cache, sources, atOnce });
  const { maxStale = sevenDays } = options;
  const { staleSince } = sources;
  const stale = createStaleGuard({ staleSince, maxStale, mode, clock, onFinding });
  const customFormat = options.customFormat ?? customFormats.size;
  let tokenless: Promise<void> | undefined;
  const context: ImagesContext = {
    options,
    service,
    catalogue,
    cache,
    sources,
    bytes,
    customFormat,
    cropNotes: { uncompared: new Set(), cutHere: new Set(), lossy: new Map() },
    shown: new Set(),
    allowStale: stale.allow,
    toAbsolute: (url) => (options.site ? new URL(url, options.site).href : url),
    onLink(url) {
      if (mode === 'build') tokenless ??= reportTokenless(url);
    },
  };

  const prefetch = createPrefetch(context, options.requestsAtOnce ?? 8);

  async function reportTokenless(url: string): Promise<void> {
    const found = await checkTokenless(url, options.fetch ?? fetch);
    if (found) onFinding(found);
  }

  async function settled(): Promise<void> {
    await prefetch.stop();
    await tokenless;
    await bytes.settled();
    await sources.settled();
  }

  return {
    getMediaAsset: (request) => getMediaAsset(context, request),
    getMediaFile: (request) => getMediaFile(context, request),
    async checkUsed(onProgress) {
      prefetch.start(await checkUsed(context, onProgress));
    },
    prefetch(named) {
      prefetch.startNamed(named);
    },
    isFirstBuild: () => catalogue.usedByLastBuild(service.baseUrl).size === 0,
    versions: () => catalogue.epoch(),
    isCurrent: (url) => isCurrent(context, url),
    keepSources: (urls) => keepSources(context, urls),
    renewVersions: () => catalogue.renewEpoch(),
    emit: (request) => emitRenditions(context, request),
    bytesFor: (url) => bytesFor(context, url),
    fileFor: (url) => fileFor(context, url),
    counts: () => ({
      assets: context.shown.size,
      ...bytes.counts(),
      ...sources.counts(),
      stale: stale.count(),
    }),
    async tidy() {
      const withdrawn = await sources.judgeRefusals();
      await settled();
      for (const id of withdrawn) {
        catalogue.drop(service.baseUrl, id);
        await cache.withdraw({ service: service.baseUrl, id });
      }
      if (withdrawn.length > 0) await catalogue.save();
      await cache.evict({ used: catalogue.entries(), now: clock() });
    },
    async save() {
      stale.say();
      await settled();
      await catalogue.save();
    },
  };
}

/**
 * What went wrong with nobody waiting for it, as a finding.
 *
 * @throws what is no error of ours
 */
function failureFinding(thrown: unknown, place: string): Finding {
  if (!isMediaAssetError(thrown)) throw thrown;
  const { code, message, hint } = thrown;
  const refused = code === 'asset-unknown' || code === 'asset-withdrawn';
  return { code, severity: refused ? 'error' : 'warning', place, message, hint };
}
