import { z } from 'zod';

const secret = (value: string, description: string) =>
  z.string().min(1).max(1000).default(value).describe(description);

/** One of several values. The first one is the default. */
const choice = <const Values extends readonly [string, ...string[]]>(
  values: Values,
  description: string,
) =>
  z
    .enum(values)
    .default(() => values[0] as Values[number])
    .describe(description);

const flag = (description: string) => z.boolean().default(false).describe(description);

/** Grant types of section 5.1. */
export const grantTypes = ['authorization_code', 'refresh_token', 'password'] as const;

const isGrantType = (text: string) => grantTypes.some((type) => type === text);

export const settingsSchema = z.strictObject({
  /** Client ID for sign-in. @default 'emulator' */
  clientId: secret('emulator', 'client ID for sign-in'),
  /** Client secret for sign-in. @default 'emulator-secret' */
  clientSecret: secret('emulator-secret', 'client secret for sign-in'),
  /** User name for the `password` grant, and the author of reported usages. @default 'editor' */
  username: secret('editor', 'user name for sign-in'),
  /** The user's password. @default 'harbour' */
  password: secret('harbour', "the user's password"),
  /** Refresh token for the `refresh_token` grant. @default 'emulator-refresh-token' */
  refreshToken: secret('emulator-refresh-token', 'refresh token that it accepts and returns'),
  /**
   * Grants that the client may use, separated by commas. Not every client may use `password`.
   * @default 'authorization_code,refresh_token,password'
   */
  grants: z
    .string()
    .refine((text) => text.split(',').every(isGrantType), `expected some of ${grantTypes}`)
    .default(grantTypes.join(','))
    .describe('grants that the client may use, separated by commas'),
  /** Lifetime of an access token in seconds. Can be a fraction. @default 3600 */
  tokenLifetime: z
    .number()
    .positive()
    .max(31_536_000)
    .default(3600)
    .describe('lifetime of an access token, in seconds'),
  /**
   * Accepted encoding of token requests.
   * @default 'any'
   */
  tokenEncoding: choice(['any', 'form', 'json', 'query'], 'accepted encoding of token requests'),
  /**
   * Refresh token in token answers: always the one from the settings (`fixed`), a new one each time
   * (`rotated`, a used one is refused), an empty text, or none.
   * @default 'fixed'
   */
  refreshTokens: choice(['fixed', 'rotated', 'empty', 'none'], 'refresh token in token answers'),
  /** Form of `expires_in` in token answers. @default 'number' */
  expiresIn: choice(['number', 'text', 'missing'], 'form of expires_in in token answers'),
  /** Sign of new file and folder IDs. @default 'positive' */
  ids: choice(['positive', 'negative'], 'sign of the IDs of new files and folders'),
  /**
   * Form of the folder tree: a list in tree order with `depth` and `parent` (section 2.4) or only
   * `depth`, a list by ID with only `parent`, or nested `children`.
   * @default 'flat-both'
   */
  folderTree: choice(
    ['flat-both', 'flat-depth', 'flat-parent', 'nested'],
    'form of the folder tree',
  ),
  /**
   * Whether the folder tree is an array, or in the field `folders` of an object.
   * @default 'bare'
   */
  folderTreeAnswer: choice(['bare', 'wrapped'], 'the folder tree as an array, or in an object'),
  /**
   * Whether file lists and search results are arrays, or in the field `files` of an object.
   * @default 'bare'
   */
  fileListAnswer: choice(
    ['bare', 'wrapped'],
    'file lists and search results as an array, or in an object',
  ),
  /**
   * Paging of file lists and search results: none, by `page` (from 1), by `offset` (from 0), or by
   * a link to the next page. The link is the field `next`, or a `Link` header for an array.
   * @default 'none'
   */
  paging: choice(['none', 'page', 'offset', 'next'], 'paging of file lists and search results'),
  /**
   * Maximum number of files or usages on a page. Callers can ask for fewer with `limit`.
   * @default 100
   */
  pageSize: z
    .int()
    .min(1)
    .max(10_000)
    .default(100)
    .describe('maximum number of files or usages on a page'),
  /**
   * Field names for file name, size and folder in uploads and updates, separated by commas.
   * @default 'filename,size,folder'
   */
  uploadNames: z
    .string()
    .regex(/^[A-Za-z_]\w{0,63}(,[A-Za-z_]\w{0,63}){2}$/, 'expected three names, such as a,b,c')
    .refine((text) => new Set(text.split(',')).size === 3, 'expected three different names')
    .default('filename,size,folder')
    .describe("names of an upload's file name, size and folder"),
  /**
   * The fields of every record that the interface doesn't define, separated by commas. Records have all
   * of them, and an update with another field is refused. Without names, any field can be set.
   * @default ''
   */
  fields: z
    .string()
    .regex(
      /^([A-Za-z_][\w.-]{0,63}(,[A-Za-z_][\w.-]{0,63}){0,99})?$/,
      'expected names, such as a,b',
    )
    .default('')
    .describe('fields of every record, separated by commas'),
  /**
   * Form of `uploadURL`: absolute, a path, or on another host, signed instead of with a token.
   * @default 'absolute'
   */
  uploadUrl: choice(['absolute', 'relative', 'other-host'], 'form of the uploadURL'),
  /**
   * Whether one file's record, and uploads and updates, answer with it or with an array of one.
   * @default 'object'
   */
  fileRecord: choice(['object', 'array'], "one file's record as an object, or as an array of one"),
  /**
   * Whether a second report of the same usage overwrites the first record or adds another.
   * @default 'overwrite'
   */
  usages: choice(['overwrite', 'append'], 'effect of reporting a usage twice'),
  /**
   * Which records of an asset a removal matches: those of the page, of the page and project, or
   * with every field equal.
   * @default 'page'
   */
  removalMatches: choice(
    ['page', 'page-project', 'all-fields'],
    'fields that a removal must match',
  ),
  /** Whether a removal deletes all matching records or only the oldest. @default 'all' */
  removalTakes: choice(['all', 'first'], 'how many matching records a removal deletes'),
  /**
   * Status for a removal that matches no record. Other than 200, an ID without a matching record
   * counts as a bad ID of its batch.
   * @default 200
   */
  removalOfNothing: z
    .literal([200, 400, 404, 409, 410, 422])
    .default(200)
    .describe('status for a removal that matches no usage'),
  /**
   * Whether a bad ID refuses its whole batch, or the other IDs are done. The status is the same.
   * @default 'whole'
   */
  batches: choice(['whole', 'part'], 'how much of a batch with a bad ID is refused'),
  /**
   * Answer to a usage request: JSON, empty, plain text, or with `html` a maintenance page with
   * status 200, and the request has no effect.
   * @default 'json'
   */
  usageAnswer: choice(
    ['json', 'empty', 'text', 'html'],
    'answer to a usage request; html has no effect',
  ),
  /**
   * How an asset's usages are listed: as an array, in the field `usages` of an object, in such
   * objects of `pageSize` usages with a link to the next one, or not at all (404).
   * @default 'bare'
   */
  usageList: choice(
    ['bare', 'wrapped', 'paged', 'missing'],
    "an asset's usages as an array, in an object, in linked pages, or not at all",
  ),
  /**
   * Form of a listed usage: with `url` and `publishDate`, or with the fields of a usage request.
   * @default 'flat'
   */
  usageRecord: choice(
    ['flat', 'posted'],
    'form of a listed usage: as in real services, or as reported',
  ),
  /**
   * Whether one file's record can be read with `GET /1/file/{id}`, which the interface doesn't define.
   * @default 'offered'
   */
  recordCall: choice(['offered', 'missing'], "whether there's a call for one file's record"),
  /** Validators of downloads. @default 'both' */
  validators: choice(['both', 'etag', 'last-modified', 'none'], 'validators of downloads'),
  /** Answers downloads without a token, like a public gateway. @default false */
  openDownloads: flag('allow downloads without a token'),
  /**
   * Answer to a download: its bytes, a redirect to the second host, or JSON with that `url`.
   * @default 'bytes'
   */
  downloads: choice(['bytes', 'redirect', 'json'], 'answer to a download: its bytes or its URL'),
  /**
   * Meaning of `w` and `h` in a custom format: the crop's size (`size`) or the output size
   * (`corners`). With `corners`, the opposite corner is `x2` and `y2`, by default the image's end.
   * Both corners count pixels of an image of size `sw` × `sh`, by default of the image itself.
   * @default 'size'
   */
  customFormat: choice(
    ['size', 'corners'],
    "w and h of a custom format: the crop's size, or with corners the output's",
  ),
  /**
   * Whether crops count pixels as displayed (after EXIF orientation) or as stored.
   * @default 'displayed'
   */
  cropPixels: choice(
    ['displayed', 'stored'],
    'whether crops count pixels after or before EXIF orientation',
  ),
  /** Whether a crop that reaches outside the image is refused or clamped. @default 'refused' */
  cropOutside: choice(
    ['refused', 'clamped'],
    'what happens to a crop that reaches outside its image',
  ),
  /**
   * Origin whose pages may call the emulator from a browser, such as `https://editor.example`.
   * @default ''
   */
  cors: z
    .string()
    .refine(
      (text) => text === '' || (/^https?:/.test(text) && URL.parse(text)?.origin === text),
      'expected an origin, such as https://editor.example',
    )
    .default('')
    .describe('origin whose pages may call the emulator from a browser'),
  /** Body of every error answer. Faults choose their own. @default 'json' */
  errorBody: choice(['json', 'text', 'html', 'empty'], 'body of error answers'),
  /** Seed for the random numbers of faults with a rate. @default 1 */
  seed: z
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .default(1)
    .describe('seed for random faults'),
  /**
   * Enables the admin calls under `/_emulator/`, for tests on your own machine.
   * @default false
   */
  admin: flag('enable the admin calls under /_emulator/'),
});
