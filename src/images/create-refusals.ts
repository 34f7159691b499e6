import type { ServiceError } from '../service/service-error.ts';
import type { PictureCache } from './cacache-picture-cache.ts';
import type { Catalogue } from './catalogue.ts';
import { type RefusedAsset, refusedAssetError } from './refused-asset.ts';

/** The assets that the service has refused in this run. Nobody asks for them again. */
export interface Refusals {
  get(id: number): RefusedAsset | undefined;
  /** @throws `asset-unknown` or `asset-withdrawn` if the asset was refused */
  throwIfRefused(id: number): void;
  /**
   * Withdrawn means gone: nothing of the asset stays in cache or catalogue.
   *
   * @param known whether the asset was in the cache before
   * @throws `asset-unknown` or `asset-withdrawn`, always
   */
  refuse(id: number, cause: ServiceError, known: boolean): Promise<never>;
}

export function createRefusals({
  service,
  cache,
  catalogue,
}: {
  /** The base URL. */
  service: string;
  cache: PictureCache;
  catalogue: Catalogue;
}): Refusals {
  const refusals = new Map<number, RefusedAsset>();
  return {
    get: (id) => refusals.get(id),
    throwIfRefused(id) {
      const refused = refusals.get(id);
      if (refused) throw refusedAssetError(refused, []);
    },
    async refuse(id, cause, known) {
      const { status } = cause;
      const code = known || status !== 404 ? 'asset-withdrawn' : 'asset-unknown';
      const refused = refusals.get(id) ?? { id, code, status, cause };
      // Before anything is deleted: a download that ends later sees it, and deletes its bytes.
      refusals.set(id, refused);
      catalogue.drop(service, id);
      await cache.purge(service, id);
      throw refusedAssetError(refused, []);
    },
  };
}
