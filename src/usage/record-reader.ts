import * as z from 'zod';
import type { LedgerRecord } from './ledger.ts';

const day = /^\d{4}-\d{2}-\d{2}$/;

/** What the records of a site have in common. */
export const repeatedFieldsSchema = z.strictObject({
  project: z.string(),
  contact: z.string(),
  description: z.string(),
  date: z.string().regex(day, 'expected a day, YYYY-MM-DD'),
});

type RepeatedFields = z.output<typeof repeatedFieldsSchema>;

/** For each field of a record, and for no other: what was expected, and whether a value is that. */
type Rules = readonly (readonly [
  name: string,
  expected: string,
  isRight: (value: unknown) => boolean,
])[];

const isText = (value: unknown) => typeof value === 'string';
const isDay = (value: unknown) => typeof value === 'string' && day.test(value);
const states = new Set<unknown>(['confirmed', 'in-doubt', 'unsent']);

const ownRules: Rules = [
  ['pageName', 'a text', isText],
  ['ids', 'a list of positive whole numbers', areIds],
  ['state', 'confirmed, in-doubt or unsent', (value) => states.has(value)],
];

const wholeRules: Rules = [
  ...ownRules,
  ['project', 'a text', isText],
  ['contact', 'a text', isText],
  ['description', 'a text', isText],
  ['date', 'a day, YYYY-MM-DD', isDay],
];

/**
 * Reads the records of a page as a ledger's JSON has them; gives what is wrong with them where they
 * are none. With `sent`, a record names there by a place what it has in common with others; without,
 * it has all of its fields. Checked by hand: a schema copies what it checks, and of a large site's
 * ledger most of the time and of the memory would go into that.
 */
export function recordReader(
  sent: readonly RepeatedFields[] | undefined,
): (value: unknown) => readonly LedgerRecord[] | string {
  if (sent === undefined) {
    return (value) => problemOf(value, wholeRules) ?? (value as readonly LedgerRecord[]);
  }
  const isPlace = (value: unknown) => Number.isInteger(value) && Number(value) in sent;
  const rules: Rules = [...ownRules, ['sent', 'a place in the list “sent”', isPlace]];
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
    if (Object.keys(record).length > rules.length) return 'it has a field that is not known';
  }
  return undefined;
}

function areIds(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isId);
}

function isId(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
