import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { functionArgument } from './calls/check-argument.ts';
import { isLoopbackHost } from './http/addresses.ts';

/** The requests of the client's methods. Schemas check what callers pass. */

const signal = z
  .custom<AbortSignal>((value) => value instanceof AbortSignal, 'expected an AbortSignal')
  .optional();

export const signalRequest = z.strictObject({ signal });
export type SignalRequest = Readonly<z.input<typeof signalRequest>>;

/** A folder ID. The root folder can be 0. */
export const folderArgument = z.int('expected a folder ID (an integer)');

const fieldName = z
  .string('expected a string')
  .regex(/^[^\p{C}\s,][^\p{C},]{0,99}$/u, 'expected a field name without a comma');

/** The fields that the interface names (section 2.4). */
export const interfaceFields = ['id', 'name', 'filename'] as const;

const fields = z
  .array(fieldName, 'expected a list of field names')
  .min(1, 'expected at least one field name')
  .max(100, 'expected at most 100 field names')
  .readonly()
  .default([...interfaceFields]);

const fieldsRequest = z.strictObject({
  /** Fields of the record. `id` is always requested. @default ['id', 'name', 'filename'] */
  fields,
  signal,
});

export const recordRequest = fieldsRequest.extend({
  /** The locale of its texts, such as `sv_SE`. Some services have texts in several. */
  locale: z
    .string('expected a string')
    .regex(/^[\w-]{1,35}$/, 'expected a locale such as sv_SE')
    .optional(),
});
export type RecordRequest = Readonly<z.input<typeof recordRequest>>;

const limit = (fallback: number) =>
  z.int('expected a positive integer').min(1, 'expected a positive integer').default(fallback);

export const listRequest = z.strictObject({
  ...fieldsRequest.shape,
  /** Maximum number of requests. @default 1000 */
  maxPages: limit(1000),
  /** Maximum number of records. @default 100000 */
  maxRecords: limit(100_000),
});
/** Options of a file list. A list that reaches one of its limits throws `list-unfinished`. */
export type ListRequest = Readonly<z.input<typeof listRequest>>;

export const filesRequest = z.strictObject({
  ...listRequest.shape,
  /** Media type. The interface only shows `any`. @default 'any' */
  type: z.string('expected a string').min(1, 'expected a media type, such as any').default('any'),
  /** Only list files that the service has processed. `false` omits the parameter. @default true */
  processed: z.boolean('expected true or false').default(true),
});
export type FilesRequest = Readonly<z.input<typeof filesRequest>>;

const searchExpected = "expected a string of 1 to 1000 characters that isn't blank";
export const searchText = z
  .string(searchExpected)
  .regex(/^(?!\s*$)\P{Cs}{1,1000}$/su, searchExpected);

export const customFormatParameters = z
  .record(
    z.string().regex(/^[^\p{C}\s]{1,100}$/u, 'expected a parameter name'),
    z.union(
      [z.number(), z.string().max(1000)],
      'expected a finite number or a string of up to 1000 characters',
    ),
    'expected an object of parameters',
  )
  .refine((given) => Object.keys(given).length <= 100, 'expected at most 100 parameters');
/** Query parameters of a custom format, sent in this order: `x1`, `y1`, `w`, `h` and others. */
export type CustomFormatParameters = Readonly<z.input<typeof customFormatParameters>>;

/** A value for an Authorization header: visible ASCII. */
export const headerToken = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'expected visible ASCII characters without spaces');

const headerValue = z
  .string('expected a string')
  .regex(/^[\t\x20-\x7e\x80-\xff]{0,8192}$/, 'expected a valid header value')
  .optional();

const validators = z.strictObject({ etag: headerValue, lastModified: headerValue });
/** HTTP validators of a download. */
export type Validators = Readonly<z.input<typeof validators>>;

/** Download progress, in bytes. */
export interface Progress {
  readonly received: number;
  /** `undefined` if the service doesn't send a size. */
  readonly size: number | undefined;
}

export const downloadRequest = z.strictObject({
  /** Validators of an earlier download, so that the service can answer "unchanged". */
  validators: validators.readonly().optional(),
  signal,
  /** Called for each chunk of the body. If it throws, the download ends. */
  onProgress: functionArgument<(progress: Progress) => void>(),
  /**
   * Accept an HTML file as the original. By default, HTML counts as a sign-in page. @default false
   */
  html: z.boolean('expected true or false').optional(),
});
export type DownloadRequest = Readonly<z.input<typeof downloadRequest>>;

const metadataExpected = 'expected an object of JSON values with at least one field';

/** Metadata fields to change, with the names and JSON values of the service. */
export type FileMetadata = Readonly<Record<string, unknown>>;

/** A plain object that JSON can hold without loss. */
export const fileMetadata = z
  .record(z.string(), z.unknown(), metadataExpected)
  .refine((metadata) => Object.keys(metadata).length > 0, metadataExpected)
  .refine(fitsJson, metadataExpected);

function fitsJson(value: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value);
  } catch {
    // A circular reference, a bigint, or nesting deeper than the stack.
    return false;
  }
}

/** The file to upload: its path or its bytes. */
export type UploadFile = string | Uint8Array;

export const uploadedFile = z.custom<UploadFile>(
  (value) => (typeof value === 'string' && value !== '') || value instanceof Uint8Array,
  'expected a path or bytes (Uint8Array)',
);

const nameExpected = 'expected a file name of 1 to 255 characters, without / and \\';

export const uploadMetadata = z.strictObject({
  /** Required for bytes. @default the file name of the path */
  filename: z
    .string(nameExpected)
    .regex(/^(?!\.{1,2}$)[^\p{Cc}\p{Cs}/\\]{1,255}$/u, nameExpected)
    .optional(),
  /** ID of the target folder. */
  folder: folderArgument,
  /** Metadata to set after the upload, as with `files.update()`. */
  fields: fileMetadata.optional(),
});
/** Details of the upload for the service. The size is sent automatically. */
export type UploadMetadata = Readonly<z.input<typeof uploadMetadata>>;

/** Upload progress, in bytes. `sent` starts again at 0 for each attempt. */
export interface UploadProgress {
  readonly sent: number;
  readonly size: number;
}

export const uploadRequest = z.strictObject({
  onProgress: functionArgument<(progress: UploadProgress) => void>(),
  /** Ends the upload. The error says whether a record was created. */
  signal,
});
export type UploadRequest = Readonly<z.input<typeof uploadRequest>>;

const text = z.string('expected a string');

export const usageArgument = z.object(
  {
    ids: z.array(z.custom<number>(), 'expected a list of asset IDs').readonly(),
    /** Absolute URL of the page. Empty for a use in a project that no page shows. */
    page: text.refine(
      (value) => value === '' || (/^https?:\/\//i.test(value) && URL.canParse(value)),
      'expected an absolute http: or https: URL',
    ),
    pageName: text,
    project: text,
    contact: text,
    description: text,
    /** UTC day of the first report, `YYYY-MM-DD`. */
    date: z.iso.date('expected a day such as 2026-03-31'),
    removed: z.boolean('expected true or false'),
    /** Digits. @default '1' */
    amount: text.regex(/^\d+$/, 'expected digits').default('1'),
    /** Types of publication. @default ['web'] */
    types: z
      .array(text.min(1, 'expected a type such as web'), 'expected a list of types')
      .readonly()
      .default(['web']),
  },
  'expected a usage',
);
/** The usage of every asset in `ids` on one page, or in one project. */
export type Usage = Readonly<z.input<typeof usageArgument>>;

export const usageRequest = z.strictObject({
  /**
   * Ends waits and retries at once, and a request in progress after one second. The call then
   * throws `call-ended`, and its `effect` says whether the service may have acted.
   */
  signal,
  /** Called right before each attempt. If it throws, the call ends. */
  beforeAttempt: functionArgument<() => Promise<void>>(),
});
export type UsageRequest = Readonly<z.input<typeof usageRequest>>;

const redirectExpected =
  'expected an https URL, or an http URL of this machine such as http://127.0.0.1:7777/';
const stateExpected = 'expected a random string of 16 to 1000 visible ASCII characters';

export const authorizationRequest = z.strictObject({
  /** Where the page sends the user back to: an https URL, or an http URL on this machine. */
  redirectUri: z.string(redirectExpected).refine(isRedirectUri, redirectExpected),
  /** A random text of at least 16 characters, used once. The callback must have the same. */
  state: z.string(stateExpected).regex(/^[\x21-\x7e]{16,1000}$/, stateExpected),
});
/** Parameters of the authorization page (section 5.2, step 1). */
export type AuthorizationRequest = Readonly<z.input<typeof authorizationRequest>>;

export const authorizationAnswer = z.strictObject({
  ...authorizationRequest.shape,
  /** The full URL that the user was sent back to. */
  callbackUrl: z.string('expected a URL').refine(URL.canParse, 'expected a URL'),
});
/** The answer of the authorization page. */
export type AuthorizationAnswer = Readonly<z.input<typeof authorizationAnswer>>;

function isRedirectUri(address: string): boolean {
  const url = URL.parse(address);
  if (url === null || address.length > 2000 || url.username || url.password || url.hash)
    return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
}
