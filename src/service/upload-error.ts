import { describe } from '../errors.ts';
import type { Effect } from './service-error.ts';
import { ServiceError } from './service-error.ts';

/** What an upload goes on with: a plain value that can be kept as JSON. Its address is a secret. */
export interface UploadResume {
  /** The asset id of the record, where the service has named it. */
  readonly id?: number | undefined;
  /** Where the content goes. */
  readonly uploadUrl: string;
  /** In bytes, as the record was made for. */
  readonly size: number;
  /** Whether the content is there, so that only the metadata is left. */
  readonly uploaded: boolean;
}

/** An upload that failed after its record was made. */
export class UploadError extends ServiceError {
  // Private, so that whoever prints the error does not print the address.
  readonly #resume: UploadResume;

  constructor(
    code: 'upload-url-refused' | 'upload-incomplete' | 'upload-not-updated',
    failed: {
      text: ReturnType<typeof describe>;
      resume: UploadResume;
      status?: number | undefined;
      effect: Effect;
      cause?: unknown;
    },
  ) {
    const { text, status, effect, cause } = failed;
    super(code, text, { status, effect }, cause === undefined ? {} : { cause });
    this.#resume = failed.resume;
  }

  /** Give it to `files.upload()` to go on without making a second record. */
  get resume(): UploadResume {
    return this.#resume;
  }
}

/** The error of a step that failed with `cause`, once there is a record. */
export function uploadError(
  code: 'upload-incomplete' | 'upload-not-updated',
  { file, resume, cause }: { file: string; resume: UploadResume; cause: unknown },
): UploadError {
  const { status, effect } =
    cause instanceof ServiceError ? cause : { status: undefined, effect: 'unknown' as const };
  const record = recordName(resume);
  const reason = cause instanceof Error ? cause.message : String(cause);
  const text = describe(code, { file, record, reason });
  return new UploadError(code, { text, resume, status, effect, cause });
}

/** The error for an address that gets neither the file nor the token. */
export function uploadUrlRefused({
  file,
  resume,
  target,
  reason,
}: {
  file: string;
  resume: UploadResume;
  /** Fit for a message. */
  target: string;
  reason: string;
}): UploadError {
  const text = describe('upload-url-refused', { file, record: recordName(resume), target, reason });
  return new UploadError('upload-url-refused', { text, resume, effect: 'unknown' });
}

/** A record, as messages name it. */
function recordName({ id }: UploadResume): string {
  return id === undefined ? 'a record without a known id' : `asset ${id}`;
}
