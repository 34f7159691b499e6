import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  type InLanguages,
  type Language,
  ofLanguage,
  onNoPage,
  type ShownIn,
  type SiteLanguages,
} from '../../config/languages.ts';
import type { ResolvedOptions } from '../../config/options.ts';
import { type Finding, finding, ignoreOurs, isMediaAssetError } from '../../errors/errors.ts';
import { createFieldProofs } from '../../service/field-proofs.ts';
import {
  createRecordReader,
  type FoundRecord,
  type WholeRecord,
} from '../../service/read-records.ts';
import type { FileRecord, MediaService } from '../../service/types.ts';
import { digest } from '../../storage/digest.ts';
import type { RecordCredit } from '../formats/credit.ts';
import { isOutage } from '../sources/asset-errors.ts';
import type { RecordOutcome, StoredRecord } from '../store/asset-facts.ts';
import type { AssetStore } from '../store/asset-store.ts';
import {
  type AssetRecord,
  embeddedCredit,
  readAssetRecord,
  type TextsRule,
} from './asset-record.ts';
import { judge, type KnownFields, noRecord, type RightsRule, type Verdict } from './verdict.ts';

/** How a site reads records. One request asks for the fields of texts and rights. */
export interface RecordRule {
  readonly texts: TextsRule | undefined;
  readonly rights: Omit<RightsRule, 'forbidden'>;
}

/** `undefined` if a site reads no records. */
export function recordRule({
  record: texts,
  rights,
}: Pick<ResolvedOptions, 'record'> & Pick<RecordRule, 'rights'>): RecordRule | undefined {
  return texts || rights.read ? { texts, rights } : undefined;
}

/** What a rule asks the service for, and what of it must be known. */
export function requestOf({ texts, rights }: RecordRule) {
  const { fields = [], optional = [] } = rights;
  const { fields: ofTexts = [], locales = {} } = texts ?? {};
  const all = [ofTexts, fields, optional, ...Object.entries(locales)];
  return {
    fields: [...new Set([...ofTexts, ...fields])],
    // Lists don't have the texts of several locales.
    decisive: { fields, optional, sampled: Object.keys(locales).length > 0 ? [] : ofTexts },
    texts: { fields: ofTexts, locales },
    /** Changes whenever the answers mean something else. */
    asked: all.map((names) => names.join(',')).join(';'),
  };
}

export interface KnownRecord {
  /** `undefined` if the site reads no texts. */
  readonly record: AssetRecord | undefined;
  /** Written into published files, which pages of all languages share; `undefined` if it's empty. */
  readonly embedded: RecordCredit | undefined;
  readonly verdict: Verdict;
}

/** Reads a record as the site does. Without a record, `record.read` gets no fields. */
export function readKnownRecord(
  rule: RecordRule,
  asked: InLanguages & {
    readonly id: number;
    readonly known: KnownFields;
    readonly languages: SiteLanguages;
    readonly now: number;
  },
): KnownRecord {
  const { id, known, texts, languages } = asked;
  const readIn = (code: string): AssetRecord | undefined => {
    const fields = { ...known.fields, ...ofLanguage(known.texts ?? {}, code) };
    return rule.texts && readAssetRecord(rule.texts, { id, fields, locale: code || undefined });
  };
  return {
    record: readIn(texts),
    embedded: embeddedCredit(readIn(languages.all[0])),
    verdict: judgeIn(rule, asked),
  };
}

function judgeIn(
  { rights }: RecordRule,
  { id, known, shownIn, languages, now }: Omit<Parameters<typeof readKnownRecord>[1], 'texts'>,
): Verdict {
  const judged = (language: Language) => judge(rights, { id, known, language, now });
  return joinVerdicts(languages.each(shownIn).map(judged), shownIn);
}

const strictness = ['allowed', 'ending', 'unknown', 'forbidden'] as const;

/** Each language must allow the asset. On no page, one is enough: its pages are judged later. */
function joinVerdicts(verdicts: readonly Verdict[], shownIn: ShownIn): Verdict {
  const sorted = verdicts.toSorted(
    (one, other) =>
      strictness.indexOf(one.state) - strictness.indexOf(other.state) ||
      (other.until ?? 'z').localeCompare(one.until ?? 'z'),
  );
  return sorted.at(shownIn === onNoPage ? 0 : -1) as Verdict;
}

/** Judges records that lists have answered. What they lack of the deciding fields can be read singly. */
export function listedRecords(
  rule: RecordRule,
  { service, languages, now }: { service: MediaService; languages: SiteLanguages; now(): number },
) {
  const { fields, decisive, texts } = requestOf(rule);
  const { sampled } = decisive;
  /** Of lists and of searches, which can have other fields. */
  const [ofLists, ofSearches] = [createFieldProofs(decisive), createFieldProofs(decisive)];
  // People should see what isn't known, whatever pages make of it.
  const open = { ...rule, rights: { ...rule.rights, unknown: 'warn' } } as const;

  /** Whatever an answer proves can change what others mean. */
  let proofs = 0;
  const alone = createRecordReader(service, { fields, decisive, texts });

  return {
    /** The fields to ask for. */
    fields,
    judges: { rights: rule.rights.read !== undefined, alt: rule.texts !== undefined },
    altField: (locale?: string) => altField(rule, locale ?? languages.all[0]),
    /** What an asset's own record says, read without a cache. */
    async describe(id: number, use: InLanguages) {
      const found = await alone.read([id]);
      const known = found.get(id)?.record ?? noRecord;
      const today = now() + service.clockAhead();
      return readKnownRecord(rule, { ...use, id, known, languages, now: today });
    },
    /** Opens a list or a search, whose records are noted as they arrive. It says what is known by now. */
    open(isSearch: boolean) {
      const request = { fields, decisive, proofs: isSearch ? ofSearches : ofLists };
      const reader = createRecordReader(service, request);
      let known = { at: 0, values: new Map<string, unknown>() };

      /** Reads something of a record, once until more is proved: `undefined` if the site fails to. */
      function once<T>(
        [what, id, { shownIn, texts }]: readonly [string, number, InLanguages],
        read: (record: WholeRecord) => T,
      ): T | undefined {
        if (known.at !== proofs) known = { at: proofs, values: new Map() };
        const key = `${what} ${id} ${shownIn} ${texts}`;
        const record = known.values.has(key) ? undefined : reader.known([id]).get(id)?.record;
        try {
          if (record) known.values.set(key, read(record));
        } catch (thrown) {
          // The page that shows the asset reports it.
          known.values.set(key, ignoreOurs(thrown));
        }
        return known.values.get(key) as T | undefined;
      }
      return {
        note(record: FileRecord): void {
          proofs += 1;
          reader.note(record);
        },
        complete: (records: readonly FileRecord[]) =>
          reader.complete(records).finally(() => {
            proofs += 1;
          }),
        verdict: (id: number, use: InLanguages) =>
          once(['rights', id, use], (record) => {
            const today = now() + service.clockAhead();
            return judgeIn(open, { ...use, id, known: record, languages, now: today });
          }),
        /** Whether the record has an alt text. */
        hasAlt: (id: number, use: InLanguages) =>
          once(['alt', id, use], (record) => {
            if (!rule.texts || ofLanguage(texts.locales, use.texts)) return undefined;
            const asked = { id, fields: record.fields, locale: use.texts || undefined };
            if (readAssetRecord(rule.texts, asked).alt) return true;
            const lacks = sampled.some((name) => record.lacking.includes(name));
            return sampled.length > 0 && !lacks ? false : undefined;
          }),
      };
    },
  };
}

/** The field that has the alt text in a language; `undefined` if there's none, or one for several. */
export function altField({ texts }: RecordRule, locale: string): string | undefined {
  try {
    const { fields = [], locales = {}, read } = texts ?? {};
    if (ofLanguage(locales, locale)) return undefined;
    const named = Object.fromEntries(fields.map((name) => [name, name]));
    const result = read?.(named, { locale: locale || undefined });
    return fields.find((name) => name === Reflect.get(Object(result), 'alt'));
  } catch {
    return undefined;
  }
}

export type Records = ReturnType<typeof createRecords>;
type StoredFields = Pick<StoredRecord, keyof KnownFields>;

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
  languages: SiteLanguages;
  onBackgroundFailure: (error: unknown, id: number) => void;
}) {
  const { service, store, mode, clock, hasCredentials, rule, languages } = run;
  const { asked, ...request } = requestOf(rule);
  const startedAt = clock();
  const now = () => (mode === 'build' ? startedAt : clock()) + service.clockAhead();
  const recordOf = (id: number) => store.facts(id).record;
  const folders = { get: (id: number) => recordOf(id)?.folder ?? undefined };
  const proofs = createFieldProofs(request.decisive);
  // Plans, lists of credits and the toolbar name assets.
  const fields = [...new Set([...request.fields, 'name'])];
  const openReader = () => createRecordReader(service, { ...request, fields, folders, proofs });
  const reader = openReader();
  let batch: { ids: Set<number>; found: Promise<ReadonlyMap<number, FoundRecord>> } | undefined;
  const checks = new Map<number, Promise<StoredRecord>>();
  /** What was read from the latest fields, by asset and use. */
  const readings = new Map<number, Map<string, KnownRecord>>();
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

  function knownOf(id: number, known: StoredFields, use: InLanguages): KnownRecord {
    const byUse = readings.get(id) ?? new Map<string, KnownRecord>();
    readings.set(id, byUse);
    const key = `${use.shownIn} ${use.texts}`;
    const wanted = { ...use, id, known, languages, now: now() };
    const read = byUse.get(key) ?? readKnownRecord(rule, wanted);
    byUse.set(key, read);
    return read;
  }

  /** A page that asks for the record gets the error itself. */
  function outcomeOf(id: number, stored: StoredFields, use: InLanguages): RecordOutcome {
    try {
      const { record, embedded, verdict } = knownOf(id, stored, use);
      const mayShow = verdict.state !== 'forbidden';
      const { until } = verdict;
      const outcome = { digest: digest([record, embedded, mayShow, until]), mayShow, until };
      return verdict.state === 'unknown' ? { ...outcome, isUnknown: true } : outcome;
    } catch (thrown) {
      if (!isMediaAssetError(thrown, 'record-invalid')) throw thrown;
      return { digest: digest([thrown.code, stored.fields]), mayShow: false };
    }
  }

  /** The use that an outcome is about; `undefined` for a language that isn't the site's any more. */
  function useOf(key: string): InLanguages | undefined {
    const [code = '', ...rest] = key.split(' ');
    const shownIn = languages.ofName(code);
    if (shownIn === onNoPage) return undefined;
    return { shownIn, texts: rest.length > 0 ? rest.join(' ') : shownIn[0] };
  }

  function noteUse(id: number, { shownIn, texts }: InLanguages): void {
    for (const language of languages.each(shownIn)) {
      const key = keyOf(language, texts);
      const stored = cached(id);
      if (!stored || Object.hasOwn(stored.outcomes, key)) continue;
      const outcome = outcomeOf(id, stored, { shownIn: [language], texts });
      store.note(id, { record: { ...stored, outcomes: { ...stored.outcomes, [key]: outcome } } });
    }
  }

  /** Reads the records together that are asked for until the turn to read begins. */
  function ask(id: number): Promise<ReadonlyMap<number, FoundRecord>> {
    if (!batch) {
      const ids = new Set<number>();
      const inTurn = function* () {
        batch = undefined;
        if (outage) throw outage;
        yield* ids;
      };
      const own = mode === 'build' ? reader : openReader();
      batch = { ids, found: setImmediate().then(() => own.read(inTurn())) };
    }
    batch.ids.add(id);
    return batch.found;
  }

  async function check(id: number): Promise<StoredRecord> {
    const last = cached(id);
    try {
      await prepared;
      if (outage) throw outage;
      return keepFound(id, (await ask(id)).get(id));
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

  function keepFound(id: number, found: FoundRecord | undefined): StoredRecord {
    const { fields, texts, lacking, answers } = found?.record ?? noRecord;
    const folder = found?.folder ?? null;
    return keep(id, { fields, texts, lacking, answers, folder, checkedAt: clock() });
  }

  function keep(
    id: number,
    { folder, checkedAt, ...known }: Omit<StoredRecord, 'asked' | 'outcomes'>,
  ): StoredRecord {
    readings.delete(id);
    const keys = new Set([languages.all[0], ...Object.keys(recordOf(id)?.outcomes ?? {})]);
    const outcomes = Object.fromEntries(
      [...keys].flatMap((key) => {
        const use = useOf(key);
        return use ? [[key, outcomeOf(id, known, use)]] : [];
      }),
    );
    const record = { ...known, asked, folder, checkedAt, outcomes };
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
    const tries = [last?.checkedAt ?? 0, failedAt.get(id) ?? 0];
    if (tries.some((time) => Math.abs(clock() - time) < refreshInDev)) return last;
    const refreshed =
      refreshes.get(id) ??
      check(id)
        .catch((thrown: unknown) => {
          if (!last && !isOutage(thrown)) throw thrown;
          run.onBackgroundFailure(thrown, id);
          return last;
        })
        .finally(() => refreshes.delete(id));
    refreshes.set(id, refreshed);
    return last ?? refreshed;
  }

  /**
   * Gets the record of an asset, the same object for each request of a build in one use. In an outage,
   * it's the cached one. In dev, `undefined` if none is cached and the service can't be asked.
   *
   * @param isUse whether a page depends on it
   */
  async function find(
    id: number,
    use: InLanguages,
    isUse = true,
  ): Promise<KnownRecord | undefined> {
    const last = hasCredentials ? undefined : cached(id);
    const stored = last ?? (await (mode === 'build' ? checkOnce(id) : inDev(id)));
    if (!stored) return undefined;
    if (isUse) noteUse(id, use);
    return knownOf(id, stored, use);
  }

  return {
    find,
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
     * Judges again what was judged before later answers have shown more of its fields. In an outage, a
     * field that needs another answer is unknown. Call in a build, when all pages have asked.
     */
    async settle(): Promise<void> {
      const ids = [...checks.keys()].filter((id) => cached(id) && !stale.has(id));
      let failure: unknown;
      const known = await reader.read(ids).catch((thrown: unknown) => {
        if (!isOutage(thrown)) throw thrown;
        failure = thrown;
        return reader.known(ids);
      });
      for (const [id, found] of known) {
        const { lacking, answers } = found.record;
        const stored = cached(id);
        if (isDeepStrictEqual([stored?.lacking, stored?.answers], [lacking, answers])) continue;
        checks.set(id, Promise.resolve(keepFound(id, found)));
        if (failure) run.onBackgroundFailure(failure, id);
      }
    },
    /** The record as pages get it that depend on this outcome; `undefined` if there are none any more. */
    async findAgain(id: number, outcome: string): Promise<KnownRecord | undefined> {
      const use = useOf(outcome);
      return use && find(id, use);
    },
    /** What pages depend on, by the language of the page, and by that of the texts if it's another. */
    outcomes: (id: number) => cached(id)?.outcomes,
    /** What someone should know of the fields that answers have lacked. Call after a build. */
    findings(): Finding[] {
      const names = reader.unseen().filter((name) => request.fields.includes(name));
      return names.length > 0 ? [finding('notice', 'fields-unseen', { names })] : [];
    },
    /** When the record was last read, if this run couldn't read it; in ms since the epoch. */
    staleSince: (id: number) => stale.get(id),
    outage: () => outage,
    async settled(): Promise<void> {
      while (refreshes.size > 0) await Promise.allSettled(refreshes.values());
    },
  };
}

/** An attribute can be any text, a code has no space. */
const keyOf = (language: Language, texts: string) =>
  texts === language ? language : `${language} ${texts}`;
