import { isMediaAssetError } from '../errors.ts';
import type { MediaService } from '../service/media-service.ts';
import { ServiceError } from '../service/service-error.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { mayMove } from './may-move.ts';
import { type Orientation, orientationBytes, readOrientation } from './read-orientation.ts';
import { isRefusal } from './refused-asset.ts';
import { sniffedBytes } from './sniff-bytes.ts';
import type { PictureReference } from './source.ts';
import type { Sources } from './sources.ts';

/** What a look at an original has told. */
export interface Look {
  /** Whether EXIF turns it; `undefined` where that cannot be found out, or was not asked. */
  readonly orientation: Orientation | undefined;
  /** Whether it has several frames. */
  readonly moves: boolean;
}

/** @returns `undefined` where the original is not to be had, or nothing that renditions are made from */
export type LookAtOriginal = (
  reference: PictureReference,
  /** Fewer bytes tell whether it moves than whether it is turned. */
  asked: { orientation: boolean },
) => Promise<Look | undefined>;

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

  async function headOf(id: number, first: number): Promise<Buffer | undefined> {
    const options = { first, signal: breaker.signal };
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

  return async (reference, asked) => {
    try {
      if (!sources.isAsked(reference) && !(await sources.cached(reference))) {
        const head = await headOf(
          reference.id,
          asked.orientation ? orientationBytes : sniffedBytes,
        );
        const look = head && (await lookAtHead(head, asked));
        if (look) return look;
      }
      const source = await sources.get(reference);
      if (source.kind === 'svg') return { orientation: 'upright', moves: false };
      return { orientation: source.turned ? 'turned' : 'upright', moves: source.animated };
    } catch (thrown) {
      if (isNotToBeHad(thrown)) return undefined;
      throw thrown;
    }
  };
}

/** `undefined` where the head does not tell all that is asked. */
async function lookAtHead(
  head: Buffer,
  asked: { orientation: boolean },
): Promise<Look | undefined> {
  if (mayMove(head)) return undefined;
  if (!asked.orientation) return { orientation: undefined, moves: false };
  const orientation = await readOrientation(head);
  if (orientation === 'undecodable') return { orientation: undefined, moves: false };
  return orientation && { orientation, moves: false };
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
