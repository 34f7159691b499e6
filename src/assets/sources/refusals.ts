import { type MediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import type { Subject } from '../../errors/place.ts';
import { ServiceError } from '../../service/service-error.ts';
import type { MediaService } from '../../service/types.ts';

export interface RefusedAsset {
  readonly id: number;
  readonly code: 'asset-unknown' | 'asset-withdrawn';
  readonly cause: ServiceError;
}

export function refusedAssetError(
  { id, code, cause }: RefusedAsset,
  asked: readonly Subject[],
): MediaAssetError {
  return mediaAssetError(code, { assets: [{ id, reason: cause.status, asked }] }, { cause });
}

export type Refusals = ReturnType<typeof createRefusals>;

/** The assets that the service has refused in this run. They aren't requested again while that holds. */
export function createRefusals(run: {
  service: MediaService;
  /** How long a refusal holds, in ms. */
  holds: number;
  clock: () => number;
}) {
  const { service, holds, clock } = run;
  const refusals = new Map<number, RefusedAsset & { readonly at: number }>();
  let hasGiven = false;

  function get(id: number): RefusedAsset | undefined {
    const refused = refusals.get(id);
    return refused && Math.abs(clock() - refused.at) < holds ? refused : undefined;
  }

  function refusesAll(cause: unknown): Error {
    const ids = [...refusals.keys()].sort((one, other) => one - other);
    return mediaAssetError('service-refuses-all', { service: service.baseUrl, ids }, { cause });
  }

  return {
    get,
    /** Whether the asset was refused earlier in this run, even if the refusal has expired. */
    wasRefused: (id: number) => refusals.has(id),
    throwIfRefused(id: number): void {
      const refused = get(id);
      if (refused) throw refusedAssetError(refused, []);
    },
    /**
     * Throws the error of the asset. Nothing is deleted before `confirmWithdrawals` has succeeded.
     *
     * @param known whether an earlier run has shown the asset
     */
    refuse(id: number, cause: ServiceError, known: boolean): never {
      const code = known || cause.status !== 404 ? 'asset-withdrawn' : 'asset-unknown';
      const refused = get(id) ?? { id, code, cause };
      refusals.set(id, { ...refused, at: clock() });
      throw refusedAssetError(refused, []);
    },
    /** The service has delivered the asset in this run. */
    given(id: number): void {
      hasGiven = true;
      refusals.delete(id);
    },
    /**
     * Decides whether refused assets are withdrawn: the service has delivered another one in this run,
     * or, if only one was requested, it answers a call that isn't a download.
     *
     * @param asked.isOnly whether no other asset was requested without success
     * @returns the withdrawn assets
     */
    async confirmWithdrawals({ isOnly }: { isOnly: boolean }): Promise<readonly number[]> {
      const [only, ...others] = [...refusals.keys()].filter((id) => get(id));
      if (only === undefined) return [];
      if (!hasGiven && (others.length > 0 || !isOnly)) throw refusesAll(refusals.get(only)?.cause);
      if (!hasGiven) {
        await service.folders.tree().catch((thrown: unknown) => {
          throw thrown instanceof ServiceError ? refusesAll(thrown) : thrown;
        });
      }
      return [only, ...others];
    },
  };
}
