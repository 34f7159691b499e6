import { z } from 'zod';

/** Calls that a fault can apply to. `any` is every call of the interface. */
export const faultCalls = [
  'token',
  'authorize',
  'folder-tree',
  'folder-files',
  'search',
  'original',
  'custom-format',
  'signed-download',
  'file-create',
  'upload',
  'file-update',
  'usage-report',
  'usage-removal',
  'usage-list',
  'any',
] as const;

export type FaultCall = (typeof faultCalls)[number];

const call = z.enum(faultCalls).describe('which requests it applies to');

const frequency = {
  rate: z.number().min(0).max(1).default(1).describe('share of these requests that it hits'),
  times: z.int().min(1).optional().describe('how often it hits before it stops'),
  skip: z.int().min(0).default(0).describe('how many of these requests pass before it begins'),
};

const milliseconds = z.int().min(0).max(600_000);

const faultSchema = z.discriminatedUnion('kind', [
  z
    .strictObject({
      kind: z.literal('latency'),
      call,
      ms: milliseconds.describe('delay of the answer, in milliseconds'),
      ...frequency,
    })
    .describe('the request takes effect at once, and its answer comes later'),
  z
    .strictObject({
      kind: z.literal('status'),
      call,
      status: z
        .int()
        .refine((status) => status === 200 || (status >= 400 && status <= 599))
        .describe('200 or 400 to 599'),
      body: z.enum(['json', 'text', 'html', 'empty']).default('json').describe('form of the error'),
      effect: z.boolean().default(false).describe('the request takes effect anyway'),
      ...frequency,
    })
    .describe('the answer is an error'),
  z
    .strictObject({ kind: z.literal('reset-before'), call, ...frequency })
    .describe('the connection is reset, and nothing is done'),
  z
    .strictObject({ kind: z.literal('reset-after'), call, ...frequency })
    .describe('the request takes effect, then the connection is reset, and the answer is lost'),
  z
    .strictObject({
      kind: z.literal('limit'),
      call,
      status: z.literal([429, 503]).default(429).describe('429 or 503'),
      retryAfter: z
        .int()
        .min(0)
        .max(86_400)
        .optional()
        .describe('seconds for the header `Retry-After` (default: no header)'),
      form: z.enum(['seconds', 'date']).default('seconds').describe('form of the header'),
      ...frequency,
    })
    .describe('too many requests: nothing is done'),
  z
    .strictObject({
      kind: z.literal('late'),
      call,
      ms: milliseconds.describe('how much later the request takes effect, in milliseconds'),
      ...frequency,
    })
    .describe(
      'the connection is reset at once, and the request takes effect later; not for `upload`',
    ),
  z
    .strictObject({ kind: z.literal('truncate'), call, ...frequency })
    .describe('the request takes effect; half of the body is sent, then the connection ends'),
  z
    .strictObject({
      kind: z.literal('endless'),
      call,
      body: z.enum(['json', 'html', 'image']).default('json').describe('how the body starts'),
      ms: milliseconds.default(0).describe('pause between its pieces of 64 KiB, in milliseconds'),
      ...frequency,
    })
    .describe('nothing is done, and the answer has an endless body'),
  z
    .strictObject({
      kind: z.literal('redirect'),
      call,
      status: z
        .literal([301, 302, 303, 307, 308])
        .default(302)
        .describe('301, 302, 303, 307 or 308'),
      to: z
        .string()
        .refine(
          (to) => to === 'other-host' || to === 'itself' || isAddress(to),
          "expected 'other-host', 'itself', or an http or https URL",
        )
        .default('other-host')
        .describe(
          '`other-host`: a page of the second host that answers `{ "ok": true }`; `itself`: the same address again; or a URL',
        ),
      ...frequency,
    })
    .describe('nothing is done, and the answer redirects'),
]);

function isAddress(text: string): boolean {
  return /^https?:\/\/[\x21-\x7e]{1,2000}$/.test(text) && URL.canParse(text);
}

export type Fault = z.output<typeof faultSchema>;

export type FaultInput = z.input<typeof faultSchema>;

const faultsSchema = z.array(faultSchema).max(100);

export function parseFaults(value: unknown): { faults: Fault[] } | { problems: string[] } {
  const result = faultsSchema.safeParse(value);
  if (result.success) return { faults: result.data };
  return {
    problems: result.error.issues.map(
      ({ path, message }) => `${['faults', ...path].join('.')}: ${message}`,
    ),
  };
}

interface FaultKind {
  readonly kind: Fault['kind'];
  readonly description: string;
  readonly fields: readonly { name: string; description: string; default: unknown }[];
}

export const faultKinds: readonly FaultKind[] = faultSchema.options.map((option) => {
  const { kind, call: _, rate: __, times: ___, skip: ____, ...own } = option.shape;
  return {
    kind: [...kind.values][0] as Fault['kind'],
    description: option.description ?? '',
    fields: Object.entries<z.ZodType>(own).map(([name, field]) => ({
      name,
      description: field.description ?? '',
      default: field.safeParse(undefined).data,
    })),
  };
});
