import { type MediaAssetError, mediaAssetError } from '../errors.ts';
import { ServiceError } from './service-error.ts';

/** `library-unknown` in place of an answer that says that there is no such folder or asset. */
export function orMissing(
  thrown: unknown,
  missing: { what: 'folder' | 'asset'; id: number },
): MediaAssetError | unknown {
  const isMissing =
    thrown instanceof ServiceError &&
    thrown.code === 'request-refused' &&
    (thrown.status === 404 || thrown.status === 410);
  return isMissing ? mediaAssetError('library-unknown', missing, { cause: thrown }) : thrown;
}
