import { type Code, describe, MediaAssetError, mediaAssetError } from '../errors/errors.ts';

/**
 * What a request may have done in the service: `none` where it never arrived or was refused (a
 * refused connection, 401, 429, other 4xx), `unknown` where it may have been carried out (5xx, a
 * lost answer, a time-out, an answer that fits nothing).
 */
export type Effect = 'none' | 'unknown';

const temporaryCodes: ReadonlySet<Code> = new Set<Code>([
  'service-unreachable',
  'service-limited',
  'service-failed',
  'call-ended',
]);

interface Answer {
  readonly status?: number | undefined;
  readonly effect: Effect;
  readonly isOwnRefusal?: boolean;
  readonly cause?: unknown;
}

/** An error of a call to the service. */
export class ServiceError extends MediaAssetError {
  /** The HTTP status of the answer, if there was one. */
  readonly status: number | undefined;
  /** What the call may have done there, over all its attempts. */
  readonly effect: Effect;
  /**
   * Whether the service itself refused the call. `false` for an HTML page, which any gateway in front
   * of it can send, and for a host that a redirect led to.
   */
  readonly isOwnRefusal: boolean;

  constructor(code: Code, text: { message: string; hint: string }, answer: Answer) {
    super(code, text, answer.cause === undefined ? {} : { cause: answer.cause });
    this.status = answer.status;
    this.effect = answer.effect;
    this.isOwnRefusal = answer.isOwnRefusal ?? false;
  }

  /** Whether the same request may succeed later. */
  get temporary(): boolean {
    return temporaryCodes.has(this.code);
  }
}

export function serviceError<C extends Code>(
  code: C,
  details: Parameters<typeof describe<C>>[1],
  answer: Answer,
): ServiceError {
  return new ServiceError(code, describe(code, details), answer);
}

/** The same error with another effect: that of all attempts, or of the call that it ended. */
export function withEffect(error: ServiceError, effect: Effect): ServiceError {
  if (error.effect === effect) return error;
  const { code, status, isOwnRefusal, cause } = error;
  return new ServiceError(code, error, { status, effect, isOwnRefusal, cause });
}

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
