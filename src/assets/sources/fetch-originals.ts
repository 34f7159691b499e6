import { isMediaAssetError, type MediaAssetError } from '../../errors/errors.ts';
import type { MediaService } from '../../service/types.ts';
import { fileOf, originalOf } from '../formats/source.ts';
import { openAssetStore } from '../store/asset-store.ts';
import { openLastBuild } from '../store/last-build.ts';
import { isAssetFailure } from './asset-errors.ts';
import { settleAll } from './check-used.ts';
import { createSources } from './sources.ts';

export type FetchedOriginal =
  | { readonly id: number; readonly outcome: 'fetched' | 'present'; readonly size: number }
  | { readonly id: number; readonly outcome: 'failed'; readonly error: MediaAssetError };

/** Opens a service's originals in a cache folder, for work without a network. */
export function openOriginals(opened: {
  service: MediaService;
  cacheDir: string;
  atOnce: number;
  signal: AbortSignal;
}) {
  const { service, cacheDir, atOnce, signal } = opened;
  const clock = Date.now;
  const place = { cacheDir, service: service.baseUrl, clock };
  const store = openAssetStore({ ...place, mode: 'dev' });
  const lastBuild = openLastBuild({ ...place, store });
  const sources = createSources({
    ...{ service, store, mode: 'dev', clock, signal },
    onBackgroundFailure: () => undefined,
  });

  async function fetchOne(id: number): Promise<FetchedOriginal> {
    const image = originalOf(id);
    // Anything except an image is stored unchanged, for `<MediaFile>`.
    const file = fileOf(id);
    const there = (await store.find(image)) ?? (await store.find(file));
    if (there) return { id, outcome: 'present', size: there.size };
    try {
      const { size } = await sources.download(image).catch((error: unknown) => {
        if (!isMediaAssetError(error, 'download-not-a-picture')) throw error;
        return sources.download(file);
      });
      return { id, outcome: 'fetched', size };
    } catch (error) {
      if (!isAssetFailure(error)) throw error;
      return { id, outcome: 'failed', error };
    }
  }

  return {
    /** The IDs of the assets that the last build showed. */
    used: (): number[] => [...lastBuild.assets.keys()],
    /**
     * Downloads missing originals, and doesn't check the others. Ends early with partial results if the
     * signal is aborted. Throws errors that affect all assets.
     */
    async fetch(
      ids: readonly number[],
      onProgress: (done: number) => void,
    ): Promise<FetchedOriginal[]> {
      const found: FetchedOriginal[] = [];
      const one = async (id: number) => {
        if (signal.aborted) return;
        found.push(await fetchOne(id));
        onProgress(found.length);
      };
      const failure = await settleAll(ids, one, { atOnce }).catch((thrown: unknown) => ({
        thrown,
      }));
      await store.save();
      await lastBuild.save(undefined);
      if (failure && !signal.aborted) throw failure.thrown;
      return found.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
    },
  };
}
