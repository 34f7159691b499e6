import { setImmediate } from 'node:timers/promises';
import { isMediaAssetError } from '../../errors/errors.ts';
import { createRecordReader, type FoundRecord } from '../../service/read-records.ts';
import type { MediaService } from '../../service/types.ts';
import type { RecordCredit } from '../formats/credit.ts';
import { isOutage } from '../sources/asset-errors.ts';
import type { Catalogue } from '../store/catalogue.ts';
import { type CataloguedRecord, digest } from '../store/catalogue-data.ts';
import {
  type AssetRecord,
  embeddedCredit,
  noRecord,
  type ReadRecord,
  type RecordFields,
  readAssetRecord,
} from './asset-record.ts';
import { type RightsState, rightsState } from './rights-state.ts';

export interface RecordRule {
  /** The names of the service's fields that `read` uses. */
  readonly fields: readonly string[];
  readonly read: ReadRecord;
  /** The language of requests without one. */
  readonly defaultLocale?: string | undefined;
}

/** An asset's record, and whether the asset may be shown today. */
export interface KnownRecord {
  readonly record: AssetRecord;
  /** Written into published files, which pages of all languages share; `undefined` if it's empty. */
  readonly embedded: RecordCredit | undefined;
  readonly state: RightsState;
  /** Whether the service lists the asset. */
  readonly isListed: boolean;
}

/**
 * Reads a record as the site does.
 *
 * @param request.fields null if the service doesn't list the asset
 * @param request.now in ms since the epoch
 * @throws `record-invalid`
 */
export function readKnownRecord(
  { read, defaultLocale }: RecordRule,
  request: {
    readonly id: number;
    readonly fields: RecordFields | null;
    readonly locale?: string | undefined;
    readonly now: number;
    readonly warnDays: number;
  },
): KnownRecord {
  const { id, fields, locale = defaultLocale } = request;
  const readIn = (language: string | undefined) =>
    fields ? readAssetRecord(read, { id, fields, locale: language }) : noRecord;
  const shared = readIn(defaultLocale);
  const record = locale === defaultLocale ? shared : readIn(locale);
  const state = rightsState(record, request);
  return { record, embedded: embeddedCredit(shared), state, isListed: fields !== null };
}

/** The records of one run. Each is read at most once in a build, and about twice a minute in dev. */
export interface Records {
  /**
   * Reads the records of assets that pages will request, in few requests. Pages wait for their IDs, so
   * that both are read together.
   *
   * @throws errors that affect all assets, except an outage
   */
  prepare(ids: Iterable<number> | Promise<Iterable<number>>): Promise<void>;
  /**
   * Gets the record of an asset. In an outage, it's the cached one. `undefined` if no record is cached,
   * and there are no credentials or dev can't reach the service.
   *
   * @throws `record-invalid`, and errors of the client if no record is cached
   */
  find(id: number, locale?: string): Promise<KnownRecord | undefined>;
  /** A digest of everything in the record that pages depend on; `undefined` if it isn't cached. */
  outcome(id: number): string | undefined;
  /** When the record was last read, if this run couldn't read it; in ms since the epoch. */
  staleSince(id: number): number | undefined;
  /** Resolves when no background request is pending. */
  settled(): Promise<void>;
}

/** In ms. */
const refreshInDev = 30_000;

export function createRecords({
  service,
  catalogue,
  mode,
  clock,
  hasCredentials,
  rule,
  warnDays,
  nameOf,
  onBackgroundFailure,
}: {
  service: MediaService;
  catalogue: Catalogue;
  mode: 'build' | 'dev';
  clock: () => number;
  hasCredentials: boolean;
  rule: RecordRule;
  warnDays: number;
  /** The cached name of an asset in the service. */
  nameOf: (id: number) => Promise<string | undefined>;
  onBackgroundFailure: (error: unknown, id: number) => void;
}): Records {
  const { baseUrl } = service;
  const { fields } = rule;
  const asked = fields.join(',');
  const startedAt = clock();
  const now = () => (mode === 'build' ? startedAt : clock());
  const folders = {
    get: (id: number) => catalogue.record(baseUrl, id)?.folder ?? undefined,
  };
  const openReader = () => createRecordReader(service, { fields, folders, nameOf });
  const reader = openReader();
  let batch: { ids: Set<number>; found: Promise<ReadonlyMap<number, FoundRecord>> } | undefined;
  const checks = new Map<number, Promise<CataloguedRecord>>();
  const stale = new Map<number, number>();
  /** When dev last met an outage, by asset, in ms since the epoch. */
  const failedAt = new Map<number, number>();
  /** The requests of dev that are pending. */
  const refreshes = new Map<number, Promise<CataloguedRecord | undefined>>();
  let outage: unknown;
  /** Resolves when the assets to prepare are known. */
  let prepared: Promise<unknown> = Promise.resolve();

  function cached(id: number): CataloguedRecord | undefined {
    const record = catalogue.record(baseUrl, id);
    return record?.asked === asked ? record : undefined;
  }

  const knownOf = (id: number, { fields }: Pick<CataloguedRecord, 'fields'>, locale?: string) =>
    readKnownRecord(rule, { id, fields, locale, now: now(), warnDays });

  /** Reads the records that are asked for at the same time together. */
  function ask(id: number): Promise<ReadonlyMap<number, FoundRecord>> {
    if (!batch) {
      const ids = new Set<number>();
      const found = setImmediate().then(() => {
        batch = undefined;
        return (mode === 'build' ? reader : openReader()).read(ids);
      });
      batch = { ids, found };
    }
    batch.ids.add(id);
    return batch.found;
  }

  async function check(id: number): Promise<CataloguedRecord> {
    const last = cached(id);
    try {
      await prepared;
      if (outage) throw outage;
      const found = (await ask(id)).get(id);
      const fields = found?.record.fields ?? null;
      return store(id, { fields, folder: found?.folder ?? null, checkedAt: clock() });
    } catch (thrown) {
      if (!isOutage(thrown)) throw thrown;
      if (mode === 'build') outage = thrown;
      else failedAt.set(id, clock());
      if (!last) throw thrown;
      stale.set(id, last.checkedAt);
      // A day may have ended since.
      return store(id, last);
    }
  }

  function store(
    id: number,
    { fields, folder, checkedAt }: Pick<CataloguedRecord, 'fields' | 'folder' | 'checkedAt'>,
  ): CataloguedRecord {
    const isForbidden = knownOf(id, { fields }).state === 'forbidden';
    const record = { fields, asked, folder, checkedAt, outcome: digest([fields, isForbidden]) };
    catalogue.setRecord(baseUrl, id, record);
    return record;
  }

  function checkOnce(id: number): Promise<CataloguedRecord> {
    const checked = checks.get(id) ?? check(id);
    checks.set(id, checked);
    return checked;
  }

  async function inDev(id: number): Promise<CataloguedRecord | undefined> {
    const last = cached(id);
    const latest = Math.max(last?.checkedAt ?? 0, failedAt.get(id) ?? 0);
    if (clock() - latest < refreshInDev) return last;
    const refreshed =
      refreshes.get(id) ??
      check(id)
        .catch((thrown: unknown) => {
          if (!last && !isOutage(thrown)) throw thrown;
          onBackgroundFailure(thrown, id);
          return last;
        })
        .finally(() => refreshes.delete(id));
    refreshes.set(id, refreshed);
    return last ?? refreshed;
  }

  return {
    async prepare(ids) {
      const known = Promise.resolve(ids);
      prepared = Promise.allSettled([prepared, known]);
      // All at once, so that each folder is listed once.
      const settled = await Promise.allSettled([...(await known)].map(checkOnce));
      for (const one of settled)
        if (one.status === 'rejected' && !isOfPage(one.reason)) throw one.reason;
    },
    async find(id, locale) {
      const stored = await (() => {
        if (!hasCredentials) return cached(id);
        return mode === 'build' ? checkOnce(id) : inDev(id);
      })();
      return stored && knownOf(id, stored, locale);
    },
    outcome: (id) => cached(id)?.outcome,
    staleSince: (id) => stale.get(id),
    async settled() {
      while (refreshes.size > 0) await Promise.allSettled(refreshes.values());
    },
  };
}

/** Whether the pages that show the asset report the error. */
function isOfPage(thrown: unknown): boolean {
  return isOutage(thrown) || isMediaAssetError(thrown, 'record-invalid');
}
