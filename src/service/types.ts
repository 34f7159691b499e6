/** What the client of a Media Asset Service can do. Each method names its section of the interface. */
export interface MediaService {
  /** The base URL without a trailing slash, as it names the service in ledgers and caches. */
  readonly baseUrl: string;
  readonly signIn: {
    /** The address of the authorization page, which its user opens in a browser (section 5.2, step 1). */
    authorizationUrl(request: AuthorizationRequest): string;
    /**
     * Checks what the authorization page sent back, and exchanges its code for tokens (section 5.2,
     * step 2), once. With the credentials `authorization-code` the client uses them from then on,
     * and keeps them in its token store if it has one.
     */
    exchangeCode(answer: AuthorizationAnswer, request?: SignalRequest): Promise<StoredTokens>;
  };
  readonly folders: {
    /**
     * GET `/1/foldertree` (section 4): the folders that the integration may see, each after its
     * parent. Reads a flat list with a depth or a parent's id, and nested children.
     */
    tree(request?: TreeRequest): Promise<Folder[]>;
    /**
     * GET `/1/folder/{id}/files` (section 4): the files of one folder, each once, page by page as
     * they are read.
     */
    files(folderId: number, request?: FilesRequest): AsyncIterable<FileRecord>;
  };
  /**
   * GET `/1/search/file` (section 4): the files of any media type that match a text of 1 to 1000
   * characters, page by page as they are read.
   */
  search(query: string, request?: ListRequest): AsyncIterable<FileRecord>;
  readonly files: {
    /** The address of an original, `/1/file/{id}/download/0` (section 4). */
    originalUrl(id: number): string;
    /** The address of a custom format, `/1/file/{id}/download/-1?…` (section 4). */
    customFormatUrl(id: number, parameters: CustomFormatParameters): string;
    /** GET `/1/file/{id}/download/0` (section 4). */
    original(id: number, request?: DownloadRequest): Promise<Download>;
    /** GET `/1/file/{id}/download/-1` (section 4). */
    customFormat(
      id: number,
      parameters: CustomFormatParameters,
      request?: DownloadRequest,
    ): Promise<Download>;
    /**
     * POST `/1/file`, then POST to its `uploadURL` (section 4): uploads a file, read as it is sent,
     * and sets its metadata if `metadata.fields` has any. Nothing is retried that could create a
     * second record; the error of a later step names the record.
     */
    upload(file: UploadFile, metadata: UploadMetadata, request?: UploadRequest): Promise<Uploaded>;
    /**
     * PUT `/1/file/{id}` (section 4): changes the metadata that it is given, in the names of the
     * service. Gives the record where the service answers with it.
     */
    update(
      id: number,
      metadata: FileMetadata,
      request?: SignalRequest,
    ): Promise<FileRecord | undefined>;
  };
  readonly usages: {
    /** POST `/1/files/multiple/usages` (sections 2.1 and 4): reports or removes one usage for every id. */
    report(usage: Usage, request?: UsageRequest): Promise<void>;
    /**
     * GET `/1/file/{id}/usage?fields=any`: not in the interface, offered by services in the wild. All
     * of them, over the links to further pages; `answer-unexpected` where there are more.
     */
    list(id: number, request?: SignalRequest): Promise<UsageRecord[]>;
  };
}

export type TreeRequest = SignalRequest;

/** How a list of files is asked for. Past one of its limits a list ends with `list-unfinished`. */
export interface ListRequest {
  /** Fields of a file record; `id` is asked for in any case. @default ['id', 'name', 'filename'] */
  readonly fields?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Requests that it may take. @default 1000 */
  readonly maxPages?: number | undefined;
  /** @default 100000 */
  readonly maxRecords?: number | undefined;
}

export interface FilesRequest extends ListRequest {
  /** Media type; the interface shows `any`. @default 'any' */
  readonly type?: string | undefined;
  /** Only files that the service has processed; `false` leaves the parameter out. @default true */
  readonly processed?: boolean | undefined;
}

/** A folder of the tree (section 2.4). */
export interface Folder {
  readonly id: number;
  readonly name: string | undefined;
  /** 0 for a root. */
  readonly depth: number;
  /** Undefined for a root, which a folder also is where its parent may not be seen. */
  readonly parentId: number | undefined;
  /** The ids of the folders in it, in the order of the service. */
  readonly children: readonly number[];
  /** The record as it came, without the folders in it. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A file as a list has it (section 2.4). */
export interface FileRecord {
  /** The asset id. */
  readonly id: number;
  readonly name: string | undefined;
  readonly filename: string | undefined;
  /** The record as it came. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Metadata to change, in the names and values of the service: JSON. */
export type FileMetadata = Readonly<Record<string, unknown>>;

/** Query parameters of a custom format, in the order in which they are sent: `x1`, `y1`, `w`, `h` and others. */
export type CustomFormatParameters = Readonly<Record<string, string | number>>;

export interface DownloadRequest {
  /** What an earlier download came with; the service may then answer that nothing has changed. */
  readonly validators?: Validators | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told of each piece of the body as it is read. What it throws ends the download. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Whether an original may be an HTML page; otherwise that is taken for a sign-in wall. @default false */
  readonly html?: boolean | undefined;
}

/** How far a body has come, in bytes. */
export interface Progress {
  readonly received: number;
  /** Undefined where the service does not announce it. */
  readonly size: number | undefined;
}

export interface UsageRequest {
  /**
   * Ends waits and further attempts at once, and what is under way after a second; the call then
   * fails with `call-ended`, whose `effect` says whether the service may have acted.
   */
  readonly signal?: AbortSignal | undefined;
  /** Called right before each attempt goes out; what it throws ends the call. */
  readonly beforeAttempt?: (() => Promise<void>) | undefined;
}

/** The HTTP validators of a download. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

export type Download =
  | { readonly status: 'unchanged' }
  | {
      readonly status: 'received';
      /**
       * The bytes, each read within the time limit. Reading fails with `download-corrupt` when
       * fewer come than were announced, with `download-too-large` past the size limit, with
       * `service-unreachable` when nothing more comes, and with `request-refused` at the end of JSON
       * that states a failure and has no file name. None of these is tried again. Read it to its end
       * or cancel it: until then it counts as one of the calls under way.
       */
      readonly body: ReadableStream<Uint8Array>;
      /** In bytes, where the service announces it. */
      readonly size: number | undefined;
      readonly contentType: string | undefined;
      /** As the service writes it (`Content-Disposition`): not safe as a path. */
      readonly filename: string | undefined;
      readonly validators: Validators;
    };

/** One usage record for one page, for every asset in `ids`. */
export interface Usage {
  readonly ids: readonly number[];
  /** The absolute URL of the page. */
  readonly page: string;
  readonly pageName: string;
  readonly project: string;
  readonly contact: string;
  readonly description: string;
  /** The UTC day of the first report, `YYYY-MM-DD`. */
  readonly date: string;
  readonly removed: boolean;
}

/** A usage as the service lists it. */
export interface UsageRecord {
  readonly page: string;
  readonly pageName: string | undefined;
  readonly project: string | undefined;
  readonly contact: string | undefined;
  readonly description: string | undefined;
  readonly date: string | undefined;
}

/** A request for the authorization page (section 5.2, step 1). */
export interface AuthorizationRequest {
  /** Where the page sends its user: an http address of this machine, with its port. */
  readonly redirectUri: string;
  /** Random, of 16 characters or more, and used once: what comes back must have the same. */
  readonly state: string;
}

/** What came back from the authorization page. */
export interface AuthorizationAnswer extends AuthorizationRequest {
  /** The whole address that the user was sent to. */
  readonly callbackUrl: string;
}

/** The tokens of one sign-in. */
export interface StoredTokens {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** When they were asked for, in ms since the epoch. */
  readonly obtainedAt: number;
  /** When the access token expires, in ms since the epoch; undefined where the service does not say. */
  readonly expiresAt?: number | undefined;
}

/** What is uploaded: the path of a file, its `file:` URL, or its bytes. */
export type UploadFile = string | URL | Uint8Array;

/** What the service is told about a file, besides its size. */
export interface UploadMetadata {
  /** @default the name of the file that a path names; bytes need one */
  readonly filename?: string | undefined;
  /** The id of the folder that the file goes into. */
  readonly folder: number;
  /** Metadata that is changed once the content is there, as by `files.update()`. */
  readonly fields?: FileMetadata | undefined;
}

export interface UploadRequest {
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Ends the upload; the error then says whether there is a record. */
  readonly signal?: AbortSignal | undefined;
}

/** How far an upload has come, in bytes. After a repeated attempt `sent` begins anew. */
export interface UploadProgress {
  readonly sent: number;
  readonly size: number;
}

export interface Uploaded {
  /** The asset id; undefined where no answer of the service names it. */
  readonly id: number | undefined;
}

/** The request of a call that takes a signal only. */
export interface SignalRequest {
  readonly signal?: AbortSignal | undefined;
}
