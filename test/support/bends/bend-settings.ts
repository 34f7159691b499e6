/**
 * Answers that the interface leaves open. An emulator gives one of them; bends give the others. The
 * first value of each setting is the emulator's own answer.
 */
export interface BendSettings {
  /** Grants that the client may use, separated by commas. Not every client may use `password`. */
  readonly grants: string;
  /** Lifetime of an access token, in seconds. Can be a fraction. */
  readonly tokenLifetime: number;
  /** The path of token requests. */
  readonly tokenPath: '/1/oauth2/token' | '/oauth2/token';
  /** Accepted encoding of token requests. */
  readonly tokenEncoding: 'any' | 'form' | 'json' | 'basic' | 'query';
  /**
   * Refresh token in token answers: always the one from the settings, a new one each time (a used
   * one is refused), an empty text, or none.
   */
  readonly refreshTokens: 'fixed' | 'rotated' | 'empty' | 'none';
  /** Form of `expires_in` in token answers. */
  readonly expiresIn: 'number' | 'text' | 'missing';
  /** Sign of new file and folder IDs. */
  readonly ids: 'positive' | 'negative';
  /**
   * Form of the folder tree: a list in tree order with `depth` and `parent` or only `depth`, a list
   * by ID with only `parent`, or nested `children`.
   */
  readonly folderTree: 'flat-both' | 'flat-depth' | 'flat-parent' | 'nested';
  /** Whether the folder tree is an array, or in the field `folders` of an object. */
  readonly folderTreeAnswer: 'bare' | 'wrapped';
  /** Whether file lists and search results are arrays, or in the field `files` of an object. */
  readonly fileListAnswer: 'bare' | 'wrapped';
  /** Names of the fields that entries of file lists can have, separated by commas; all if it's empty. */
  readonly listedFields: string;
  /** Names of the fields whose texts are JSON, and are answered as objects or arrays. */
  readonly jsonFields: string;
  /** Whether requests name fields as answers do, or in lower case. */
  readonly fieldNames: 'as answered' | 'lower case';
  /**
   * Paging of file lists and search results: none, by `page` (from 1), by `offset` (from 0), or by
   * a link to the next page. The link is the field `next`, or a `Link` header for an array.
   */
  readonly paging: 'none' | 'page' | 'offset' | 'next';
  /** Maximum number of files or usages on a page. */
  readonly pageSize: number;
  /** Whether the service ever processes a file. */
  readonly processes: 'all' | 'none';
  /** Names of an upload's and update's file name, size and folder, separated by commas. */
  readonly uploadNames: string;
  /** Whether one file's record, and uploads and updates, answer with it or with an array of one. */
  readonly fileRecord: 'object' | 'array';
  /** Whether a second report of the same usage overwrites the first record or adds another. */
  readonly usages: 'overwrite' | 'append';
  /** Which records of an asset a removal matches. */
  readonly removalMatches: 'page' | 'page-project' | 'all-fields';
  /** Whether a removal deletes all matching records or only the oldest. */
  readonly removalTakes: 'all' | 'first';
  /**
   * Status for a removal that matches no record. Other than 200, an ID without a matching record
   * counts as a bad ID of its batch.
   */
  readonly removalOfNothing: 200 | 400 | 404 | 409 | 410 | 422;
  /** Whether a bad ID refuses its whole batch, or the other IDs are done. The status is the same. */
  readonly batches: 'whole' | 'part';
  /** Body of the answer to a usage request. With `html`, the request has no effect. */
  readonly usageAnswer: 'json' | 'empty' | 'text' | 'html';
  /** An asset's usages as an array, in an object, in objects that link to the next, or not at all. */
  readonly usageList: 'bare' | 'wrapped' | 'paged' | 'missing';
  /** Form of a listed usage: with `url` and `publishDate`, or with the fields of a usage request. */
  readonly usageRecord: 'flat' | 'posted';
  /** Whether one file's record can be read with `GET /1/file/{id}`. */
  readonly recordCall: 'offered' | 'missing';
  /** Form of the `uploadURL`. On the other host it's signed instead of with a token. */
  readonly uploadUrl: 'absolute' | 'relative' | 'other-host';
  /** Answers downloads without a token, like a public gateway. */
  readonly openDownloads: boolean;
  /** Answer to a download: its bytes, a redirect to the second host, or JSON with that `url`. */
  readonly downloads: 'bytes' | 'redirect' | 'json';
  /** Validators of downloads. */
  readonly validators: 'both' | 'etag' | 'last-modified' | 'none';
  /**
   * Meaning of `w` and `h` in a custom format: the crop's size, or with `corners` the output size.
   * Then the opposite corner is `x2` and `y2`, by default the image's end. Both corners count pixels
   * of an image of size `sw` × `sh`, by default of the image itself.
   */
  readonly customFormat: 'size' | 'corners';
  /** Whether crops count pixels as displayed (after EXIF orientation) or as stored. */
  readonly cropPixels: 'displayed' | 'stored';
  /** Whether a crop that reaches outside the image is refused or clamped. */
  readonly cropOutside: 'refused' | 'clamped';
}

export const bendDefaults: BendSettings = {
  grants: 'authorization_code,refresh_token,password',
  tokenLifetime: 3600,
  tokenPath: '/1/oauth2/token',
  tokenEncoding: 'any',
  refreshTokens: 'fixed',
  expiresIn: 'number',
  ids: 'positive',
  folderTree: 'flat-both',
  folderTreeAnswer: 'bare',
  fileListAnswer: 'bare',
  listedFields: '',
  jsonFields: '',
  fieldNames: 'as answered',
  paging: 'none',
  pageSize: 100,
  processes: 'all',
  uploadNames: 'filename,size,folder',
  fileRecord: 'object',
  usages: 'overwrite',
  removalMatches: 'page',
  removalTakes: 'all',
  removalOfNothing: 200,
  batches: 'whole',
  usageAnswer: 'json',
  usageList: 'bare',
  usageRecord: 'flat',
  recordCall: 'offered',
  uploadUrl: 'absolute',
  openDownloads: false,
  downloads: 'bytes',
  validators: 'both',
  customFormat: 'size',
  cropPixels: 'displayed',
  cropOutside: 'refused',
};
