import { z } from 'zod';

const secret = (value: string, description: string) =>
  z.string().min(1).max(1000).default(value).describe(description);

/** One of several values; the first one is the default. */
const choice = <const Values extends readonly [string, ...string[]]>(
  values: Values,
  description: string,
) =>
  z
    .enum(values)
    .default(() => values[0] as Values[number])
    .describe(description);

const flag = (description: string) => z.boolean().default(false).describe(description);

/** The grants of section 5.1. */
export const grantTypes = ['authorization_code', 'refresh_token', 'password'] as const;

const isGrantType = (text: string) => grantTypes.some((type) => type === text);

export const settingsSchema = z.strictObject({
  /** Client id that the token call accepts. @default 'emulator' */
  clientId: secret('emulator', 'client id that may sign in'),
  /** Client secret that belongs to the client id. @default 'emulator-secret' */
  clientSecret: secret('emulator-secret', 'its client secret'),
  /** User of the `password` grant; usages are created in this name. @default 'editor' */
  username: secret('editor', 'user that may sign in'),
  /** Password of the user. @default 'harbour' */
  password: secret('harbour', "the user's password"),
  /** Refresh token that the `refresh_token` grant accepts. @default 'emulator-refresh-token' */
  refreshToken: secret('emulator-refresh-token', 'refresh token that it accepts and gives out'),
  /**
   * Grants that the client may use, with commas between them. Section 5.1: not every client may use
   * `password`.
   * @default 'authorization_code,refresh_token,password'
   */
  grants: z
    .string()
    .refine((text) => text.split(',').every(isGrantType), `expected some of ${grantTypes}`)
    .default(grantTypes.join(','))
    .describe('grants that the client may use, with commas between them'),
  /** How long an access token is valid, in seconds; may be a fraction. @default 3600 */
  tokenLifetime: z
    .number()
    .positive()
    .max(31_536_000)
    .default(3600)
    .describe('lifetime of an access token, in seconds'),
  /**
   * How the parameters of a token call must come: as a form, as JSON, in the query, or in any way.
   * @default 'any'
   */
  tokenEncoding: choice(['any', 'form', 'json', 'query'], 'encoding that the token call accepts'),
  /**
   * The refresh token of a token answer: always that of the settings; a new one each time, a used
   * one being refused; an empty text; none.
   * @default 'fixed'
   */
  refreshTokens: choice(['fixed', 'rotated', 'empty', 'none'], 'refresh token of a token answer'),
  /** Form of `expires_in` in a token answer. @default 'number' */
  expiresIn: choice(['number', 'text', 'missing'], 'form of expires_in in a token answer'),
  /** Sign of the ids that new files and folders get. @default 'positive' */
  ids: choice(['positive', 'negative'], 'sign of the ids that new files and folders get'),
  /**
   * Form of the folder tree: a list in the order of the tree with `depth` and `parent`, as section 2.4
   * says; such a list with `depth` only; a list by id with `parent` only; folders with `children`.
   * @default 'flat-both'
   */
  folderTree: choice(
    ['flat-both', 'flat-depth', 'flat-parent', 'nested'],
    'form of the folder tree',
  ),
  /** The folder tree is an array, or the member `folders` of an object. @default 'bare' */
  folderTreeAnswer: choice(['bare', 'wrapped'], 'the folder tree as an array, or in an object'),
  /** A file list or search result is an array, or `files` of an object. @default 'bare' */
  fileListAnswer: choice(
    ['bare', 'wrapped'],
    'file lists and search results as an array, or in an object',
  ),
  /**
   * How file lists and search results are paged: not at all; by `page`, from 1; by `offset`, from
   * 0; by a link to the next page, which an object holds as `next` and an array as a `Link` header.
   * @default 'none'
   */
  paging: choice(['none', 'page', 'offset', 'next'], 'how file lists and search results are paged'),
  /** Most files, or usages of an asset, on a page; callers get fewer with `limit`. @default 100 */
  pageSize: z
    .int()
    .min(1)
    .max(10_000)
    .default(100)
    .describe('largest number of files or usages on a page'),
  /**
   * Names of file name, size and folder in the body of an upload's first step and of an update, with
   * commas between them.
   * @default 'filename,size,folder'
   */
  uploadNames: z
    .string()
    .regex(/^[A-Za-z_]\w{0,63}(,[A-Za-z_]\w{0,63}){2}$/, 'expected three names, such as a,b,c')
    .refine((text) => new Set(text.split(',')).size === 3, 'expected three different names')
    .default('filename,size,folder')
    .describe("names of an upload's file name, size and folder"),
  /**
   * The `uploadURL` is absolute, is a path, or leads to another host, where its signature stands for
   * the token.
   * @default 'absolute'
   */
  uploadUrl: choice(['absolute', 'relative', 'other-host'], 'form of the uploadURL'),
  /**
   * One file's record, as an upload or an update answers with it, is an object, or an array of one.
   * @default 'object'
   */
  fileRecord: choice(['object', 'array'], "one file's record as an object, or as an array of one"),
  /**
   * A second report of the same asset on the same page replaces the first record, or is kept as a
   * second one.
   * @default 'overwrite'
   */
  usages: choice(['overwrite', 'append'], 'effect of reporting a usage twice'),
  /**
   * Which records of an asset a removal takes away: those of the page; those of the page and the
   * project; those that agree in every field.
   * @default 'page'
   */
  removalMatches: choice(
    ['page', 'page-project', 'all-fields'],
    'fields that a removal must match',
  ),
  /** Of several records that a removal matches, it takes all, or only the oldest. @default 'all' */
  removalTakes: choice(['all', 'first'], 'how many matching records a removal deletes'),
  /**
   * Status of the answer to a removal that matches no record. Unless it is 200, an id without a
   * matching record counts as a bad id of its batch.
   * @default 200
   */
  removalOfNothing: z
    .literal([200, 400, 404, 409, 410, 422])
    .default(200)
    .describe('status for the removal of a usage that is not there'),
  /**
   * A bad id refuses the whole batch; or the other ids are done, and the answer is the same 4xx.
   * @default 'whole'
   */
  batches: choice(['whole', 'part'], 'how much of a batch with a bad id is refused'),
  /**
   * Answer to a usage post that is carried out: JSON, nothing, or plain text. With `html` nothing is
   * carried out, and the answer is a maintenance page with status 200.
   * @default 'json'
   */
  usageAnswer: choice(
    ['json', 'empty', 'text', 'html'],
    'answer to a usage post; html: a page, with nothing done',
  ),
  /**
   * The usages of an asset are an array; the member `usages` of an object; such an object for each
   * page of `pageSize`, with a link to the next one; or there is no such call, and it gets 404.
   * @default 'bare'
   */
  usageList: choice(
    ['bare', 'wrapped', 'paged', 'missing'],
    "an asset's usages as an array, in an object, in pages with a link, or no such call",
  ),
  /**
   * A record of that list has `url` and `publishDate`, or the fields of a usage post, with `web`.
   * @default 'flat'
   */
  usageRecord: choice(
    ['flat', 'posted'],
    'a record in that list: as services in the wild have it, or as it was posted',
  ),
  /** Validators that downloads carry. @default 'both' */
  validators: choice(['both', 'etag', 'last-modified', 'none'], 'validators of downloads'),
  /** Downloads are answered without a token, as behind a public gateway. @default false */
  openDownloads: flag('answer downloads without a token'),
  /**
   * Answer to a download: its bytes; a redirect to the second host, whose addresses are signed and
   * take no token; JSON with that address as `url`.
   * @default 'bytes'
   */
  downloads: choice(
    ['bytes', 'redirect', 'json'],
    'answer to a download: the bytes, or their address',
  ),
  /**
   * What `w` and `h` of a custom format mean: the size of the crop; or the size of the answer, the
   * crop being said by its other corner, `x2` and `y2`, or else reaching to the image's end. Both
   * corners then refer to an image of the size `sw`, `sh`, or else to the image as it is.
   * @default 'size'
   */
  customFormat: choice(
    ['size', 'corners'],
    "w and h of a custom format: the crop's size, or with corners the answer's",
  ),
  /**
   * The pixels that a crop counts: as displayed, after EXIF orientation, or as stored, before it.
   * @default 'displayed'
   */
  cropPixels: choice(
    ['displayed', 'stored'],
    'pixels that a crop counts: after or before EXIF orientation',
  ),
  /** A crop that reaches outside its image is refused, or made smaller. @default 'refused' */
  cropOutside: choice(['refused', 'clamped'], 'answer to a crop that reaches outside its image'),
  /**
   * Origin whose pages may call it from a browser, such as `https://editor.example`; none if empty.
   * @default ''
   */
  cors: z
    .string()
    .refine(
      (text) => text === '' || (/^https?:/.test(text) && URL.parse(text)?.origin === text),
      'expected an origin, such as https://editor.example',
    )
    .default('')
    .describe('origin whose pages may call it from a browser'),
  /** Body of every error of the interface. Faults name their own. @default 'json' */
  errorBody: choice(['json', 'text', 'html', 'empty'], 'body of error answers'),
  /** Where the random numbers of faults with a rate start. @default 1 */
  seed: z
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .default(1)
    .describe('seed of the random numbers for rates'),
  /**
   * The admin calls below `/_emulator/` are answered: for tests, on a machine of one's own.
   * @default false
   */
  admin: flag('answer the admin calls below /_emulator/'),
});
