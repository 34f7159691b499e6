import { contentDigest } from './content-digest.ts';
import { filenameOf } from './content-disposition.ts';
import { downloadBody, downloadTooLarge } from './download-body.ts';
import type { Download, DownloadRequest } from './media-service.ts';
import { isHtmlType } from './read-answer.ts';
import type { Receive } from './send-call.ts';
import type { Call, ServiceContext } from './service-context.ts';
import { ServiceError, serviceError } from './service-error.ts';

/** The request headers of a download: no content encoding, and its conditions. */
export function downloadHeaders({
  validators: { etag, lastModified } = {},
}: Pick<DownloadRequest, 'validators'>): Record<string, string> {
  return {
    // Bytes are counted against Content-Length, which an encoding would make impossible.
    'accept-encoding': 'identity',
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
  };
}

/** Receives the headers of a download and hands its body on; `release` is called at its end. */
export function receiveDownload(
  context: ServiceContext,
  call: Call,
  {
    release,
    onProgress,
    isPicture,
    takesHtml,
  }: {
    readonly release: () => void;
    readonly onProgress: DownloadRequest['onProgress'];
    /** A custom format; an original can be a file of any kind. */
    readonly isPicture: boolean;
    readonly takesHtml: boolean;
  },
): Receive<Download> {
  return async ({ response, limit }) => {
    limit.stop();
    const { maxDownloadBytes } = context;
    const rules = { maxDownloadBytes, isPicture, takesHtml };
    const received = readHeaders(call, response, rules);
    if (received instanceof ServiceError || received === 'unchanged') {
      limit.end();
      // Nothing of the body is wanted, so nothing is lost where it cannot be cancelled.
      await response.body?.cancel().catch(() => undefined);
      if (received !== 'unchanged') return received;
      release();
      return { status: 'unchanged' };
    }
    const body = downloadBody(context, call, {
      body: response.body ?? new ReadableStream({ start: (controller) => controller.close() }),
      size: received.size,
      digest: contentDigest(response.headers),
      onProgress,
      limit,
      release,
    });
    return { status: 'received', body, ...received };
  };
}

type Headers = Omit<Extract<Download, { status: 'received' }>, 'status' | 'body'>;

function readHeaders(
  call: Call,
  { status, headers }: Response,
  {
    maxDownloadBytes,
    isPicture,
    takesHtml,
  }: {
    maxDownloadBytes: number;
    isPicture: boolean;
    takesHtml: boolean;
  },
): Headers | 'unchanged' | ServiceError {
  const conditional =
    'if-none-match' in call.request.headers || 'if-modified-since' in call.request.headers;
  if (status === 304 && conditional) return 'unchanged';
  if (status !== 200 && status !== 203) {
    const problem = `its status is ${status}`;
    return serviceError(
      'answer-unexpected',
      { call: call.name, problem },
      { status, effect: 'none' },
    );
  }
  const contentType = headers.get('content-type') ?? undefined;
  if (isHtmlType(contentType) && !takesHtml) {
    return serviceError('answer-html', { call: call.name }, { status, effect: 'none' });
  }
  if (isPicture && /[/+]json\b/i.test(contentType ?? '')) {
    const problem = "it is JSON, and no picture (where it has an address: `downloads: 'url'`)";
    return serviceError(
      'answer-unexpected',
      { call: call.name, problem },
      { status, effect: 'none' },
    );
  }
  const size = sizeOf(headers);
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

/** The announced number of bytes, where it counts the bytes that are read. */
function sizeOf(headers: globalThis.Headers): number | undefined {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  const length = headers.get('content-length') ?? '';
  if ((encoding !== '' && encoding !== 'identity') || !/^\d+$/.test(length)) return undefined;
  return Number(length);
}
