import type { StreamedBody } from './service-context.ts';
import type { UploadSource } from './upload-source.ts';

/** How far an upload has come, in bytes. After a repeated attempt `sent` begins anew. */
export interface UploadProgress {
  readonly sent: number;
  readonly size: number;
}

/**
 * The body of an upload, read as fast as the network takes it and not ahead of it. What
 * `onProgress` throws ends the upload, as does what the source throws.
 */
export function uploadBody(
  source: UploadSource,
  onProgress: ((progress: UploadProgress) => void) | undefined,
): StreamedBody {
  let failure: unknown;
  return {
    get failure() {
      return failure;
    },
    get repeatable() {
      return source.repeatable && failure === undefined;
    },
    open(onRead) {
      let parts: AsyncGenerator<Uint8Array> | undefined;
      let sent = 0;
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            try {
              parts ??= source.read();
              const { value } = await parts.next();
              onRead();
              if (value === undefined) return controller.close();
              sent += value.byteLength;
              controller.enqueue(value);
              onProgress?.({ sent, size: source.size });
            } catch (thrown) {
              failure = thrown;
              throw thrown;
            }
          },
          async cancel() {
            await parts?.return(undefined);
          },
        },
        { highWaterMark: 0 },
      );
    },
  };
}
