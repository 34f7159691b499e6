import { type Code, type MediaAssetError, mediaAssetError } from '../errors.ts';
import { ServiceError } from './service-error.ts';

/** `missing` in place of an answer that says that there is no such folder or asset. */
export function orMissing(
  thrown: unknown,
  missing: {
    code: Extract<Code, 'library-folder-unknown' | 'library-asset-unknown'>;
    id: number;
  },
): MediaAssetError | unknown {
  const isMissing =
    thrown instanceof ServiceError &&
    thrown.code === 'request-refused' &&
    (thrown.status === 404 || thrown.status === 410);
  if (!isMissing) return thrown;
  return mediaAssetError(missing.code, { id: missing.id }, { cause: thrown });
}
