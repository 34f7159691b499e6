import * as z from 'zod';
import { lastRunSchema } from './last-run.ts';
import type { Ledger, LedgerRecord } from './ledger.ts';
import { ownPages } from './ledger-identity.ts';
import { recordReader, repeatedFieldsSchema } from './record-reader.ts';

/** What is written. Of version 1, each record had all of its fields. */
const newest = 2;

const head = {
  service: z.url(),
  site: z.url(),
  base: z.string(),
  /** Of earlier ones: how often it was written. */
  revision: z.int().nonnegative().optional(),
  unsentSince: z.iso.datetime().optional(),
  lastRun: lastRunSchema.optional(),
  pages: z.custom<Readonly<Record<string, unknown>>>(isObject, 'expected an object'),
};
const schema = z.discriminatedUnion('version', [
  z.strictObject({ version: z.literal(1), ...head }),
  z.strictObject({ version: z.literal(newest), ...head, sent: z.array(repeatedFieldsSchema) }),
]);

export type LedgerReading =
  | { readonly kind: 'ledger'; readonly ledger: Ledger }
  | { readonly kind: 'newer'; readonly version: number }
  | { readonly kind: 'broken'; readonly problem: string; readonly cause: unknown };

/** Reads a ledger's JSON, of this version or an older one. One with a page outside its own site is broken. */
export function parseLedger(text: string): LedgerReading {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return { kind: 'broken', problem: 'it is not JSON', cause };
  }
  const version = versionOf(value);
  if (version !== undefined && version > newest) return { kind: 'newer', version };
  const result = schema.safeParse(value);
  if (!result.success) return broken(result.error);
  const { version: _, revision: __, pages, unsentSince, ...rest } = result.data;
  const { sent, ...head } = 'sent' in rest ? rest : { ...rest, sent: undefined };
  const readRecords = recordReader(sent);
  const isOwn = ownPages(head);
  const read = new Map<string, readonly LedgerRecord[]>();
  for (const page of Object.keys(pages)) {
    const records = readRecords(pages[page]);
    if (typeof records === 'string') {
      return { kind: 'broken', problem: `pages.${page}: ${records}`, cause: undefined };
    }
    if (!isOwn(page)) {
      const problem = `its page ${page} is none of ${head.site}${head.base}`;
      return { kind: 'broken', problem, cause: undefined };
    }
    read.set(page, records);
  }
  return { kind: 'ledger', ledger: { ...head, unsentSince, pages: read } };
}

function broken(error: z.ZodError): LedgerReading {
  const [issue] = error.issues;
  const problem = `${issue?.path.join('.') || 'the whole'}: ${issue?.message}`;
  return { kind: 'broken', problem, cause: error };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function versionOf(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || !('version' in value)) return undefined;
  return typeof value.version === 'number' ? value.version : undefined;
}
