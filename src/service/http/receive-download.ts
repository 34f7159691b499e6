import { unescape as decode } from 'node:querystring';
import type { DownloadRequest } from '../requests.ts';
import { ServiceError, serviceError } from '../service-error.ts';
import type { Download } from '../types.ts';
import { excerpt, isHtmlType, isJsonType, readAnswer, statesFailure } from './read-answer.ts';
import { statedFailure, unexpected, unreachable } from './refusal.ts';
import type { Arrival, Receive } from './send-call.ts';
import { type Call, inCall, type ServiceContext } from './service-context.ts';

/** Longer JSON isn't checked for a failure. In characters. */
const maxFailureLength = 64 * 1024;

/** Request headers of a download: no content encoding, and the validators. */
export function downloadHeaders({
  validators: { etag, lastModified } = {},
}: Pick<DownloadRequest, 'validators'>): Record<string, string> {
  return {
    // The bytes are compared with Content-Length, which counts encoded bytes.
    'accept-encoding': 'identity',
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
  };
}

/** `image` refuses JSON and HTML, and `file` refuses HTML. See `refuseMessage` for other text. */
type Accepts = 'image' | 'file' | 'html';

interface Use {
  readonly accepts: Accepts;
  readonly onProgress: DownloadRequest['onProgress'];
  readonly release: () => void;
}

/** Receives the headers of a download and returns its body, which calls `release` at its end. */
export function receiveDownload(context: ServiceContext, call: Call, use: Use): Receive<Download> {
  return async (arrival) => {
    const { response, located, limit, redact } = arrival;
    limit.stop();
    const received = readHeaders(call, response, { ...context, ...use });
    if (received instanceof ServiceError || received === 'unchanged') {
      limit.end();
      await response.body?.cancel().catch(() => undefined);
      if (received !== 'unchanged') return received;
      use.release();
      return { status: 'unchanged' };
    }
    const { size, filename, contentType, validators } = received;
    const body = downloadBody(context, call, { ...arrival, ...use, size });
    const mayBeMessage = !filename && !validators.lastModified && isMessageType(contentType);
    const refuser = mayBeMessage && refuseMessage(call, { contentType, redact });
    const handedOn = refuser ? body.pipeThrough(refuser) : body;
    return { status: 'received', body: handedOn, located, ...received };
  };
}

/** Whether services write error messages in a type. They may write files in it too. */
function isMessageType(contentType: string | undefined): boolean {
  return (
    isJsonType(contentType) ||
    /^\s*(?:text\/plain|(?:text|application)\/xml)\b/i.test(contentType ?? '')
  );
}

/**
 * Passes text without a file name through, but fails at its end if it's an error message: a short
 * text, unless it's JSON that reports no failure. Services name or date the files that they send.
 * An image under a wrong type, such as an SVG as `text/xml`, isn't a message either.
 */
function refuseMessage(
  call: Call,
  { contentType, redact }: { contentType: string | undefined } & Pick<Arrival, 'redact'>,
): TransformStream<Uint8Array> {
  const decoder = new TextDecoder();
  let text = '';
  return new TransformStream({
    transform(chunk, controller) {
      if (text.length <= maxFailureLength) text += decoder.decode(chunk, { stream: true });
      controller.enqueue(chunk);
    },
    flush() {
      if (text.length > maxFailureLength || /\0|<svg\b/.test(text)) return;
      const answer = readAnswer(text, contentType);
      if (answer.kind === 'empty') return;
      if (answer.kind === 'json' && !statesFailure(answer.json, { records: true })) return;
      const said = excerpt(answer, redact);
      throw statedFailure(call, { status: 200, answer: said, effect: 'none' });
    },
  });
}

type Headers = Omit<Extract<Download, { status: 'received' }>, 'status' | 'body' | 'located'>;

function readHeaders(
  call: Call,
  { status, headers }: Response,
  { accepts, maxDownloadBytes }: { accepts: Accepts; maxDownloadBytes: number },
): Headers | 'unchanged' | ServiceError {
  const answer = { status, effect: 'none' } as const;
  const { request } = call;
  const conditional = 'if-none-match' in request.headers || 'if-modified-since' in request.headers;
  if (status === 304 && conditional) return 'unchanged';
  if (status !== 200 && status !== 203)
    return unexpected(call, { problem: `its status is ${status}` }, answer);
  const contentType = headers.get('content-type') ?? undefined;
  if (isHtmlType(contentType) && accepts !== 'html') {
    return serviceError('answer-html', { ...inCall(call) }, answer);
  }
  if (isJsonType(contentType) && accepts === 'image') {
    const problem =
      "it's JSON instead of an image (if it contains a download URL: `downloads: 'url'`)";
    return unexpected(call, { problem }, answer);
  }
  const length = headers.get('content-length') ?? '';
  const size = /^\d+$/.test(length) ? Number(length) : undefined;
  if (size !== undefined && size > maxDownloadBytes) {
    return downloadTooLarge(call, maxDownloadBytes);
  }
  return {
    size,
    contentType,
    filename: filenameOf(headers.get('content-disposition')),
    validators: {
      etag: headers.get('etag') ?? undefined,
      lastModified: headers.get('last-modified') ?? undefined,
    },
  };
}

/** The file name in `Content-Disposition` (RFC 6266, 8187). Not yet safe to use as a path. */
function filenameOf(header: string | null): string | undefined {
  if (header === null || header.length > 4096) return undefined;
  const [, extended] = /;\s*filename\*\s*=\s*utf-8'[^']*'([^\s;"]+)/i.exec(header) ?? [];
  if (extended) return decode(extended);
  const [, quoted, token] =
    /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(header) ?? [];
  return quoted?.replace(/\\(.)/g, '$1') || token || undefined;
}

/**
 * The body of a download, read no faster than its consumer asks for it. Reading throws
 * `download-corrupt`, `download-too-large`, `service-unreachable`, the reason of the caller's
 * signal, or what `onProgress` throws.
 *
 * Releases its permit at the end, and after `timeLimit` without a read. Otherwise a caller that
 * opens too many downloads before reading one would wait for itself.
 *
 * @param size in bytes; `undefined` if unknown
 */
function downloadBody(
  { maxDownloadBytes, timeLimit, downloadTimeLimit, ticks, redactor }: ServiceContext,
  call: Call,
  { response, limit, size, onProgress, release }: Arrival & Use & Pick<Headers, 'size'>,
): ReadableStream<Uint8Array> {
  const reader = response.body?.getReader();
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
    const left = end - ticks();
    limit.start(Math.max(1, Math.min(timeLimit, left)));
    try {
      const part = await reader?.read();
      limit.stop();
      return part?.value;
    } catch (thrown) {
      call.signal?.throwIfAborted();
      const ranOut = limit.ranOut();
      if (ranOut !== undefined && left <= timeLimit) {
        const reason = `the download took longer than ${downloadTimeLimit} ms`;
        throw serviceError('service-unreachable', { ...inCall(call), reason }, { effect: 'none' });
      }
      throw size !== undefined && ranOut === undefined
        ? truncated(size, redactor.redactError(thrown))
        : unreachable(call, { thrown, ranOut, redactor });
    }
  }

  function truncated(expected: number, cause?: unknown) {
    const problem = `${received} of ${expected} bytes arrived`;
    const details = { ...inCall(call), what: call.name, problem };
    return serviceError('download-corrupt', details, { effect: 'none', cause });
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
        await reader?.cancel(reason).catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

function downloadTooLarge(call: Call, maxDownloadBytes: number) {
  const details = { ...inCall(call), what: call.name, limit: maxDownloadBytes };
  return serviceError('download-too-large', details, { effect: 'none' });
}
