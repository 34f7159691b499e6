import { compare } from '../scan/compare.ts';
import type { Ledger, LedgerRecord } from './ledger.ts';

/** In characters: so much of a ledger's text is made at once. */
const chunkSize = 64 * 1024;

/**
 * A ledger as JSON, in parts that are made as they are taken: the whole text of a large site's would
 * be much. The same ledger gives the same text; each page has a line of its own, and what records have
 * in common stands once, at the end, where they name it by its place.
 */
export function* ledgerChunks({ pages, ...head }: Ledger): Generator<string, void> {
  const { service, site, base, unsentSince, lastRun } = head;
  const start = { version: 2, service, site, base, unsentSince, lastRun };
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

/** A ledger as one text. */
export function formatLedger(ledger: Ledger): string {
  return [...ledgerChunks(ledger)].join('');
}

/** A record that names its common fields by their place in `sent`, where they are added if new. */
function toJson(record: LedgerRecord, sent: Map<string, number>) {
  const { pageName, project, contact, description, date, ids, state } = record;
  const fields = JSON.stringify({ project, contact, description, date });
  const place = sent.get(fields) ?? sent.size;
  if (place === sent.size) sent.set(fields, place);
  return { pageName, sent: place, ids, state };
}
