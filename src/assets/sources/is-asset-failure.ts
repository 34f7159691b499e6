import { isMediaAssetError, type MediaAssetError } from '../../errors/errors.ts';

/** Failures of one asset; any other concerns all of them. */
const codes = [
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
  'redirect-refused',
  'request-refused',
  'svg-refused',
] as const;

export function isAssetFailure(thrown: unknown): thrown is MediaAssetError {
  return isMediaAssetError(thrown, ...codes);
}
