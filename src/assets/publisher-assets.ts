import { finding } from '../errors/errors.ts';
import type { AssetParts } from './asset-parts.ts';
import { digestAssets } from './build-digests.ts';
import type { Rendition } from './formats/rendition.ts';
import { pixelVersion, type RenditionAddress, renditionKey } from './formats/rendition-url.ts';
import type { SourceKind } from './formats/source.ts';
import { type EmitRequest, emitRenditions } from './renditions/emit-renditions.ts';
import { reviewCrops } from './renditions/review-crops.ts';
import { checkAsset, isCurrent, keepSources, presentVersion } from './sources/check-asset.ts';
import { settleAll } from './sources/settle-all.ts';
import { createPrefetch } from './sources/sources.ts';
import { type KeptFacts, kindOf } from './store/asset-facts.ts';

/** What the publisher of pages asks. */
export type PublisherAssets = ReturnType<typeof createPublisherAssets>;

export function createPublisherAssets(parts: AssetParts) {
  const { options, access, bytes, records, guard, comparisons, lastBuild, onPages, stale } = parts;
  const { startedAt, clock, asked, missing, changedCrops } = parts;
  const { earlier, hasCredentials } = options;
  const { store, sources } = access;
  const checks = { ...access, records };
  const prefetch = createPrefetch(sources, options.requestsAtOnce);
  let recalled: KeptFacts = {};
  let hasEnded = false;

  async function settled(): Promise<void> {
    await prefetch.stop();
    await parts.settled();
  }

  return {
    /** Call before a build. Without a cache, takes over what an earlier build knew of its assets. */
    async recall(): Promise<void> {
      if (!earlier || lastBuild.assets.size > 0) return;
      recalled = await earlier.originals();
      await store.recall(recalled);
    },
    /** What a later build without a cache needs to know of this build's assets. Call after `save`. */
    originals: () => store.keep(startedAt),
    /**
     * Call before a build. Checks the assets that the last build used, before pages request them. Failures
     * of one asset are left to its pages.
     */
    async checkUsed(onProgress?: (done: number, total: number) => void): Promise<void> {
      const kept = Object.entries(recalled).map(([id, { sources }]) => {
        const kind: SourceKind = sources.original ? 'original' : 'file';
        return [Number(id), { kind }] as const;
      });
      const [before = lastBuild] = Object.values(recalled);
      const used = lastBuild.assets.size > 0 ? lastBuild.assets : new Map(kept);
      if (options.mode === 'build' && used.size > 0 && before.pixels !== pixelVersion)
        options.onFinding(finding('notice', 'renditions-renewed', undefined));
      const check = async ([id, { kind }]: readonly [number, { readonly kind: SourceKind }]) => {
        if (presentVersion(access, id, kind)) await checkAsset(checks, id, kind);
      };
      await Promise.all([settleAll([...used], check, onProgress), records?.prepare(used.keys())]);
      lastBuild.compare((id, kind) => presentVersion(access, id, kind));
      if (options.mode === 'build') await lastBuild.begin();
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
    // For HTML that is kept for later pages.
    keep: keepSources.bind(undefined, checks),
    isCurrent: isCurrent.bind(undefined, checks),
    /** Call after a build. Writes every catalogued rendition that the built files name. */
    async emit(request: EmitRequest) {
      const onWritten = () => {
        hasEnded = true;
      };
      const site = { access, bytes, onPages, guard, options, changedCrops, onWritten };
      const findings = await emitRenditions(site, request);
      return [...findings, ...comparisons.takeFindings(), ...(records?.findings() ?? [])];
    },
    /** Call after `emit`. */
    reviewCrops: reviewCrops.bind(undefined, access, changedCrops),
    /** What the pages of this build depend on in its assets. Call after `save`. */
    digests: () => digestAssets(checks, asked),
    /** The rendition that a URL names; `undefined` if no component has issued it. */
    issuedRendition(address: RenditionAddress): Rendition | undefined {
      const entry = store.facts(address.id).issued[renditionKey(address)];
      return entry?.as === 'rendition' ? entry : undefined;
    },
    counts: () => ({
      assets: onPages.shown.size,
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
      for (const [id, issued] of used) onPages.ask(id, kindOf(issued));
      if (!hasCredentials) return;
      await store.save();
      // Written last: after a kill, the next build finds more changes, not fewer.
      if (hasEnded) await lastBuild.save(used);
    },
  };
}
