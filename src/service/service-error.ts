import { type Code, describe, MediaAssetError, mediaAssetError } from '../errors/errors.ts';

/**
 * What a request may have changed in the service. `none`: it never arrived, or it was refused (429
 * or another 4xx). `unknown`: it may have been carried out (5xx, timeout, lost or odd answer).
 */
export type Effect = 'none' | 'unknown';

const temporaryCodes = [
  ...['service-unreachable', 'service-limited', 'service-failed', 'call-ended', 'download-corrupt'],
];

type ErrorFacts = Pick<ServiceError, 'effect'> &
  Partial<Pick<ServiceError, 'status' | 'answer' | 'isOwnRefusal' | 'wasIdle' | 'cause'>>;

export class ServiceError extends MediaAssetError {
  readonly status: number | undefined;
  /** What the call may have changed in the service, over all attempts. */
  readonly effect: Effect;
  /** The service's own words: an excerpt of its answer. Empty without one. */
  readonly answer: string;
  /**
   * Whether the service itself refused the call. `false` for an HTML page, because any gateway can
   * send one, and for a host that a redirect led to.
   */
  readonly isOwnRefusal: boolean;
  /** Whether the service closed an idle connection instead of answering the last attempt. */
  readonly wasIdle: boolean;

  constructor(code: Code, text: ReturnType<typeof describe>, answer: ErrorFacts) {
    super(code, text, answer.cause === undefined ? {} : { cause: answer.cause });
    this.status = answer.status;
    this.effect = answer.effect;
    this.answer = answer.answer ?? '';
    this.isOwnRefusal = answer.isOwnRefusal ?? false;
    this.wasIdle = answer.wasIdle ?? false;
  }

  /** Whether the same request may succeed later. */
  get temporary(): boolean {
    return temporaryCodes.includes(this.code);
  }
}

export function serviceError<C extends Code>(
  code: C,
  details: Parameters<typeof describe<C>>[1],
  answer: ErrorFacts,
): ServiceError {
  return new ServiceError(code, describe(code, details), answer);
}

/** For `catch`: `undefined` instead of one of our errors. An outage proves nothing, so it's thrown. */
export function unlessTemporary(thrown: unknown): undefined {
  const isTemporary = thrown instanceof ServiceError && thrown.temporary;
  if (isTemporary || !(thrown instanceof MediaAssetError)) throw thrown;
}

/** The same error with the effect of all attempts, or of the call that it ended. */
export function withEffect(error: ServiceError, effect: Effect): ServiceError {
  if (error.effect === effect) return error;
  return new ServiceError(error.code, error, { ...error, effect, cause: error.cause });
}

/** Whether the answer was "not found". */
export function isMissing(thrown: unknown): boolean {
  const { code, status } = thrown instanceof ServiceError ? thrown : {};
  return code === 'request-refused' && (status === 404 || status === 410);
}

/** Throws `library-unknown` for "not found", and any other error as it is. */
export function orMissing(missing: { what: 'folder' | 'asset'; id: number }) {
  return (thrown: unknown): never => {
    if (!isMissing(thrown)) throw thrown;
    throw mediaAssetError('library-unknown', missing, { cause: thrown });
  };
}
