import { serviceError } from '../service-error.ts';
import type { DownloadRequest } from '../types.ts';
import { unreachable } from './refusal.ts';
import type { Call, ServiceContext } from './service-context.ts';
import type { TimeLimit } from './time-limit.ts';

/**
 * The body of a download, read no faster than its consumer asks for it. Reading throws
 * `download-corrupt`, `download-too-large`, `service-unreachable`, the reason of the caller's
 * signal, or what `onProgress` throws.
 *
 * Releases its permit at the end, and after `timeLimit` without a read. Otherwise a caller that
 * opens too many downloads before reading one would wait for itself.
 */
export function downloadBody(
  context: ServiceContext,
  call: Call,
  download: {
    readonly body: ReadableStream<Uint8Array>;
    /** In bytes; `undefined` if unknown. */
    readonly size: number | undefined;
    readonly onProgress: DownloadRequest['onProgress'];
    readonly limit: TimeLimit;
    readonly release: () => void;
  },
): ReadableStream<Uint8Array> {
  const { size, onProgress, limit, release } = download;
  const { maxDownloadBytes, timeLimit, downloadTimeLimit, ticks, redactor } = context;
  const reader = download.body.getReader();
  const end = ticks() + downloadTimeLimit;
  let received = 0;
  let unread: NodeJS.Timeout | undefined;

  function finish(): void {
    clearTimeout(unread);
    call.signal?.removeEventListener('abort', finish);
    limit.end();
    release();
  }

  function awaitReader(): void {
    unread = setTimeout(release, timeLimit);
    unread.unref();
  }

  async function next(): Promise<Uint8Array | undefined> {
    limit.start(Math.max(1, Math.min(timeLimit, end - ticks())));
    try {
      const { value } = await reader.read();
      limit.stop();
      return value;
    } catch (thrown) {
      call.signal?.throwIfAborted();
      const { ranOut } = limit;
      if (ranOut !== undefined && ticks() >= end) throw tooSlow();
      throw size !== undefined && ranOut === undefined
        ? truncated(size, redactor.redactError(thrown))
        : unreachable(call, { thrown, ranOut, redactor });
    }
  }

  function truncated(expected: number, cause?: unknown) {
    const details = { what: call.name, problem: `${received} of ${expected} bytes arrived` };
    return serviceError('download-corrupt', details, { effect: 'none', cause });
  }

  function tooSlow() {
    const reason = `the download took longer than ${downloadTimeLimit} ms`;
    const details = { call: call.name, reason };
    return serviceError('service-unreachable', details, { effect: 'none' });
  }

  // A caller that aborts may never read again, so release its permit here.
  call.signal?.addEventListener('abort', finish, { once: true });
  awaitReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(unread);
        try {
          const chunk = await next();
          received += chunk?.byteLength ?? 0;
          if (received > maxDownloadBytes) throw downloadTooLarge(call, maxDownloadBytes);
          if (chunk !== undefined) {
            onProgress?.({ received, size });
            controller.enqueue(chunk);
            return awaitReader();
          }
          if (size !== undefined && received !== size) throw truncated(size);
        } catch (thrown) {
          finish();
          limit.abort();
          throw thrown;
        }
        finish();
        controller.close();
      },
      async cancel(reason) {
        finish();
        // Cancelling fails on a broken connection, which needs no cancelling.
        await reader.cancel(reason).catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

export function downloadTooLarge(call: Call, maxDownloadBytes: number) {
  return serviceError(
    'download-too-large',
    { what: call.name, limit: maxDownloadBytes },
    { effect: 'none' },
  );
}
