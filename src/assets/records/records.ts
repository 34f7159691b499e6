import { setImmediate } from 'node:timers/promises';
import { ignoreOurs, isMediaAssetError } from '../../errors/errors.ts';
import { createRecordReader, type FoundRecord } from '../../service/read-records.ts';
import type { FileRecord, MediaService } from '../../service/types.ts';
import type { RecordCredit } from '../formats/credit.ts';
import { isOutage } from '../sources/asset-errors.ts';
import { digest, type RecordOutcome, type StoredRecord } from '../store/asset-facts.ts';
import type { AssetStore } from '../store/asset-store.ts';
import {
  type AssetRecord,
  embeddedCredit,
  type ReadRecord,
  type RecordFields,
  readAssetRecord,
} from './asset-record.ts';
import type { SiteLanguages } from './site-languages.ts';
import { judgeRecord, type Verdict } from './verdict.ts';

export interface RecordRule extends SiteLanguages {
  /** The names of the service's fields that `read` uses. */
  readonly fields: readonly string[];
  readonly read: ReadRecord;
}

/** What happens to assets on pages that may not be shown, or whose rights are unknown or end soon. */
export interface RightsRule {
  /** `warn` shows forbidden assets. `fail` and `hide` leave them out, and the build decides. */
  readonly forbidden: 'fail' | 'hide' | 'warn';
  readonly unknown: 'allow' | 'warn' | 'forbid';
  /** Days before the end of an asset's rights at which builds start to warn. */
  readonly warnDays: number;
}

export interface KnownRecord {
  readonly record: AssetRecord;
  /** Written into published files, which pages of all languages share; `undefined` if it's empty. */
  readonly embedded: RecordCredit | undefined;
  readonly verdict: Verdict;
}

/**
 * Reads a record as the site does, in one language.
 *
 * @param request.fields null if the service gives no record. Then the site's `read` gets no fields
 */
export function readKnownRecord(
  { read, defaultLocale }: RecordRule,
  asked: {
    readonly id: number;
    readonly fields: RecordFields | null;
    readonly locale?: string | undefined;
    readonly now: number;
    readonly rights: Pick<RightsRule, 'warnDays' | 'unknown'>;
  },
): KnownRecord {
  const { id, fields, locale = defaultLocale, now } = asked;
  const readIn = (language: string | undefined) =>
    readAssetRecord(read, { id, fields: fields ?? {}, locale: language });
  const shared = readIn(defaultLocale);
  const record = locale === defaultLocale ? shared : readIn(locale);
  const verdict = judgeRecord(record, { isRead: fields !== null, now, ...asked.rights });
  return { record, embedded: embeddedCredit(shared), verdict };
}

/** Judges records that a list has answered, without a request for each. */
export function listedRecords(
  rule: RecordRule,
  context: { readonly rights: Pick<RightsRule, 'warnDays' | 'unknown'>; now(): number },
) {
  return {
    /** The fields to ask for. */
    fields: rule.fields,
    /** The field that `read` takes the alt text from; `undefined` if it's made of something else. */
    altField(locale = rule.defaultLocale): string | undefined {
      try {
        const named = Object.fromEntries(rule.fields.map((name) => [name, name]));
        const read = rule.read(named, { locale });
        return rule.fields.find((name) => name === Reflect.get(Object(read), 'alt'));
      } catch {
        return undefined;
      }
    },
    /** `undefined` if the site's `read` fails. The page that shows the asset reports that. */
    mayShow({ id, fields }: FileRecord, locale?: string): boolean | undefined {
      try {
        const asked = { id, fields, locale, rights: context.rights, now: context.now() };
        return readKnownRecord(rule, asked).verdict.state !== 'forbidden';
      } catch (thrown) {
        return ignoreOurs(thrown);
      }
    },
  };
}

export type Records = ReturnType<typeof createRecords>;
type StoredFields = Pick<StoredRecord, 'fields'>;

/** In ms. */
const refreshInDev = 30_000;

/** The records of one run. Each is read at most once in a build, and about twice a minute in dev. */
export function createRecords(run: {
  service: MediaService;
  store: AssetStore;
  mode: 'build' | 'dev';
  clock: () => number;
  hasCredentials: boolean;
  rule: RecordRule;
  rights: Pick<RightsRule, 'warnDays' | 'unknown'>;
  onBackgroundFailure: (error: unknown, id: number) => void;
}) {
  const { service, store, mode, clock, hasCredentials, rule, rights, onBackgroundFailure } = run;
  const { fields, defaultLocale } = rule;
  const asked = fields.join(',');
  const startedAt = clock();
  const now = () => (mode === 'build' ? startedAt : clock());
  const recordOf = (id: number) => store.facts(id).record;
  const folders = { get: (id: number) => recordOf(id)?.folder ?? undefined };
  const nameOf = async (id: number) => store.nameOf(id);
  const openReader = () => createRecordReader(service, { fields, folders, nameOf });
  const reader = openReader();
  let batch: { ids: Set<number>; found: Promise<ReadonlyMap<number, FoundRecord>> } | undefined;
  const checks = new Map<number, Promise<StoredRecord>>();
  /** What was read from the latest fields, by asset and language. */
  const readings = new Map<number, Map<string | undefined, KnownRecord>>();
  const stale = new Map<number, number>();
  /** When dev last met an outage, by asset, in ms since the epoch. */
  const failedAt = new Map<number, number>();
  /** The requests of dev that are pending. */
  const refreshes = new Map<number, Promise<StoredRecord | undefined>>();
  let outage: unknown;
  /** Resolves when the assets to prepare are known. */
  let prepared: Promise<unknown> = Promise.resolve();

  function cached(id: number): StoredRecord | undefined {
    const record = recordOf(id);
    return record?.asked === asked ? record : undefined;
  }

  function knownOf(id: number, { fields }: StoredFields, locale = defaultLocale): KnownRecord {
    const byLocale = readings.get(id) ?? new Map<string | undefined, KnownRecord>();
    readings.set(id, byLocale);
    const known =
      byLocale.get(locale) ?? readKnownRecord(rule, { id, fields, locale, now: now(), rights });
    byLocale.set(locale, known);
    return known;
  }

  /** A page that asks for the record gets the error itself. */
  function outcomeIn(locale: string, id: number, stored: StoredFields): RecordOutcome {
    try {
      const { record, embedded, verdict } = knownOf(id, stored, locale || undefined);
      const mayShow = verdict.state !== 'forbidden';
      return { digest: digest([record, embedded, mayShow]), mayShow, until: verdict.until };
    } catch (thrown) {
      if (!isMediaAssetError(thrown, 'record-invalid')) throw thrown;
      return { digest: digest([thrown.code, stored.fields]), mayShow: false };
    }
  }

  /** Remembers that pages depend on the record in this language. */
  function noteLocale(id: number, locale = defaultLocale ?? ''): void {
    const stored = cached(id);
    if (!stored || Object.hasOwn(stored.outcomes, locale)) return;
    const outcomes = { ...stored.outcomes, [locale]: outcomeIn(locale, id, stored) };
    store.note(id, { record: { ...stored, outcomes } });
  }

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

  async function check(id: number): Promise<StoredRecord> {
    const last = cached(id);
    try {
      await prepared;
      if (outage) throw outage;
      const found = (await ask(id)).get(id);
      const fields = found?.record.fields ?? null;
      return keep(id, { fields, folder: found?.folder ?? null, checkedAt: clock() });
    } catch (thrown) {
      if (!isOutage(thrown)) throw thrown;
      if (mode === 'build') outage = thrown;
      else failedAt.set(id, clock());
      if (!last) throw thrown;
      stale.set(id, last.checkedAt);
      // A day may have ended since.
      return keep(id, last);
    }
  }

  function keep(
    id: number,
    { fields, folder, checkedAt }: Pick<StoredRecord, 'fields' | 'folder' | 'checkedAt'>,
  ): StoredRecord {
    readings.delete(id);
    const locales = new Set([defaultLocale ?? '', ...Object.keys(recordOf(id)?.outcomes ?? {})]);
    const outcomes = Object.fromEntries(
      Array.from(locales, (locale) => [locale, outcomeIn(locale, id, { fields })]),
    );
    const record = { fields, asked, folder, checkedAt, outcomes };
    store.note(id, { record });
    return record;
  }

  function checkOnce(id: number): Promise<StoredRecord> {
    const checked = checks.get(id) ?? check(id);
    checks.set(id, checked);
    return checked;
  }

  async function inDev(id: number): Promise<StoredRecord | undefined> {
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
    /**
     * Reads the records of assets that pages will request, in few requests. Pages wait for their IDs, so
     * that both are read together. Throws errors that affect all assets, except an outage.
     */
    async prepare(ids: Iterable<number> | Promise<Iterable<number>>): Promise<void> {
      const known = Promise.resolve(ids);
      prepared = Promise.allSettled([prepared, known]);
      // All at once, so that each folder is listed once.
      const settled = await Promise.allSettled([...(await known)].map(checkOnce));
      // The pages that show the asset report the others.
      for (const one of settled) {
        if (one.status === 'fulfilled' || isOutage(one.reason)) continue;
        if (!isMediaAssetError(one.reason, 'record-invalid')) throw one.reason;
      }
    },
    /**
     * Gets the record of an asset, the same object for each request of a build in one language. In an
     * outage, it's the cached one. In dev, `undefined` if none is cached and the service can't be asked.
     */
    async find(id: number, locale?: string): Promise<KnownRecord | undefined> {
      const last = hasCredentials ? undefined : cached(id);
      const stored = last ?? (await (mode === 'build' ? checkOnce(id) : inDev(id)));
      if (!stored) return undefined;
      noteLocale(id, locale);
      return knownOf(id, stored, locale);
    },
    /** What pages depend on in each language that they've asked for. */
    outcomes: (id: number) => cached(id)?.outcomes,
    /** When the record was last read, if this run couldn't read it; in ms since the epoch. */
    staleSince: (id: number) => stale.get(id),
    outage: () => outage,
    async settled(): Promise<void> {
      while (refreshes.size > 0) await Promise.allSettled(refreshes.values());
    },
  };
}
