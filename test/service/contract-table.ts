import type { MediaServiceOptions, TokenStore } from '../../src/service/index.ts';
import type { SettingChanges } from '../support/bends/bent-emulator.ts';
import type { Fault } from '../support/bends/faults/faults.ts';
import { type ContractMethod, contractMethods } from './contract-methods.ts';

/** `works`, or the error's code. */
export type Outcome = string;

/** One answer that the interface leaves open, as an emulator setting. */
export interface Variant {
  readonly variant: string;
  readonly settings?: SettingChanges;
  /** The client's options for this service. */
  readonly options?: Partial<MediaServiceOptions>;
  /** Set again before each method. */
  readonly faults?: readonly Fault[];
  /** Outcomes of the methods that don't work. */
  readonly outcomes?: Readonly<Partial<Record<ContractMethod, Outcome>>>;
  /** Outcome of all other methods. @default 'works' */
  readonly others?: Outcome;
}

export interface Row {
  /** As in DESIGN.md. */
  readonly unknown: string;
  readonly variants: readonly Variant[];
  /** Methods that only run for this row. */
  readonly own?: readonly ContractMethod[];
  /** Notes on the outcomes, for readers. */
  readonly note?: string;
}

/** Consumes its input. */
const emptyTokenStore: TokenStore = {
  name: 'nothing',
  read: async () => undefined,
  update: async (change) => void (await change(undefined)),
};

const refreshToken = { kind: 'refresh-token', refreshToken: 'emulator-refresh-token' } as const;

const pagings: readonly Variant[] = (['bare', 'wrapped'] as const).flatMap((fileListAnswer) =>
  (['none', 'page', 'offset', 'next'] as const).map((paging) => ({
    variant: `${fileListAnswer === 'bare' ? 'bare array' : 'wrapped'}, ${
      {
        none: 'not paged',
        page: 'paged by `page`',
        offset: 'paged by `offset`',
        next: fileListAnswer === 'bare' ? 'a `next` link in its header' : 'a `next` link',
      }[paging]
    }`,
    settings: { fileListAnswer, paging, pageSize: 2 },
  })),
);

const bodies = { json: 'JSON', text: 'text', html: 'HTML', empty: 'nothing' } as const;
const statuses = {
  400: 'request-refused',
  401: 'request-unauthorized',
  403: 'request-forbidden',
  404: 'request-refused',
  410: 'request-refused',
  422: 'request-refused',
  500: 'service-failed',
  599: 'service-failed',
} as const;

const errors: readonly Variant[] = Object.entries(statuses).flatMap(([status, others]) =>
  Object.entries(bodies).map(([body, name]) => ({
    variant: `${status} with ${name}`,
    faults: [
      {
        kind: 'status',
        call: 'any',
        status: Number(status),
        body: body as keyof typeof bodies,
      } as const,
    ],
    options: { attempts: 1 },
    // The upload's record may have been created.
    ...(others === 'service-failed' && { outcomes: { 'files.upload': 'upload-unanswered' } }),
    others,
  })),
);

const limits: readonly Variant[] = ([429, 503] as const).flatMap((status) =>
  (
    [
      ['without `Retry-After`', {}],
      ['with seconds', { retryAfter: 3 }],
      ['with a date', { retryAfter: 3, form: 'date' }],
    ] as const
  ).map(([name, form]) => ({
    variant: `${status} ${name}, once`,
    faults: [{ kind: 'limit', call: 'any', status, times: 1, ...form } as const],
    // Requests that may have had an effect aren't repeated, to avoid a second one.
    ...(status === 503 && {
      outcomes: { 'usages.report': 'service-failed', 'files.upload': 'upload-unanswered' },
    }),
  })),
);

const usageAnswerHtml = {
  'usages.report': 'answer-html',
  'usages.report, removed': 'answer-html',
} as const;

/** All rows of *The unknowns* in DESIGN.md with every answer to accept, and the list of usages. */
export const contractTable: readonly Row[] = [
  {
    unknown: 'usage answer',
    variants: [
      { variant: '2xx with JSON', settings: { usageAnswer: 'json' } },
      { variant: '2xx with nothing', settings: { usageAnswer: 'empty' } },
      { variant: '2xx with plain text', settings: { usageAnswer: 'text' } },
      {
        variant: '2xx with HTML',
        settings: { usageAnswer: 'html' },
        outcomes: usageAnswerHtml,
      },
    ],
  },
  {
    unknown: 'reporting the same usage twice',
    variants: [
      { variant: 'overwritten', settings: { usages: 'overwrite' } },
      { variant: 'appended as a second record', settings: { usages: 'append' } },
    ],
  },
  {
    unknown: 'what a removal matches',
    variants: (['page', 'page-project', 'all-fields'] as const).flatMap((removalMatches) =>
      (['all', 'first'] as const).map((removalTakes) => ({
        variant: `${
          { page: 'page', 'page-project': 'page + project', 'all-fields': 'all fields' }[
            removalMatches
          ]
        }, ${removalTakes === 'all' ? 'all such records' : 'only the first'}`,
        settings: { removalMatches, removalTakes },
      })),
    ),
  },
  {
    unknown: "removing a usage that isn't there",
    own: ['usages.report, removed, of nothing'],
    note: "The error has the answer's `status`. `media-asset report` counts 404 and 410 as removed. If the usage was in doubt, it counts any status except 403.",
    variants: ([200, 400, 404, 409, 410, 422] as const).map((removalOfNothing) => ({
      variant: String(removalOfNothing),
      settings: { removalOfNothing },
      ...(removalOfNothing !== 200 && {
        outcomes: { 'usages.report, removed, of nothing': 'request-refused' },
      }),
    })),
  },
  {
    unknown: 'a batch with one bad ID',
    own: ['usages.report of a batch with a bad ID'],
    note: '`media-asset report` splits a refused batch until it finds the bad ID.',
    variants: (['whole', 'part'] as const).map((batches) => ({
      variant: { whole: 'refused as a whole', part: 'done in part' }[batches],
      settings: { batches },
      outcomes: { 'usages.report of a batch with a bad ID': 'request-refused' },
    })),
  },
  { unknown: 'required usage fields', variants: [{ variant: 'all of them' }] },
  {
    unknown: 'what `w` and `h` mean',
    variants: (['size', 'corners'] as const).map((customFormat) => ({
      variant: { size: "the crop's size", corners: 'the output size' }[customFormat],
      settings: { customFormat },
    })),
  },
  {
    unknown: 'crop coordinates of a rotated photograph',
    own: ['files.customFormat of a rotated photograph'],
    note: 'The client returns the crop as it comes. A build compares it with the original.',
    variants: (['stored', 'displayed'] as const).map((cropPixels) => ({
      variant: { stored: 'before EXIF orientation', displayed: 'after' }[cropPixels],
      settings: { cropPixels },
    })),
  },
  {
    unknown: 'a crop that reaches outside',
    own: ['files.customFormat of a crop that reaches outside'],
    variants: [
      {
        variant: 'refused',
        settings: { cropOutside: 'refused' },
        outcomes: { 'files.customFormat of a crop that reaches outside': 'request-refused' },
      },
      { variant: 'clamped', settings: { cropOutside: 'clamped' } },
    ],
  },
  {
    unknown: 'folder tree',
    variants: (['flat-depth', 'flat-parent', 'flat-both', 'nested'] as const).flatMap(
      (folderTree) =>
        (['bare', 'wrapped'] as const).map((folderTreeAnswer) => ({
          variant: `${
            {
              'flat-depth': 'flat list with `depth`',
              'flat-parent': 'flat list with a parent ID',
              'flat-both': 'flat list with both',
              nested: 'nested children',
            }[folderTree]
          }, ${folderTreeAnswer === 'bare' ? 'bare' : 'wrapped in an object'}`,
          settings: { folderTree, folderTreeAnswer },
        })),
    ),
  },
  { unknown: 'file list, search', variants: pagings },
  {
    unknown: 'list of usages',
    variants: [
      { variant: 'bare array', settings: { usageList: 'bare' } },
      { variant: 'wrapped', settings: { usageList: 'wrapped' } },
      { variant: 'wrapped, a `next` link', settings: { usageList: 'paged', pageSize: 1 } },
      { variant: 'in the fields of a usage post', settings: { usageRecord: 'posted' } },
      {
        variant: 'there is no such call',
        settings: { usageList: 'missing' },
        outcomes: { 'usages.list': 'request-refused' },
      },
    ],
  },
  {
    unknown: "one file's record",
    variants: [
      { variant: 'an object', settings: { fileRecord: 'object' } },
      { variant: 'an array of one', settings: { fileRecord: 'array' } },
      {
        variant: 'there is no such call',
        settings: { recordCall: 'missing' },
        outcomes: { 'files.record': 'request-refused' },
      },
    ],
  },
  {
    unknown: 'download',
    variants: [
      { variant: 'the bytes', settings: { downloads: 'bytes' } },
      { variant: 'a redirect to another host', settings: { downloads: 'redirect' } },
      {
        variant: "JSON with a URL, `downloads: 'url'`",
        settings: { downloads: 'json' },
        options: { downloads: 'url' },
      },
      {
        variant: 'JSON with a URL, without the option',
        settings: { downloads: 'json' },
        outcomes: {
          'files.original': 'other bytes',
          'files.customFormat': 'answer-unexpected',
        },
      },
    ],
    note: 'Without the option, the JSON is taken for the original, because an asset can be JSON.',
  },
  {
    unknown: 'validators on downloads',
    own: ['files.original, with its validators'],
    variants: (['etag', 'last-modified', 'both', 'none'] as const).map((validators) => ({
      variant: { etag: 'ETag', 'last-modified': 'Last-Modified', both: 'both', none: 'none' }[
        validators
      ],
      settings: { validators },
    })),
  },
  {
    unknown: 'upload metadata names',
    variants: [
      { variant: '`filename`, `size`, `folder`' },
      {
        variant: 'others, by `uploadFields`',
        settings: { uploadNames: 'name,bytes,target' },
        options: { uploadFields: { filename: 'name', size: 'bytes', folder: 'target' } },
      },
    ],
  },
  {
    unknown: '`uploadURL`',
    variants: (['absolute', 'relative', 'other-host'] as const).flatMap((uploadUrl) =>
      (['object', 'array'] as const).map((fileRecord) => ({
        variant: `${
          { absolute: 'absolute', relative: 'relative', 'other-host': 'another host' }[uploadUrl]
        }, in ${fileRecord === 'object' ? 'an object' : 'an array of one'}`,
        settings: { uploadUrl, fileRecord },
      })),
    ),
  },
  {
    unknown: 'token request encoding',
    variants: (['form', 'json', 'basic', 'query'] as const).flatMap((tokenEncoding) =>
      (['password', 'refresh_token'] as const).map((grant) => ({
        variant: `${{ form: 'form', json: 'JSON', basic: 'Basic authentication', query: 'query' }[tokenEncoding]}, grant \`${grant}\``,
        settings: { tokenEncoding },
        options: { tokenEncoding, ...(grant === 'refresh_token' && { credentials: refreshToken }) },
      })),
    ),
  },
  {
    unknown: 'token answer',
    variants: [
      { variant: 'no `refresh_token`', settings: { refreshTokens: 'none' } },
      { variant: 'an empty one', settings: { refreshTokens: 'empty' } },
      { variant: 'a rotated one, grant `password`', settings: { refreshTokens: 'rotated' } },
      {
        variant: 'a rotated one, grant `refresh_token`, with a store',
        settings: { refreshTokens: 'rotated' },
        options: { credentials: refreshToken, tokenStore: emptyTokenStore },
      },
      {
        variant: 'a rotated one, grant `refresh_token`, without a store',
        settings: { refreshTokens: 'rotated' },
        options: { credentials: refreshToken },
        others: 'refresh-token-rotated',
      },
      { variant: '`expires_in` as text', settings: { expiresIn: 'text' } },
      { variant: '`expires_in` missing', settings: { expiresIn: 'missing' } },
    ],
  },
  { unknown: 'errors', variants: errors },
  { unknown: 'rate limits', variants: limits },
];

const ownMethods = new Set(contractTable.flatMap(({ own = [] }) => own));

/** The methods that run for a row. */
export function methodsOf({ own = [] }: Pick<Row, 'own'>): ContractMethod[] {
  const all = Object.keys(contractMethods) as ContractMethod[];
  return all.filter((method) => own.includes(method) || !ownMethods.has(method));
}

/** By method. */
export function expectedOutcomes(row: Row, { outcomes, others = 'works' }: Variant) {
  return Object.fromEntries(
    methodsOf(row).map((method) => [method, outcomes?.[method] ?? others] as const),
  );
}
