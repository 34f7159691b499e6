import pLimit from 'p-limit';
import { text } from '../config/option-values.ts';
import { authorizationUrl, readCallback } from './auth/sign-in.ts';
import { type Grant, readTokenAnswer, tokenRequest } from './auth/token-request.ts';
import { createTokenSource } from './auth/token-source.ts';
import { checkArgument, checkRequest } from './calls/check-argument.ts';
import * as fileCalls from './calls/file-calls.ts';
import { filesCall, listFiles, searchCall } from './calls/list-files.ts';
import type { PagingMemory } from './calls/page-through.ts';
import { readFolders, treeCall } from './calls/read-folders.ts';
import { listUsages, usageCall } from './calls/usage-calls.ts';
import { type Reader, receiveAnswer } from './http/receive-answer.ts';
import { downloadHeaders, receiveDownload } from './http/receive-download.ts';
import { throwIfEnded } from './http/refusal.ts';
import { backoff, isRetried } from './http/retry-table.ts';
import { sendCall } from './http/send-call.ts';
import { type Call, createContext } from './http/service-context.ts';
import { type DownloadRequest, downloadRequest, signalRequest } from './requests.ts';
import { ServiceError, withEffect } from './service-error.ts';
import { type MediaServiceOptions, readServiceOptions } from './service-options.ts';
import type { Download, MediaService } from './types.ts';

/**
 * Creates a client for one Media Asset Service. Its calls share tokens, the concurrency limit, and
 * the pauses that rate limits ask for.
 *
 * @throws `options-invalid`; its calls throw `ServiceError`
 */
export function createMediaService(input: MediaServiceOptions): MediaService {
  const options = readServiceOptions(input);
  const { baseUrl, authUrl = baseUrl } = options;
  const { clientId, clientSecret, credentials } = options;
  const { kind, username: _, state: __, ...secrets }: Record<string, string> = credentials;
  const context = createContext(options, [clientSecret, ...Object.values(secrets)]);
  const acquire = createSemaphore(options.concurrency);
  const ofFolders: PagingMemory = { whole: 0 };
  const ofSearches: PagingMemory = { whole: 0 };
  const ofUsages: PagingMemory = { whole: 0 };
  const tokens = createTokenSource({ ...options, ...context, request: requestToken });

  /** Runs outside the semaphore, because calls with a permit may be waiting for the token. */
  async function requestToken(grant: Grant) {
    const request = tokenRequest(options, grant);
    context.redactor.add(request.headers.authorization?.replace('Basic ', '') ?? '');
    // The query can hold secrets.
    const name = `the token request (POST ${request.url.replace(/\?.*/s, '')})`;
    const call: Call = { kind: 'token', name, request };
    try {
      const receive = receiveAnswer(context, call, readTokenAnswer);
      return await sendCall(context, call, { receive });
    } catch (thrown) {
      // The call that needs the token was never sent.
      throw thrown instanceof ServiceError ? withEffect(thrown, 'none') : thrown;
    }
  }

  async function download(
    { asset, url, what }: { asset: number; url: string; what?: 'a crop of ' | 'a preview of ' },
    given?: DownloadRequest,
  ): Promise<Download> {
    const place = 'files.original(), files.customFormat() or files.preview()';
    const request = checkRequest(place, downloadRequest, given);
    const { signal, onProgress, html = false } = request;
    const headers = downloadHeaders(request);
    const name = `${what ?? ''}asset ${asset} (GET ${url})`;
    const wire = { method: 'GET', url, headers } as const;
    const call: Call = { kind: 'download', name, asset, request: wire, signal };
    const release = await acquire(signal);
    try {
      const accepts = what ? 'image' : html ? 'html' : 'file';
      const receive = receiveDownload(context, call, { release, onProgress, accepts });
      return await sendCall(context, call, { tokens, receive });
    } catch (thrown) {
      release();
      throw thrown;
    }
  }

  const readWhole: MediaService['files']['readWhole'] = async (open, read, given) => {
    const { signal } = checkRequest('files.readWhole()', signalRequest, given);
    for (let count = 1; ; count += 1) {
      const opened = await open();
      try {
        return await read(opened);
      } catch (thrown) {
        // What no one reads would hold its place until the time limit. A body that broke off can't be canceled.
        if (opened.status === 'received') opened.body.cancel().catch(() => {});
        const isBroken = thrown instanceof ServiceError && isRetried('download', thrown);
        if (!isBroken || count >= options.attempts) throw thrown;
        await context.sleep(backoff(count, context.random), signal);
      }
    }
  };

  async function ask<T>(call: Call, read: Reader<T>): Promise<T> {
    const release = await acquire(call.signal).catch((thrown) => {
      throwIfEnded(call, 'none');
      throw thrown;
    });
    try {
      const receive = receiveAnswer(context, call, read);
      return await sendCall(context, call, { ...(!call.tokenless && { tokens }), receive });
    } finally {
      release();
    }
  }

  const { lookup, redactor } = context;
  const uploads = { ...options, lookup, redactor, ask };
  const page = { authUrl, clientId };

  return {
    baseUrl,
    clockAhead: context.clockAhead,
    signIn: {
      authorizationUrl: (request) => authorizationUrl(page, request),
      async exchangeCode(answer) {
        const callback = readCallback(page, answer);
        context.redactor.add(callback.code);
        return tokens.signIn(callback);
      },
      async renew(given) {
        const about = { place: 'signIn.renew()', name: 'refreshToken', isSecret: true };
        const refreshToken = checkArgument({ ...about, schema: text }, given);
        context.redactor.add(refreshToken);
        return tokens.exchange(refreshToken);
      },
    },
    folders: {
      tree: async (request) => ask(treeCall(baseUrl, request), readFolders),
      async *files(folderId, request) {
        yield* listFiles(filesCall(baseUrl, folderId, request), ask, ofFolders);
      },
    },
    async *search(query, request) {
      yield* listFiles(searchCall(baseUrl, query, request), ask, ofSearches);
    },
    files: {
      originalUrl: (id) => fileCalls.originalUrl(baseUrl, id),
      customFormatUrl: (id, parameters) => fileCalls.customFormatUrl(baseUrl, id, parameters),
      original: async (id, request) =>
        download({ asset: id, url: fileCalls.originalUrl(baseUrl, id) }, request),
      async customFormat(id, parameters, request) {
        const url = fileCalls.customFormatUrl(baseUrl, id, parameters);
        return download({ asset: id, url, what: 'a crop of ' }, request);
      },
      async preview(id, path, request) {
        const url = fileCalls.previewUrl(baseUrl, { id, path });
        return download({ asset: id, url, what: 'a preview of ' }, request);
      },
      readWhole,
      record: async (id, request) =>
        ask(fileCalls.recordCall(baseUrl, id, request), fileCalls.recordReader(id)),
      async upload(file, metadata, request) {
        // It reads files, which not every runtime has.
        const { uploadFile } = await import('./calls/upload-file.ts');
        return uploadFile(uploads, { file, metadata, request });
      },
      update: async (id, metadata, request) =>
        ask(fileCalls.updateCall(baseUrl, id, { metadata, request }), fileCalls.readRecordAnswer),
    },
    usages: {
      // Section 4 shows no answer. HTML and failures are refused earlier.
      report: async (usage, request) =>
        ask(usageCall(baseUrl, usage, request), () => ({ value: undefined })),
      list: async (id, request) => listUsages(baseUrl, { id, request }, ask, ofUsages),
    },
  };
}

/**
 * Waits for one of a limited number of permits, first come, first served. Returns the function that
 * releases it. A caller that aborts while it waits takes none.
 */
function createSemaphore(permits: number) {
  const limit = pLimit(permits);
  return (signal?: AbortSignal) =>
    new Promise<() => void>((resolve, reject) => {
      const abandon = () => reject(signal?.reason);
      if (signal?.aborted) return abandon();
      signal?.addEventListener('abort', abandon, { once: true });
      void limit(
        () =>
          new Promise<void>((release) => {
            signal?.removeEventListener('abort', abandon);
            if (signal?.aborted) release();
            else resolve(release);
          }),
      );
    });
}
