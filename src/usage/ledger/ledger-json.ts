import * as z from 'zod';
import { isAssetId } from '../../errors/asset-id.ts';
import { compare } from '../../scan/compare.ts';
import { lastRunSchema } from './last-run.ts';
import type { Ledger, LedgerRecord } from './ledger.ts';
import { ownPages } from './ledger-identity.ts';

const day = /^\d{4}-\d{2}-\d{2}$/;

const repeatedFieldsSchema = z.strictObject({
  project: z.string(),
  contact: z.string(),
  description: z.string(),
  date: z.string().regex(day, 'expected a day, YYYY-MM-DD'),
});

type RepeatedFields = z.output<typeof repeatedFieldsSchema>;

/** The allowed fields of a record, each with the expected value and its check. */
type Rules = readonly (readonly [
  name: string,
  expected: string,
  isRight: (value: unknown) => boolean,
])[];

const isText = (value: unknown) => typeof value === 'string';
const isDay = (value: unknown) => typeof value === 'string' && day.test(value);
const states = new Set<unknown>(['confirmed', 'unremoved', 'in-doubt', 'unsent']);

const ownRules: Rules = [
  ['pageName', 'a string', isText],
  ['ids', 'a list of asset IDs', areIds],
  ['state', 'confirmed, unremoved, in-doubt or unsent', (value) => states.has(value)],
];

const wholeRules: Rules = [
  ...ownRules,
  ['project', 'a string', isText],
  ['contact', 'a string', isText],
  ['description', 'a string', isText],
  ['date', 'a day, YYYY-MM-DD', isDay],
];

/**
 * Reads the records of a page from a ledger's JSON, or returns the problem with them. With `sent`, a
 * record points to its common fields in that list. Without it, a record has all of its fields. No
 * schema does this, because copying a large site's ledger would take most of the time and memory.
 */
function recordReader(
  sent: readonly RepeatedFields[] | undefined,
): (value: unknown) => readonly LedgerRecord[] | string {
  if (sent === undefined) {
    return (value) => problemOf(value, wholeRules) ?? (value as readonly LedgerRecord[]);
  }
  const isPlace = (value: unknown) => Number.isInteger(value) && Number(value) in sent;
  const rules: Rules = [...ownRules, ['sent', 'an index of “sent”', isPlace]];
  return (value) =>
    problemOf(value, rules) ??
    (value as readonly (LedgerRecord & { sent: number })[]).map((record) => {
      const { pageName, ids, state } = record;
      const fields = sent[record.sent] as RepeatedFields;
      return { pageName, ...fields, ids, state };
    });
}

function problemOf(records: unknown, rules: Rules): string | undefined {
  if (!Array.isArray(records) || records.length === 0) return 'expected a list of records';
  for (const record of records) {
    if (typeof record !== 'object' || record === null) return 'expected a record';
    for (const [name, expected, isRight] of rules) {
      if (!isRight(record[name])) return `${name}: expected ${expected}`;
    }
    if (Object.keys(record).length > rules.length) return 'unknown field';
  }
  return undefined;
}

function areIds(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isAssetId);
}

/** The version that is written. In version 1, each record has all of its fields. */
const newest = 2;

const head = {
  service: z.url(),
  site: z.url(),
  base: z.string(),
  /** Only in older ledgers: how often they were written. */
  revision: z.int().nonnegative().optional(),
  startedAt: z.iso.datetime().optional(),
  unsentSince: z.iso.datetime().optional(),
  lastRun: lastRunSchema.optional(),
  pages: z.custom<Readonly<Record<string, unknown>>>(isObject, 'expected an object'),
};
const schema = z.discriminatedUnion('version', [
  z.strictObject({ version: z.literal(1), ...head }),
  z.strictObject({ version: z.literal(newest), ...head, sent: z.array(repeatedFieldsSchema) }),
]);

type LedgerReading =
  | { readonly kind: 'ledger'; readonly ledger: Ledger }
  | { readonly kind: 'newer'; readonly version: number }
  | { readonly kind: 'broken'; readonly problem: string; readonly cause: unknown };

/** Reads a ledger of this version or an older one. A page outside its site makes it broken. */
export function parseLedger(text: string): LedgerReading {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return { kind: 'broken', problem: "it isn't valid JSON", cause };
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
      const problem = `its page ${page} isn't below ${head.site}${head.base}`;
      return { kind: 'broken', problem, cause: undefined };
    }
    read.set(page, records);
  }
  return { kind: 'ledger', ledger: { ...head, unsentSince, pages: read } };
}

function broken(error: z.ZodError): LedgerReading {
  const [issue] = error.issues;
  const problem = `${issue?.path.join('.') || 'top level'}: ${issue?.message}`;
  return { kind: 'broken', problem, cause: error };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function versionOf(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || !('version' in value)) return undefined;
  return typeof value.version === 'number' ? value.version : undefined;
}

/** In characters. */
const chunkSize = 64 * 1024;

/**
 * A ledger as JSON, in chunks, because the text of a large site's ledger takes much memory. The same
 * ledger gives the same text. Each page has its own line. Fields that records share are listed once,
 * at the end, and records point to them.
 */
export function* ledgerChunks({ pages, ...head }: Ledger): Generator<string, void> {
  const { service, site, base, startedAt, unsentSince, lastRun } = head;
  const start = { version: 2, service, site, base, startedAt, unsentSince, lastRun };
  const sent = new Map<string, number>();
  let chunk = `${JSON.stringify(start).slice(0, -1)},"pages":{`;
  let separator = '\n';
  for (const page of [...pages.keys()].sort(compare)) {
    const records = pages.get(page)?.map((record) => toJson(record, sent));
    chunk += `${separator}${JSON.stringify(page)}:${JSON.stringify(records)}`;
    separator = ',\n';
    if (chunk.length < chunkSize) continue;
    yield chunk;
    chunk = '';
  }
  yield `${chunk}\n},"sent":[\n${[...sent.keys()].join(',\n')}\n]}\n`;
}

export function formatLedger(ledger: Ledger): string {
  return [...ledgerChunks(ledger)].join('');
}

/** A record that points to its common fields in `sent`. Adds new ones there. */
function toJson(record: LedgerRecord, sent: Map<string, number>) {
  const { pageName, project, contact, description, date, ids, state } = record;
  const fields = JSON.stringify({ project, contact, description, date });
  const place = sent.get(fields) ?? sent.size;
  if (place === sent.size) sent.set(fields, place);
  return { pageName, sent: place, ids, state };
}
