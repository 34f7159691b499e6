import * as z from 'zod';
import { lastRunSchema } from './last-run.ts';
import { compare, type Ledger, type LedgerRecord } from './ledger.ts';
import { ownPages } from './ledger-identity.ts';

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'expected a day, YYYY-MM-DD');

const recordsSchema = z
  .array(
    z.strictObject({
      pageName: z.string(),
      project: z.string(),
      contact: z.string(),
      description: z.string(),
      date: day,
      ids: z.array(z.int().positive()).min(1),
      state: z.enum(['confirmed', 'in-doubt', 'unsent']),
    }),
  )
  .min(1);

const schema = z.strictObject({
  version: z.literal(1),
  service: z.url(),
  site: z.url(),
  base: z.string(),
  revision: z.int().nonnegative(),
  unsentSince: z.iso.datetime().optional(),
  lastRun: lastRunSchema.optional(),
  pages: z.custom<Readonly<Record<string, unknown>>>(isObject, 'expected an object'),
});

export type LedgerReading =
  | { readonly kind: 'ledger'; readonly ledger: Ledger }
  | { readonly kind: 'newer'; readonly version: number }
  | { readonly kind: 'broken'; readonly problem: string; readonly cause: unknown };

/** Reads a ledger's JSON. One with a page outside its own site is broken. */
export function parseLedger(text: string): LedgerReading {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return { kind: 'broken', problem: 'it is not JSON', cause };
  }
  const version = versionOf(value);
  if (version !== undefined && version > 1) return { kind: 'newer', version };
  const result = schema.safeParse(value);
  if (!result.success) return broken(result.error);
  const { pages, unsentSince, ...head } = result.data;
  const isOwn = ownPages(head);
  const checked = new Map<string, readonly LedgerRecord[]>();
  for (const page of Object.keys(pages)) {
    const records = pages[page];
    const error = recordsError(records);
    if (error) return broken(error, ['pages', page]);
    if (!isOwn(page)) {
      const problem = `its page ${page} is none of ${head.site}${head.base}`;
      return { kind: 'broken', problem, cause: undefined };
    }
    // What was checked, not the copy that the check makes: a large site has much of it.
    checked.set(page, records as readonly LedgerRecord[]);
  }
  return { kind: 'ledger', ledger: { ...head, unsentSince, pages: checked } };
}

function recordsError(records: unknown): z.ZodError | undefined {
  return recordsSchema.safeParse(records).error;
}

function broken(error: z.ZodError, at: readonly string[] = []): LedgerReading {
  const [issue] = error.issues;
  const problem = `${[...at, ...(issue?.path ?? [])].join('.') || 'the whole'}: ${issue?.message}`;
  return { kind: 'broken', problem, cause: error };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function versionOf(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || !('version' in value)) return undefined;
  return typeof value.version === 'number' ? value.version : undefined;
}

/** A ledger as JSON: the same ledger gives the same text, and each page has a line of its own. */
export function formatLedger({ pages, ...head }: Ledger): string {
  const { version, service, site, base, revision, unsentSince, lastRun } = head;
  const start = JSON.stringify({ version, service, site, base, revision, unsentSince, lastRun });
  const sorted = [...pages.keys()].sort(compare);
  const last = sorted.at(-1);
  const lines = sorted.map((page) => {
    const records = JSON.stringify(pages.get(page)?.map(toJson));
    return `${JSON.stringify(page)}:${records}${page === last ? '' : ','}`;
  });
  // Joined once: each further copy of a large text stays long in memory.
  return [`${start.slice(0, -1)},"pages":{`, ...lines, '}}\n'].join('\n');
}

function toJson(record: LedgerRecord): LedgerRecord {
  const { pageName, project, contact, description, date, ids, state } = record;
  return { pageName, project, contact, description, date, ids, state };
}
