import { listIds } from '../../errors/wording.ts';
import { isFields, type ListPage, plainName, readList, textIn } from '../http/known-answers.ts';
import type { Reader } from '../http/receive-answer.ts';
import { type Call, sendJson } from '../http/service-context.ts';
import * as requests from '../requests.ts';
import type { UsageRecord } from '../types.ts';
import { assertAssetId, checkArgument, checkRequest } from './check-argument.ts';
import { pageForms } from './list-files.ts';
import { type Ask, type PagingMemory, pageThrough } from './page-through.ts';

const maxPages = 1000;

/**
 * Returns all usages of an asset. The interface doesn't define this call. A service can list a usage
 * more than once, so only a page that equals an earlier one repeats it. Throws like `pageThrough`; also
 * `asset-id-invalid`, `argument-invalid`, and `answer-unexpected` for an entry that can't be read.
 */
export async function listUsages(
  baseUrl: string,
  { id, request }: { id: number; request?: requests.SignalRequest | undefined },
  ask: Ask,
  memory: PagingMemory = { whole: 0 },
): Promise<UsageRecord[]> {
  const place = 'usages.list';
  assertAssetId(id, place);
  const { signal } = checkRequest(`${place}()`, requests.signalRequest, request);
  const first = `${baseUrl}/1/file/${id}/usage?fields=any`;
  const name = `the usages of asset ${id} (GET ${first})`;
  const call = { kind: 'read', name, asset: id, signal } as const;
  const keysOf = (usages: readonly UsageRecord[]) => [JSON.stringify(usages)];
  const list = { call, first, read: readUsagePage, maxPages, forms: pageForms, keysOf, memory };
  return (await Array.fromAsync(pageThrough(list, ask))).flat();
}

const trimmed = (value: unknown) => textIn(value)?.trim() || undefined;

/** The fields of an object by their plain names, so that `Page` is `page`. */
const plainFields = (value: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(isFields(value) ? value : {}).map(([name, inner]) => [plainName(name), inner]),
  );

/**
 * Reads a usage with the names of real services or of section 2.1. `undefined` without a name of the
 * page, even an empty one: then it may be on any page.
 */
function usageIn(value: unknown): UsageRecord | undefined {
  const entry = plainFields(value);
  const web = plainFields(entry.web);
  const places = [entry.url, entry.page, web.page].filter((place) => place !== undefined);
  const isText = (place: unknown) => place === null || place === '' || textIn(place) !== undefined;
  if (places.length === 0 || !places.every(isText)) return undefined;
  const types = [entry.types, entry.type].flat().flatMap((type) => trimmed(type) ?? []);
  return {
    page: places.flatMap((place) => trimmed(place) ?? [])[0] ?? '',
    project: trimmed(entry.project),
    pageName: trimmed(entry.pagename) ?? trimmed(web.pagename),
    contact: trimmed(entry.contact),
    description: trimmed(entry.description),
    date: trimmed(entry.publishdate) ?? trimmed(entry.date),
    amount: trimmed(entry.amount),
    types: types.length > 0 ? types : undefined,
  };
}

const readUsagePage: Reader<ListPage<UsageRecord>> = (json, headers) => {
  const reading = readList(json, headers, {
    kind: 'usages',
    read: usageIn,
    odd: 'has no page that can be read',
  });
  if ('problem' in reading) return reading;
  const { skipped, value } = reading;
  if (skipped[0] !== undefined) return { problem: skipped[0] };
  // Next to all usages, `pages` can be the number of pages that show the asset.
  const shown = new Set(value.records.map(({ page }) => page)).size;
  return isFields(json) && json.pages === shown ? { value: { ...value, pages: 1 } } : { value };
};

/** How long a request in progress may take after the run is aborted, in ms. */
const grace = 1000;

/** Reports or removes one usage (sections 2.1, 2.2 and 4). Throws like `toUsageBody`. */
export function usageCall(
  baseUrl: string,
  usage: requests.Usage,
  request?: requests.UsageRequest,
): Call {
  const body = toUsageBody(usage);
  const { signal, beforeAttempt } = checkRequest('usages.report()', requests.usageRequest, request);
  const url = `${baseUrl}/1/files/multiple/usages`;
  const what = usage.removed ? 'removal of the usage' : 'report of the usage';
  const assets = `${usage.ids.length === 1 ? 'asset' : 'assets'} ${listIds(usage.ids)}`;
  return {
    kind: usage.removed ? 'usage-removal' : 'usage-report',
    name: `the ${what} of ${assets} ${usage.page ? `on ${usage.page}` : `in “${usage.project}”`} (POST ${url})`,
    request: sendJson('POST', url, body),
    signal,
    grace,
    beforeAttempt,
  };
}

/**
 * The body of `POST /1/files/multiple/usages` (section 2.1), with fields in that order. Throws
 * `argument-invalid`, or `asset-id-invalid` if `ids` is empty or holds anything else.
 */
export function toUsageBody(usage: requests.Usage) {
  const check = { place: 'usages.report()', name: 'usage', schema: requests.usageArgument };
  const { ids, page, pageName, removed, ...fields } = checkArgument(check, usage);
  const { contact, date, amount, description, project, types } = fields;
  if (ids.length === 0) assertAssetId(undefined, page);
  for (const id of ids) assertAssetId(id, page);
  return {
    ...{ id: ids, contact, date, amount, description, project, types },
    removed: String(removed),
    web: { page, pageName },
  };
}
