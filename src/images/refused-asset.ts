import { type MediaAssetError, mediaAssetError } from '../errors.ts';
import { ServiceError } from '../service/service-error.ts';

/** An asset that the service does not give out. */
export interface RefusedAsset {
  readonly id: number;
  readonly code: 'asset-unknown' | 'asset-withdrawn';
  /** The HTTP status of the answer. */
  readonly status: number | undefined;
  readonly cause: ServiceError;
}

const refusals: readonly (number | undefined)[] = [403, 404, 410];

/** Whether the service itself answered a download with a refusal of the asset. */
export function isRefusal(thrown: unknown): thrown is ServiceError {
  return (
    thrown instanceof ServiceError &&
    thrown.isOwnRefusal &&
    (thrown.code === 'request-forbidden' || thrown.code === 'request-refused') &&
    refusals.includes(thrown.status)
  );
}

/** The error for a refused asset, naming the pages that show it. */
export function refusedAssetError(
  { id, code, status, cause }: RefusedAsset,
  pages: readonly string[],
): MediaAssetError {
  return mediaAssetError(code, { assets: [{ id, status, pages }] }, { cause });
}
