import * as z from 'zod';
import { lastRunSchema } from './last-run.ts';
import { compare, type Ledger, type LedgerRecord } from './ledger.ts';
import { ownPages } from './ledger-identity.ts';

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'expected a day, YYYY-MM-DD');

const recordSchema = z.strictObject({
  pageName: z.string(),
  project: z.string(),
  contact: z.string(),
  description: z.string(),
  date: day,
  ids: z.array(z.int().positive()).min(1),
  state: z.enum(['confirmed', 'in-doubt', 'unsent']),
});

const schema = z.strictObject({
  version: z.literal(1),
  service: z.url(),
  site: z.url(),
  base: z.string(),
  revision: z.int().nonnegative(),
  unsentSince: z.iso.datetime().optional(),
  lastRun: lastRunSchema.optional(),
  pages: z.record(z.string(), z.array(recordSchema).min(1)),
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
  if (!result.success) {
    const [issue] = result.error.issues;
    const problem = `${issue?.path.join('.') || 'the whole'}: ${issue?.message}`;
    return { kind: 'broken', problem, cause: result.error };
  }
  const { pages, unsentSince, ...head } = result.data;
  const isOwn = ownPages(head);
  const foreign = Object.keys(pages).find((page) => !isOwn(page));
  if (foreign !== undefined) {
    const problem = `its page ${foreign} is none of ${head.site}${head.base}`;
    return { kind: 'broken', problem, cause: undefined };
  }
  const ledger = { ...head, unsentSince, pages: new Map(Object.entries(pages)) };
  return { kind: 'ledger', ledger };
}

function versionOf(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || !('version' in value)) return undefined;
  return typeof value.version === 'number' ? value.version : undefined;
}

/** A ledger as JSON: the same ledger gives the same text, and each page has a line of its own. */
export function formatLedger({ pages, ...head }: Ledger): string {
  const { version, service, site, base, revision, unsentSince, lastRun } = head;
  const start = JSON.stringify({ version, service, site, base, revision, unsentSince, lastRun });
  const lines = [...pages.keys()]
    .sort(compare)
    .map((page) => `${JSON.stringify(page)}:${JSON.stringify(pages.get(page)?.map(toJson))}`);
  return `${start.slice(0, -1)},"pages":{\n${lines.join(',\n')}\n}}\n`;
}

function toJson(record: LedgerRecord): LedgerRecord {
  const { pageName, project, contact, description, date, ids, state } = record;
  return { pageName, project, contact, description, date, ids, state };
}
