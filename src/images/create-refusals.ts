import type { ServiceError } from '../service/service-error.ts';
import type { PictureCache } from './cacache-picture-cache.ts';
import type { Catalogue } from './catalogue.ts';
import { type RefusedAsset, refusedAssetError } from './refused-asset.ts';

/** The assets that the service has refused. While that holds, nobody asks for them again. */
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
  holds,
  clock,
}: {
  /** The base URL. */
  service: string;
  cache: PictureCache;
  catalogue: Catalogue;
  /** How long a refusal is taken for the service's last word, in ms. */
  holds: number;
  clock: () => number;
}): Refusals {
  const refusals = new Map<number, RefusedAsset & { readonly at: number }>();

  function get(id: number): RefusedAsset | undefined {
    const refused = refusals.get(id);
    return refused && Math.abs(clock() - refused.at) < holds ? refused : undefined;
  }

  return {
    get,
    throwIfRefused(id) {
      const refused = get(id);
      if (refused) throw refusedAssetError(refused, []);
    },
    async refuse(id, cause, known) {
      const { status } = cause;
      // An earlier refusal has deleted all that shows that the asset was known.
      const earlier = refusals.get(id)?.code ?? 'asset-unknown';
      const code = known || status !== 404 ? 'asset-withdrawn' : earlier;
      const refused = get(id) ?? { id, code, status, cause };
      // Before anything is deleted: a download that ends later sees it, and deletes its bytes.
      refusals.set(id, { ...refused, at: clock() });
      catalogue.drop(service, id);
      await cache.purge(service, id);
      throw refusedAssetError(refused, []);
    },
  };
}
