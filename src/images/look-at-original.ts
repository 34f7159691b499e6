import { isMediaAssetError } from '../errors.ts';
import type { MediaService } from '../service/media-service.ts';
import { ServiceError } from '../service/service-error.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { type Orientation, orientationBytes, readOrientation } from './read-orientation.ts';
import { isRefusal } from './refused-asset.ts';
import type { PictureReference } from './source.ts';
import type { Sources } from './sources.ts';

/** Whether EXIF turns the original of an asset; `undefined` where that cannot be found out. */
export type LookAtOriginal = (reference: PictureReference) => Promise<Orientation | undefined>;

/** After so many failures in a row, no more heads are asked for. */
const failuresInARow = 2;

/**
 * Looks at an original in the cache, else at the head of it at the service, else at all of it: where
 * the head does not tell, or the service does not give it. A refused head says nothing of the asset,
 * whose crops the service may give all the same.
 *
 * The looks throw what the client and the sources throw.
 */
export function createLookAtOriginal({
  service,
  sources,
}: {
  service: MediaService;
  sources: Sources;
}): LookAtOriginal {
  const breaker = createCircuitBreaker(failuresInARow);

  async function headOf(id: number): Promise<Buffer | undefined> {
    const options = { first: orientationBytes, signal: breaker.signal };
    try {
      const answer = await service.files.original(id, options);
      if (answer.status === 'unchanged') throw new Error('No condition was set.');
      const head = Buffer.from(await new Response(answer.body).arrayBuffer());
      breaker.succeeded();
      return head;
    } catch (thrown) {
      if (!(thrown instanceof ServiceError)) throw thrown;
      if (thrown.temporary) breaker.failed(thrown);
      if (thrown.temporary || isRefusal(thrown)) throw thrown;
      return undefined;
    }
  }

  return async (reference) => {
    try {
      if (!sources.isAsked(reference) && !(await sources.cached(reference))) {
        const head = await headOf(reference.id);
        const orientation = head && (await readOrientation(head));
        if (orientation) return orientation === 'undecodable' ? undefined : orientation;
      }
      const { kind, turned } = await sources.get(reference);
      return kind !== 'svg' && turned ? 'turned' : 'upright';
    } catch (thrown) {
      if (isNotToBeHad(thrown)) return undefined;
      throw thrown;
    }
  };
}

/** Whether an original is refused, or nothing that this machine makes pictures from. */
export function isNotToBeHad(thrown: unknown): boolean {
  return isMediaAssetError(
    thrown,
    'request-refused',
    'request-forbidden',
    'download-too-large',
    'download-not-a-picture',
    'picture-too-large',
    'svg-too-large',
  );
}
