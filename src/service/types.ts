import type { StoredTokens } from './auth/token-store.ts';
import type * as requests from './requests.ts';

export type { StoredTokens };

/** A client for one Media Asset Service. Section numbers refer to the service's interface. */
export interface MediaService {
  /** The base URL, without a trailing slash. It identifies the service in ledgers and caches. */
  readonly baseUrl: string;
  /**
   * How far the service's clock is ahead of this machine's, in ms: 0 unless an answer's `Date` was more
   * than a day later.
   */
  clockAhead(): number;
  readonly signIn: {
    /** Returns the URL of the authorization page, to open in a browser (section 5.2, step 1). */
    authorizationUrl(request: requests.AuthorizationRequest): string;
    /**
     * Checks the authorization page's answer and exchanges its code for tokens (section 5.2, step
     * 2). A code works once. With `authorization-code` credentials, the client uses these tokens
     * from then on and saves them in its token store.
     */
    exchangeCode(answer: requests.AuthorizationAnswer): Promise<StoredTokens>;
    /** Returns new tokens for a refresh token that you keep, which may work only once. */
    renew(refreshToken: string): Promise<StoredTokens>;
  };
  readonly folders: {
    /**
     * GET `/1/foldertree` (section 4): the folders that the integration can see, each after its
     * parent. Reads flat lists (with a depth or a parent ID) and nested ones.
     */
    tree(request?: requests.SignalRequest): Promise<Folder[]>;
    /**
     * GET `/1/folder/{id}/files` (section 4): the files of a folder, each once. Requests pages on
     * demand.
     */
    files(folderId: number, request?: requests.FilesRequest): AsyncIterable<FileRecord>;
  };
  /**
   * GET `/1/search/file` (section 4): files of any media type that match a text of 1 to 1000
   * characters. Requests pages on demand.
   */
  search(query: string, request?: requests.ListRequest): AsyncIterable<FileRecord>;
  readonly files: {
    /** The URL of an original, `/1/file/{id}/download/0` (section 4). */
    originalUrl(id: number): string;
    /** The URL of a custom format, `/1/file/{id}/download/-1?…` (section 4). */
    customFormatUrl(id: number, parameters: requests.CustomFormatParameters): string;
    /** GET `/1/file/{id}/download/0` (section 4). */
    original(id: number, request?: requests.DownloadRequest): Promise<Download>;
    /** GET `/1/file/{id}/download/-1` (section 4). */
    customFormat(
      id: number,
      parameters: requests.CustomFormatParameters,
      request?: requests.DownloadRequest,
    ): Promise<Download>;
    /** GET of a path below the base URL: an image that the service makes, which the interface doesn't define. */
    preview(id: number, path: string, request?: requests.DownloadRequest): Promise<Download>;
    /** Opens a download and reads it. Does both again if the body breaks off, as often as `attempts`. */
    readWhole<T>(
      open: () => Promise<Download>,
      read: (download: Download) => Promise<T>,
      request?: requests.SignalRequest,
    ): Promise<T>;
    /**
     * GET `/1/file/{id}?fields=…`: the record of one file. The interface doesn't define this call, but
     * some services offer it.
     */
    record(id: number, request?: requests.RecordRequest): Promise<FileRecord>;
    /**
     * POST `/1/file`, then POST to its `uploadURL` (section 4): streams a file to the service, then
     * sets its metadata if `metadata.fields` is given. Never retries a request that could create a
     * second record. If a later step fails, the error names the record.
     */
    upload(
      file: requests.UploadFile,
      metadata: requests.UploadMetadata,
      request?: requests.UploadRequest,
    ): Promise<Uploaded>;
    /**
     * PUT `/1/file/{id}` (section 4): changes the given metadata fields, named as in the service.
     * Returns the record if the service sends it back.
     */
    update(
      id: number,
      metadata: requests.FileMetadata,
      request?: requests.SignalRequest,
    ): Promise<FileRecord | undefined>;
  };
  readonly usages: {
    /**
     * POST `/1/files/multiple/usages` (sections 2.1 and 4): reports or removes a usage of each ID.
     */
    report(usage: requests.Usage, request?: requests.UsageRequest): Promise<void>;
    /**
     * GET `/1/file/{id}/usage?fields=any`: all usages of an asset. The interface doesn't define
     * this call, but some services offer it. Follows links to further pages, and throws
     * `answer-unexpected` if the service has more usages but no link to them, or if one can't be read.
     */
    list(id: number, request?: requests.SignalRequest): Promise<UsageRecord[]>;
  };
}

/** A folder of the tree (section 2.4). */
export interface Folder {
  readonly id: number;
  readonly name: string | undefined;
  /** 0 for a root folder. */
  readonly depth: number;
  /** `undefined` for a root folder, or if the parent isn't visible to the integration. */
  readonly parentId: number | undefined;
  /** IDs of the subfolders, in the order of the service. */
  readonly children: readonly number[];
  /** The record as received, without its subfolders. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A file as listed by the service (section 2.4). */
export interface FileRecord {
  /** The asset ID. */
  readonly id: number;
  readonly name: string | undefined;
  readonly filename: string | undefined;
  /** The record as received. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export type Download =
  | { readonly status: 'unchanged' }
  | {
      readonly status: 'received';
      /**
       * The bytes. Read them to the end or cancel: until then, the download counts toward
       * `concurrency`. Each read has the limit `timeLimit`, and fails with:
       * - `download-corrupt` if fewer bytes arrive than announced
       * - `download-too-large` past `maxDownloadBytes`
       * - `service-unreachable` if no more bytes arrive
       * - `request-refused` if the body is an error message: plain text, XML or failing JSON
       *   without a file name or `Last-Modified`
       */
      readonly body: ReadableStream<Uint8Array>;
      /** Whether the service answered with JSON that holds the URL of the bytes. */
      readonly located: boolean;
      /** In bytes; `undefined` if the service doesn't send it. */
      readonly size: number | undefined;
      readonly contentType: string | undefined;
      /** As sent by the service (`Content-Disposition`). Not safe to use as a path. */
      readonly filename: string | undefined;
      readonly validators: requests.Validators;
    };

/** A usage as listed by the service. */
export interface UsageRecord {
  /** Empty for a use that no page shows, such as in print. */
  readonly page: string;
  readonly pageName: string | undefined;
  readonly project: string | undefined;
  readonly contact: string | undefined;
  readonly description: string | undefined;
  readonly date: string | undefined;
  readonly amount?: string | undefined;
  readonly types?: readonly string[] | undefined;
}

export interface Uploaded {
  /** The asset ID; `undefined` if no answer of the service includes it. */
  readonly id: number | undefined;
}
