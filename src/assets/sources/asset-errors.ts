import { isMediaAssetError, MediaAssetError } from '../../errors/errors.ts';
import type { AssetSubject } from '../../errors/place.ts';
import { at } from '../../errors/wording.ts';
import { ServiceError } from '../../service/service-error.ts';

/** Failures of one asset. Any other failure affects all assets. */
export const assetFailures = [
  ...(['asset-forbidden', 'asset-unknown', 'asset-withdrawn', 'crop-refused'] as const),
  ...(['download-not-a-picture', 'download-too-large', 'file-empty', 'file-guarded'] as const),
  ...(['file-is-picture', 'image-colors', 'picture-too-large'] as const),
  ...(['record-invalid', 'redirect-refused', 'request-refused', 'svg-refused'] as const),
];

/** Whether the site can't show an asset and may be published without it. */
export function isUnavailable(thrown: unknown): thrown is MediaAssetError {
  return isMediaAssetError(thrown, 'asset-forbidden', 'asset-unknown', 'asset-withdrawn');
}

/** Failures whose message names the asset as the source that was read. */
const sourceFailures = [
  'download-not-a-picture',
  'file-empty',
  'image-colors',
  'picture-too-large',
] as const;

/** The same error with the page, the place and the asset, unless it has them. */
export function atPage(thrown: unknown, subject: AssetSubject): unknown {
  if (!(thrown instanceof MediaAssetError)) return thrown;
  if (thrown.page ?? thrown.place ?? thrown.caller) return thrown;
  const { code, message, hint, asset, details } = thrown;
  const isNamed = asset === subject.id || isMediaAssetError(thrown, ...sourceFailures);
  const named = isNamed ? '' : `asset ${subject.id}: `;
  const { id, ...asked } = subject;
  const text = { hint, message: `${at(subject)}${named}${message}` };
  return new MediaAssetError(code, { ...asked, asset: id, details, ...text }, { cause: thrown });
}

/**
 * Whether the service can't be reached, can't be used without credentials, or something in front of it
 * answers: an HTML page, or another host's refusal.
 */
export function isOutage(thrown: unknown): thrown is ServiceError {
  if (!(thrown instanceof ServiceError)) return false;
  const { code } = thrown;
  if (code === 'answer-html' || code === 'service-not-configured') return true;
  const isRefused = code === 'request-forbidden' || code === 'request-refused';
  return isRefused ? !thrown.isOwnRefusal : thrown.temporary;
}
