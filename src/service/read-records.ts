import pLimit from 'p-limit';
import { isMediaAssetError } from '../errors/errors.ts';
import {
  type Answers,
  createFieldProofs,
  type DecisiveFields,
  type FieldProofs,
  valueIn,
} from './field-proofs.ts';
import { ServiceError } from './service-error.ts';
import type { FileRecord, MediaService } from './types.ts';

/** The calls that answer records. */
export const answerKinds = ['record', 'list'] as const;
export type AnswerKind = (typeof answerKinds)[number];

/** A record, and how much of it is known. Fields have the names that were asked for, too. */
export interface WholeRecord extends FileRecord {
  /** The decisive fields that no answer is known to carry for this asset: unknown, not empty. */
  readonly lacking: readonly string[];
  /** The answers that it's from. */
  readonly answers: readonly AnswerKind[];
  /** The fields of texts by language, if they were asked for by locale. */
  readonly texts?: Readonly<Record<string, FileRecord['fields']>> | undefined;
}

/** A record, and the ID of the folder that has the asset, as far as it's known. */
export interface FoundRecord {
  readonly record: WholeRecord;
  readonly folder: number | undefined;
}

/** What is known of an asset so far. */
type KnownAnswers = Omit<WholeRecord, 'lacking' | 'texts'> &
  Answers &
  Pick<FoundRecord, 'folder'> & { texts?: WholeRecord['texts'] };

/** So many records are read one by one, because even the folder tree costs a request. */
const fewRecords = 3;

/** So many own records are read at a time if lists lack a field. */
const atOnce = 8;

/**
 * Reads records with the fewest requests: one list for each folder that is known to hold several of
 * them, and one request for each of the others. It lists all folders once that takes fewer requests, or
 * if the service has no call for one record. No record is read twice.
 *
 * A list's entry isn't the record: what it lacks of the decisive fields is read singly as far as needed.
 *
 * @param request.fields all fields to ask for
 * @param request.decisive those of them that must be known
 * @param request.texts those of them that differ by language, and the service's locales by language
 * @param request.folders the folders of assets as far as they're known, by asset ID
 * @param request.proofs what earlier answers of the same service have proved
 */
export function createRecordReader(
  service: Pick<MediaService, 'files' | 'folders'>,
  request: {
    readonly fields: readonly string[];
    readonly decisive?: DecisiveFields | undefined;
    readonly texts?: {
      readonly fields: readonly string[];
      readonly locales: Readonly<Record<string, string>>;
    };
    readonly folders?: { get(id: number): number | undefined };
    readonly proofs?: FieldProofs;
    readonly signal?: AbortSignal | undefined;
  },
) {
  const { fields, folders = new Map<number, number>() } = request;
  const { decisive = { fields: [], optional: [] } } = request;
  const { signal, proofs = createFieldProofs(decisive) } = request;
  const found = new Map<number, KnownAnswers>();
  const absent = new Set<number>();
  /** The requests for one record, by asset ID. */
  const ones = new Map<number, Promise<boolean>>();
  /** Asked for, and in no answer yet. */
  const unseen = new Set(fields);
  /** How many records were read singly because lists lack a field. */
  let singly = 0;
  /** Folders whose first page or whole list was read. */
  const begun = new Set<number>();
  const complete = new Set<number>();
  let tree: Promise<readonly number[]> | undefined;
  /** Whether the service has the call for one record. Unknown until it has answered one. */
  let hasCall: boolean | undefined;
  /** Two at once would each decide on half of what the other has asked for. */
  const inTurn = pLimit(1);

  const leftOf = (ids: readonly number[]) => ids.filter((id) => !found.has(id) && !absent.has(id));
  const foundOf = (ids: readonly number[]) => ids.flatMap((id) => found.get(id) ?? []);
  const folderIds = () =>
    (tree ??= service.folders.tree({ signal }).then((all) => all.map(({ id }) => id)));

  function take(
    kind: AnswerKind,
    { id, name, filename, fields: all }: FileRecord,
    folder?: number,
  ) {
    const named = fields.flatMap((one) => {
      const value = valueIn(all, one);
      return value === undefined ? [] : [[one, value] as const];
    });
    for (const [one] of named) unseen.delete(one);
    const before = found.get(id);
    // The asset's own record says more than its entry in a list.
    const parts = [before?.fields, { ...all, ...Object.fromEntries(named) }];
    const one: KnownAnswers = {
      ...{ ...before, id, name: name ?? before?.name, filename: filename ?? before?.filename },
      fields: Object.assign({}, ...(kind === 'record' ? parts : parts.reverse())),
      answers: [...(before?.answers ?? []), kind],
      ...(kind === 'list' ? { listed: all } : { own: all }),
      folder: folder ?? before?.folder,
    };
    found.set(id, one);
    proofs.note(one);
  }

  /**
   * Reads a list until it has these assets. A list doesn't show where it ends, so asking costs requests.
   * The rest of a page costs nothing, and has the records and folders of assets that come later.
   */
  async function list(folder: number, ids: readonly number[], maxPages?: number): Promise<void> {
    begun.add(folder);
    const enough = new AbortController();
    const request = {
      ...{ fields, processed: false, ...(maxPages && { maxPages }) },
      signal: signal ? AbortSignal.any([signal, enough.signal]) : enough.signal,
    };
    try {
      for await (const record of service.folders.files(folder, request)) {
        take('list', record, folder);
        if (leftOf(ids).length === 0) enough.abort();
      }
      complete.add(folder);
    } catch (thrown) {
      if (enough.signal.aborted && !signal?.aborted) return;
      // The list has more pages than were asked for.
      if (!isMediaAssetError(thrown, 'list-unfinished') || maxPages === undefined) throw thrown;
    }
  }

  /** Reads the first page of each list, and the other pages only if an asset is missing. */
  async function listAll(ids: readonly number[]): Promise<void> {
    const all = await folderIds();
    const fresh = all.filter((folder) => !begun.has(folder));
    await Promise.all(fresh.map((folder) => list(folder, ids, 1)));
    for (const folder of all) {
      if (leftOf(ids).length === 0) return;
      if (!complete.has(folder)) await list(folder, ids);
    }
  }

  /** @returns whether the answer proves that the service has the call */
  function readOne(id: number): Promise<boolean> {
    const work = async () => {
      try {
        const record = await service.files.record(id, { fields, signal });
        hasCall = true;
        // An asset that its folder's list doesn't have was moved.
        const known = folders.get(id);
        take('record', record, begun.has(known ?? 0) ? undefined : known);
        return true;
      } catch (thrown) {
        if (!isAbsence(thrown) && !(found.has(id) && isNoCall(thrown))) throw thrown;
        // 404 can mean the asset or the call.
        return thrown.status === 410;
      }
    };
    const one = ones.get(id) ?? work();
    ones.set(id, one);
    return one;
  }

  /** Counts requests for one record, too: if they cost as much as all lists, more will follow. */
  async function listsAreFewer(left: number): Promise<boolean> {
    const records = left > 0 ? ones.size - singly + left : 0;
    if (records <= fewRecords) return false;
    return (await folderIds()).filter((id) => !begun.has(id)).length < records;
  }

  /** Reads listed assets singly. Stops if the service seems to have no call for that. */
  async function readSingly(ids: readonly number[]): Promise<void> {
    for (let start = 0; start < ids.length; start += atOnce) {
      if (!hasCall && singly >= atOnce) return;
      const some = ids.slice(start, start + atOnce);
      singly += some.length;
      await Promise.all(some.map(readOne));
    }
  }

  /** Reads the texts of an asset in each language, once. What an answer lacks is empty there. */
  async function readTexts({ id, texts }: KnownAnswers): Promise<void> {
    const { fields: names = [], locales = {} } = request.texts ?? {};
    const read = Object.entries(texts ? {} : locales).map(async ([language, locale]) => {
      const { fields: all } = await service.files.record(id, { fields: names, locale, signal });
      const texts = names.map((name) => [name, valueIn(all, name) ?? null]);
      return [language, Object.fromEntries(texts)] as const;
    });
    const all = await Promise.all(read);
    // The asset can have another answer since.
    if (all.length > 0) Object.assign(found.get(id) ?? {}, { texts: Object.fromEntries(all) });
  }

  /** What the answers so far say about assets. Sends no request. */
  function known(ids: readonly number[]): ReadonlyMap<number, FoundRecord> {
    const records = foundOf(ids).map((one) => ({ ...one, lacking: proofs.lacking(one) }));
    return new Map(records.map((record) => [record.id, { record, folder: record.folder }]));
  }

  /** Makes the decisive fields of assets known, as far as the service gives them. */
  async function whole(ids: readonly number[]): Promise<ReadonlyMap<number, FoundRecord>> {
    // What is read for one field can prove something about another.
    for (let before = -1; before < ones.size; ) {
      before = ones.size;
      for (const name of [...decisive.fields, ...(decisive.sampled ?? [])]) {
        const next = foundOf(ids).filter(({ id, own }) => own === undefined && !ones.has(id));
        await readSingly(proofs.toRead(name, next).map(({ id }) => id));
      }
    }
    await Promise.all(foundOf(ids).map(readTexts));
    return known(ids);
  }

  async function readAll(ids: readonly number[]): Promise<ReadonlyMap<number, FoundRecord>> {
    const byFolder = Map.groupBy(leftOf(ids), (id) => folders.get(id));
    await Promise.all(
      Array.from(byFolder, async ([folder, members]) => {
        if (folder !== undefined && members.length > 1) await list(folder, members);
      }),
    );
    if (hasCall !== false && (await listsAreFewer(leftOf(ids).length))) await listAll(ids);
    if (hasCall !== false) {
      const answered = await Promise.all(leftOf(ids).map(readOne));
      if (answered.includes(true)) hasCall = true;
    }
    if (!hasCall && leftOf(ids).length > 0) {
      await listAll(ids);
      hasCall = false;
    }
    for (const id of leftOf(ids)) absent.add(id);
    return whole(ids);
  }

  return {
    known,
    /** Reads the records of assets, by ID. An asset that the service doesn't list is left out. */
    read: (asked: Iterable<number>) => inTurn(() => readAll([...new Set(asked)])),
    /** Takes a record that a list has answered. */
    note: (listed: FileRecord) => take('list', listed),
    /** Completes records that a list has answered, by ID. */
    complete(listed: readonly FileRecord[]): Promise<ReadonlyMap<number, FoundRecord>> {
      for (const record of listed) take('list', record);
      return inTurn(() => whole(listed.map(({ id }) => id)));
    },
    /** The fields that no answer has. */
    unseen: () => (found.size > 0 ? [...unseen] : []),
  };
}

/** Whether the service itself doesn't give the record. */
function isAbsence(thrown: unknown): thrown is ServiceError {
  if (!(thrown instanceof ServiceError) || !thrown.isOwnRefusal) return false;
  return [403, 404, 405, 410, 501].includes(thrown.status ?? 0);
}

/** Whether the call for one record fails although a list has the asset. */
function isNoCall(thrown: unknown): thrown is ServiceError {
  return isMediaAssetError(thrown, 'answer-unexpected', 'request-refused');
}
