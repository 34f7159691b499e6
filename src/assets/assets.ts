import { availableParallelism } from 'node:os';
import { type Finding, isMediaAssetError, type MediaAssetError } from '../errors/errors.ts';
import type { MediaService } from '../service/types.ts';
import type { FileRules } from './files/file-rules.ts';
import { getMediaFile } from './files/get-media-file.ts';
import { customFormats, type ToCustomFormat } from './geometry/custom-format-parameters.ts';
import { getMediaAsset } from './get-media-asset.ts';
import { type EmitRequest, type Emitted, emitRenditions } from './renditions/emit-renditions.ts';
import { createFindShown } from './renditions/find-shown.ts';
import { missingImage } from './renditions/missing-image.ts';
import { createPrefetch } from './renditions/prefetch.ts';
import { createRenditionBytes } from './renditions/rendition-bytes.ts';
import { serveFile, serveRendition } from './renditions/serve-renditions.ts';
import { createCropNotes } from './renditions/service-crops.ts';
import type { MediaAsset, MediaAssetRequest } from './request/media-asset.ts';
import type { MediaFile, MediaFileRequest } from './request/media-file.ts';
import type { PictureDefaults } from './request/parse-request.ts';
import type { NamedInSource } from './request/read-named-assets.ts';
import { checkTokenless } from './sources/check-tokenless.ts';
import { checkUsed, isCurrent, keepSources } from './sources/check-used.ts';
import { createSources } from './sources/sources.ts';
import { createStaleGuard } from './sources/stale-guard.ts';
import { openAssetStore } from './store/asset-store.ts';
import { openCatalogue } from './store/catalogue.ts';
import type { SvgRule } from './svg/svg-rule.ts';

export interface AssetsOptions {
  readonly service: MediaService;
  /** The folder of cache and catalogue, an absolute path. */
  readonly cacheDir: string;
  /** Who cuts crops: the service (custom formats), or this machine from the original. */
  readonly crops: 'service' | 'local';
  /** `service`: pages carry the service's own addresses. */
  readonly delivery: 'static' | 'service';
  /** The query of a crop's custom format. @default x1, y1, and the crop's size as w, h */
  readonly customFormat?: ToCustomFormat | undefined;
  readonly defaults?: PictureDefaults | undefined;
  /** Whether pages may carry `style` attributes. @default true */
  readonly styleAttributes?: boolean | undefined;
  /** What is done with SVG drawings. @default 'refuse' */
  readonly svg?: SvgRule | undefined;
  readonly mode: 'build' | 'dev';
  /**
   * Without credentials, pages show what is cached, however old, and labelled placeholders of the rest.
   * The catalogue stays as it is, and nothing is evicted.
   * @default true
   */
  readonly hasCredentials?: boolean | undefined;
  /** How old the last check of a cached asset may be, in ms. @default 604800000 (7 days) */
  readonly maxStale?: number | undefined;
  readonly files?: FileRules | undefined;
  readonly site?: string | undefined;
  /** The URL of a path below the assets folder. */
  readonly toUrl: (path: string) => string;
  readonly onFinding: (finding: Finding) => void;
  /** Requests that the service takes at once. @default 8 */
  readonly requestsAtOnce?: number | undefined;
  /** Renditions made at once. @default the number of processors */
  readonly concurrency?: number | undefined;
  /** Milliseconds since the epoch. @default `Date.now` */
  readonly clock?: (() => number) | undefined;
  /** For the request without a token. @default the global `fetch` */
  readonly fetch?: typeof fetch | undefined;
}

/** The assets of one build, or of one session of the dev server. */
export interface Assets {
  /** Gives a page the addresses and sizes of an asset. @throws an error that names the page */
  getMediaAsset(request: MediaAssetRequest): Promise<MediaAsset>;
  /**
   * The same for a file that is published as it is. `undefined` without credentials, for a file that
   * isn't cached.
   *
   * @throws an error that names the page
   */
  getMediaFile(request: MediaFileRequest): Promise<MediaFile | undefined>;
  /** The labelled placeholder of an asset that can't be loaded. @throws as `missingImage` */
  missingImage(request: MediaAssetRequest, error: MediaAssetError): Promise<MediaAsset>;
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
  counts(): AssetCounts;
  /**
   * After a build that succeeded: deletes withdrawn assets and replaced versions, and evicts what no
   * build has used for 30 days.
   */
  tidy(): Promise<void>;
  /** Ends what goes on in the background, and writes the catalogue. */
  save(): Promise<void>;
}

interface AssetCounts {
  readonly assets: number;
  readonly made: number;
  readonly reused: number;
  /** Bodies that came from the service. */
  readonly downloads: number;
  /** Answers that told whether a cached source is current. */
  readonly checks: number;
  /** Assets shown from the cache, unchecked. */
  readonly stale: number;
  /** Assets that pages lack because there are no credentials. */
  readonly missing: number;
}

const sevenDays = 7 * 24 * 60 * 60 * 1000;

/** The assets of a site. Opens the catalogue; nothing else happens until it is asked to. */
export function createAssets(options: AssetsOptions): Assets {
  const { service, cacheDir, mode, delivery, crops, files, svg, toUrl, onFinding } = options;
  const { clock = Date.now, maxStale = sevenDays, hasCredentials = true } = options;
  const { baseUrl } = service;
  const isMissing = (thrown: unknown): thrown is MediaAssetError =>
    !hasCredentials && isMediaAssetError(thrown, 'service-not-configured');
  const store = openAssetStore(cacheDir, mode);
  const catalogue = openCatalogue({ cacheDir, clock, onFinding });
  const sources = createSources({
    ...{ service, store, catalogue, mode, clock, files },
    onBackgroundFailure(thrown, id) {
      if (!isMissing(thrown)) onFinding(failureFinding(thrown, `asset ${id}`));
    },
  });
  const atOnce = options.concurrency ?? availableParallelism();
  const bytes = createRenditionBytes({ store, sources, atOnce });
  const { staleSince } = sources;
  const stale = createStaleGuard({ staleSince, maxStale, clock, onFinding });
  const cropNotes = createCropNotes();
  const customFormat = options.customFormat ?? customFormats.size;
  const findShown = createFindShown({
    ...{ service, sources, store, crops, delivery, customFormat, cropNotes },
  });
  const { requestsAtOnce = 8 } = options;
  const prefetch = createPrefetch({ baseUrl, sources, findShown, requestsAtOnce });
  const shown = new Set<number>();
  const missing = new Set<number>();
  let tokenless: Promise<void> | undefined;

  function onLink(url: string): void {
    if (mode === 'build')
      tokenless ??= checkTokenless(url, { fetch: options.fetch ?? fetch, onFinding });
  }

  async function settled(): Promise<void> {
    await prefetch.stop();
    await tokenless;
    await bytes.settled();
    await sources.settled();
  }

  const onPages = {
    ...{ delivery, shown, toUrl, onLink },
    /** A dev session shows what it has, and checks it meanwhile. */
    allowStale: mode === 'build' && hasCredentials ? stale.allow : () => undefined,
    toAbsolute: (url: string) => (options.site ? new URL(url, options.site).href : url),
  };
  const showAsset = {
    ...{ ...onPages, svg, findShown, access: { store, sources } },
    defaults: options.defaults,
    styleAttributes: options.styleAttributes ?? true,
    issuer: { catalogue, toUrl, begin: mode === 'build' ? bytes.begin : undefined },
    refusal: sources.refusal,
    issueLink(url: string, link: Parameters<typeof catalogue.issueLink>[1]) {
      catalogue.issueLink(url, link);
      onLink(url);
    },
  };
  const showFile = { ...onPages, service, catalogue, sources, files };

  const showMissing: Assets['missingImage'] = (request, error) =>
    missingImage(request, error, {
      defaults: options.defaults,
      originalUrl: service.files.originalUrl,
    });

  return {
    getMediaAsset: (request) =>
      getMediaAsset(showAsset, request).catch((thrown: unknown) => {
        if (!isMissing(thrown)) throw thrown;
        missing.add(request.id);
        return showMissing(request, thrown);
      }),
    getMediaFile: (request) =>
      getMediaFile(showFile, request).catch((thrown: unknown) => {
        if (!isMissing(thrown)) throw thrown;
        missing.add(request.id);
        return undefined;
      }),
    missingImage: showMissing,
    async checkUsed(onProgress) {
      prefetch.start(await checkUsed({ catalogue, sources, baseUrl }, onProgress));
    },
    prefetch: prefetch.startNamed,
    isFirstBuild: () => catalogue.usedByLastBuild(baseUrl).size === 0,
    versions: catalogue.epoch,
    isCurrent: (url) => isCurrent({ catalogue, sources }, url),
    keepSources: (urls) => keepSources(catalogue, urls),
    renewVersions: catalogue.renewEpoch,
    emit: (request) =>
      emitRenditions(
        {
          ...{ baseUrl, catalogue, sources, store, bytes, cropNotes, shown, svg, files, toUrl },
          allowStale: onPages.allowStale,
        },
        request,
      ),
    bytesFor: (url) => serveRendition({ catalogue, bytes, sources, svg }, url),
    fileFor: (url) => serveFile({ catalogue, sources, store, files }, url),
    counts: () => ({
      assets: shown.size,
      ...bytes.counts(),
      ...sources.counts(),
      stale: stale.count(),
      missing: missing.size,
    }),
    async tidy() {
      if (!hasCredentials) return;
      const withdrawn = await sources.judgeRefusals();
      await settled();
      for (const id of withdrawn) {
        catalogue.drop(baseUrl, id);
        await store.withdraw({ service: baseUrl, id });
      }
      if (withdrawn.length > 0) await catalogue.save();
      await store.evict({ used: catalogue.entries(), now: clock() });
    },
    async save() {
      stale.say();
      await settled();
      if (hasCredentials) await catalogue.save();
    },
  };
}

/** What went wrong with nobody waiting for it, as a finding. @throws what is no error of ours */
function failureFinding(thrown: unknown, place: string): Finding {
  if (!isMediaAssetError(thrown)) throw thrown;
  const { code, message, hint } = thrown;
  const refused = code === 'asset-unknown' || code === 'asset-withdrawn';
  return { code, severity: refused ? 'error' : 'warning', place, message, hint };
}
