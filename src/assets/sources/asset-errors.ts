import { isMediaAssetError, MediaAssetError } from '../../errors/errors.ts';
import { ServiceError } from '../../service/service-error.ts';

/** Failures of one asset. Any other failure affects all assets. */
const assetFailures = [
  'asset-forbidden',
  'asset-unknown',
  'asset-withdrawn',
  'crop-refused',
  'download-not-a-picture',
  'download-too-large',
  'file-empty',
  'file-guarded',
  'file-is-picture',
  'file-too-large',
  'picture-too-large',
  'record-invalid',
  'redirect-refused',
  'request-refused',
  'svg-refused',
] as const;

/** Whether the site can't show an asset and may be published without it. */
export function isUnavailable(thrown: unknown): thrown is MediaAssetError {
  return isMediaAssetError(thrown, 'asset-forbidden', 'asset-unknown', 'asset-withdrawn');
}

export function isAssetFailure(thrown: unknown): thrown is MediaAssetError {
  return isMediaAssetError(thrown, ...assetFailures);
}

/** The same error with a message that names the page and the asset. */
export function atPage(
  thrown: unknown,
  { page, id }: { readonly page: string; readonly id: number },
): unknown {
  if (!(thrown instanceof MediaAssetError) || thrown.code === 'asset-forbidden') return thrown;
  const { code, message, hint } = thrown;
  if (message.startsWith(`${page}: `)) return thrown;
  const asset = new RegExp(`\\basset ${id}\\b`).test(message) ? '' : `asset ${id}: `;
  const text = { message: `${page}: ${asset}${message}`, hint };
  return new MediaAssetError(code, text, { cause: thrown });
}

/**
 * Whether the service can't be reached, can't be used without credentials, or something in front of it
 * answers: an HTML page, or another host's refusal.
 */
export function isOutage(thrown: unknown): thrown is ServiceError {
  if (!(thrown instanceof ServiceError)) return false;
  switch (thrown.code) {
    case 'answer-html':
    case 'service-not-configured':
      return true;
    case 'request-forbidden':
    case 'request-refused':
      return !thrown.isOwnRefusal;
    default:
      return thrown.temporary;
  }
}
