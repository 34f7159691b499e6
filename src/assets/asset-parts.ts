import { availableParallelism } from 'node:os';
import { finding, isMediaAssetError, type MediaAssetError, toFinding } from '../errors/errors.ts';
import type { AssetSubject } from '../errors/place.ts';
import type { AssetsOptions } from './assets-options.ts';
import type { RenditionSource } from './formats/rendition.ts';
import type { SourceKind } from './formats/source.ts';
import { createRecords, recordRule } from './records/records.ts';
import { createRightsGuard } from './records/rights-guard.ts';
import { createChangedCrops } from './renditions/changed-crops.ts';
import { createFindShown } from './renditions/find-shown.ts';
import { createLiveRenditions } from './renditions/live-renditions.ts';
import { createProvenPixels } from './renditions/proven-pixels.ts';
import { createRenditionBytes } from './renditions/rendition-bytes.ts';
import { createCropComparisons } from './renditions/service-crops.ts';
import { isUnavailable } from './sources/asset-errors.ts';
import { createSources } from './sources/sources.ts';
import { createStaleGuard } from './sources/stale-guard.ts';
import { temporaryFolder } from './store/asset-folder.ts';
import { openAssetStore } from './store/asset-store.ts';
import { openLastBuild } from './store/last-build.ts';

/** What the assets of one run are made of, for those who ask. */
export type AssetParts = ReturnType<typeof openAssetParts>;

/** What the requests of pages share in one run. */
export type OnPages = AssetParts['onPages'];

export function openAssetParts(options: AssetsOptions) {
  const { service, cacheDir, mode, files, onFinding } = options;
  const { clock = Date.now, hasCredentials, rights, earlier, languages } = options;
  const place = { cacheDir, service: service.baseUrl, clock };
  const startedAt = clock();
  const isMissing = (thrown: unknown): thrown is MediaAssetError =>
    isMediaAssetError(thrown, 'service-not-configured');
  const onBackgroundFailure = (thrown: unknown, id: number) => {
    if (isMissing(thrown)) return;
    if (!isMediaAssetError(thrown)) throw thrown;
    const severity = isUnavailable(thrown) ? 'error' : 'warning';
    onFinding({ ...toFinding(severity, thrown), asset: id });
  };
  const needsBytes = mode === 'dev' || !hasCredentials;
  const store = openAssetStore({ ...place, mode, needsBytes });
  const lastBuild = openLastBuild({ ...place, store });
  const pixels = createProvenPixels(temporaryFolder(cacheDir), mode === 'build' ? 300 : 100);
  const { prove, takePixels } = pixels;
  const sources = createSources({ service, store, mode, clock, files, prove, onBackgroundFailure });
  const access = { store, sources };
  const live = earlier && createLiveRenditions({ published: earlier.renditions, onFinding });
  const bytes = createRenditionBytes({ access, atOnce: availableParallelism(), takePixels, live });
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
  const changedCrops = createChangedCrops(store, options);
  const findShown = createFindShown({ access, options, comparisons, changedCrops });
  /** How pages of this run use each asset. */
  const asked = new Map<number, SourceKind | undefined>();
  /** Assets that are missing on pages because there are no credentials. */
  const missing = new Set<number>();
  const stills = new Set<number>();

  async function settled(): Promise<void> {
    await bytes.settled();
    await sources.settled();
    await records?.settled();
    await pixels.clear();
  }

  const onPages = {
    /** Notes how a page uses an asset. */
    ask: (id: number, kind?: SourceKind) =>
      void asked.set(id, asked.get(id) === 'original' ? 'original' : (kind ?? asked.get(id))),
    /** The assets that pages show. */
    shown: new Set<number>(),
    record: guard.show,
    /** A dev session shows cached assets, and checks them in the background. */
    allowStale: (subject: AssetSubject): void => {
      if (mode === 'build' && hasCredentials) stale.allow(subject);
    },
    /** Enters the service's own URL of a source in the catalogue. */
    issueLink: (url: string, source: RenditionSource) => store.issue(url, { as: 'link', source }),
    /** Notes that an animation is published without frames, because of a format: the published one, or its own. */
    noteStill(subject: AssetSubject, format: string, isStill: boolean): void {
      if (stills.has(subject.id)) return;
      stills.add(subject.id);
      onFinding(finding('warning', 'frames-lost', { ...subject, format, isStill }));
    },
    toAbsolute: (url: string) => (options.site ? new URL(url, options.site).href : url),
  };

  return {
    ...{ options, clock, startedAt, access, lastBuild, bytes, rule, records, guard, stale },
    ...{ comparisons, changedCrops, findShown, onPages, isMissing, asked, missing, settled },
  };
}
