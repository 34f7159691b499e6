import * as z from 'zod';
import { isGroup } from '../../config/option-values.ts';
import { isAssetId } from '../../errors/asset-id.ts';
import { compare } from '../../errors/compare.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import { parseJson } from '../../errors/wording.ts';
import { gapSchema } from './gaps.ts';
import { lastRunSchema } from './last-run.ts';
import { emptyLedger, type Ledger, type LedgerRecord, type RecordState } from './ledger.ts';
import { type LedgerIdentity, ledgerIdentity, ownPages } from './ledger-identity.ts';
import type { StateStore } from './open-state-store.ts';

/** Reads the ledger of a site, with the tag of the stored state. Without one, it's empty. */
export async function loadLedger(
  store: Pick<StateStore, 'name' | 'read'>,
  identity: LedgerIdentity,
) {
  const path = store.name;
  const own = ledgerIdentity(identity);
  const state = await store.read();
  if (state === undefined) return { ledger: emptyLedger(own), tag: undefined };
  const ledger = parseLedger(state.text, path);
  const [found, expected] = [nameOf(ledgerIdentity(ledger)), nameOf(own)];
  if (found !== expected) throw mediaAssetError('ledger-foreign', { path, found, expected });
  return { ledger: { ...ledger, ...own }, tag: state.tag };
}

function nameOf({ service, site, base }: LedgerIdentity): string {
  return `${site}${base} in ${service}`;
}

const version = 3;

const repeatedFieldsSchema = z.strictObject({
  project: z.string(),
  contact: z.string(),
  description: z.string(),
  date: z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'expected a day, YYYY-MM-DD'),
});

const schema = z.strictObject({
  version: z.literal(version, `expected version ${version}`),
  service: z.url(),
  site: z.url(),
  base: z.string(),
  startedAt: z.iso.datetime().optional(),
  build: z.string().optional(),
  gap: gapSchema.optional(),
  unsentSince: z.iso.datetime().optional(),
  lastRun: lastRunSchema.optional(),
  pages: z.custom<Readonly<Record<string, unknown>>>(isGroup, 'expected an object'),
  sent: z.array(repeatedFieldsSchema),
});

/** Reads a ledger. A page outside its site makes it broken. `path` is the store's name in messages. */
function parseLedger(text: string, path: string): Ledger {
  const broken = (problem: string, cause?: unknown) =>
    mediaAssetError('ledger-broken', { path, problem }, { cause });
  const data = parseJson(text, schema, broken);
  const { version: _, pages, sent, unsentSince, ...head } = data;
  const isOwn = ownPages(head);
  const read = new Map<string, readonly LedgerRecord[]>();
  for (const page of Object.keys(pages)) {
    const records = readRecords(pages[page], { page, sent });
    if (!records) throw broken(`the records of ${page} can't be read`);
    if (!isOwn(page)) throw broken(`its page ${page} isn't below ${head.site}${head.base}`);
    read.set(page, records);
  }
  return { ...head, unsentSince, pages: read };
}

const states: readonly RecordState[] = ['confirmed', 'unremoved', 'in-doubt', 'unsent'];

/**
 * The records of a page; `undefined` if one is wrong. No schema does this, because copying a large
 * site's ledger would take most of the time and memory.
 */
function readRecords(
  value: unknown,
  { page, sent }: { page: string; sent: readonly z.output<typeof repeatedFieldsSchema>[] },
): LedgerRecord[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const records: LedgerRecord[] = [];
  for (const record of value) {
    if (!isGroup(record)) return undefined;
    const { pageName, sent: place, ids, state, ...unknown } = record;
    const fields = Number.isInteger(place) ? sent[Number(place)] : undefined;
    const areIds = Array.isArray(ids) && ids.length > 0 && ids.every(isAssetId);
    const known = states.find((one) => one === state);
    if (typeof pageName !== 'string' || !areIds || !known || !fields) return undefined;
    if (Object.keys(unknown).length > 0) return undefined;
    records.push({ page, pageName, ...fields, ids, state: known });
  }
  return records;
}

/** In characters. */
const chunkSize = 64 * 1024;

/**
 * A ledger as JSON, in chunks, because the text of a large site's ledger takes much memory. The same
 * ledger gives the same text. Each page has its own line. Fields that records share are listed once,
 * at the end, and records point to them.
 */
export function* ledgerChunks({ pages, ...head }: Ledger): Generator<string, void> {
  const { service, site, base, startedAt, build, gap, unsentSince, lastRun } = head;
  const start = { version, service, site, base, startedAt, build, gap, unsentSince, lastRun };
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
