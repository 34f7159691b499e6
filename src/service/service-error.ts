import { type Code, MediaAssetError } from '../errors.ts';

/** An error of a call to the service. */
export class ServiceError extends MediaAssetError {
  /** The HTTP status of the answer, if there was one. */
  readonly status: number | undefined;
  /**
   * What the request may have done there: `none` where it never arrived or was refused (a refused
   * connection, 429, other 4xx), `unknown` where it may have been carried out (5xx, a lost answer,
   * an answer that fits nothing).
   */
  readonly effect: 'none' | 'unknown';

  constructor(
    code: Code,
    text: { message: string; hint: string },
    answer: { status?: number | undefined; effect: 'none' | 'unknown' },
    options?: ErrorOptions,
  ) {
    super(code, text, options);
    this.status = answer.status;
    this.effect = answer.effect;
  }

  /** Whether the service could not be reached, limited us or failed: a matter of time, not of the request. */
  get temporary(): boolean {
    return (
      this.code === 'service-unreachable' ||
      this.code === 'service-limited' ||
      this.code === 'service-failed'
    );
  }
}
