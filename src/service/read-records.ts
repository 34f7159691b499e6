import { isMediaAssetError } from '../errors/errors.ts';
import { ServiceError } from './service-error.ts';
import type { FileRecord, MediaService } from './types.ts';

/** A record, and the ID of the folder that has the asset, as far as it's known. */
export interface FoundRecord {
  readonly record: FileRecord;
  readonly folder: number | undefined;
}

/** So many records are read one by one, because even the folder tree costs a request. */
const fewRecords = 3;

/**
 * Reads records with the fewest requests: one list for each folder that is known to hold several of
 * them, and one request for each of the others. It lists all folders once that takes fewer requests, or
 * if the service has no call for one record. An asset that no list has is searched by its name, because
 * its folder may be hidden. No record is read twice.
 *
 * @param request.folders the folders of assets as far as they're known, by asset ID
 * @param request.nameOf an asset's name in the service, if it's known
 */
export function createRecordReader(
  service: Pick<MediaService, 'files' | 'folders' | 'search'>,
  request: {
    readonly fields: readonly string[];
    readonly folders?: { get(id: number): number | undefined };
    readonly nameOf?: ((id: number) => Promise<string | undefined>) | undefined;
    readonly signal?: AbortSignal | undefined;
  },
) {
  const { fields, folders = new Map<number, number>(), nameOf, signal } = request;
  const found = new Map<number, FoundRecord>();
  const absent = new Set<number>();
  /** Folders whose first page or whole list was read. */
  const begun = new Set<number>();
  const complete = new Set<number>();
  let tree: Promise<readonly number[]> | undefined;
  let ones = 0;
  /** Whether the service has the call for one record. Unknown until it has answered one. */
  let hasCall: boolean | undefined;

  const leftOf = (ids: readonly number[]) => ids.filter((id) => !found.has(id) && !absent.has(id));
  const folderIds = () =>
    (tree ??= service.folders.tree({ signal }).then((all) => all.map(({ id }) => id)));

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
        found.set(record.id, { record, folder });
        if (leftOf(ids).length === 0) enough.abort();
      }
      complete.add(folder);
    } catch (thrown) {
      if (enough.signal.aborted && !signal?.aborted) return;
      // The list has more pages than were asked for.
      if (!isMediaAssetError(thrown, 'list-unfinished') || maxPages === undefined) throw thrown;
    }
  }

  async function search(id: number): Promise<void> {
    const name = await nameOf?.(id);
    if (!name) return;
    try {
      for await (const record of service.search(name, { fields, signal, maxPages: 1 }))
        if (record.id === id) found.set(id, { record, folder: undefined });
    } catch (thrown) {
      if (!isMediaAssetError(thrown, 'list-unfinished')) throw thrown;
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

  async function readOne(id: number): Promise<boolean> {
    ones += 1;
    try {
      const record = await service.files.record(id, { fields, signal });
      // An asset that its folder's list doesn't have was moved.
      const known = folders.get(id);
      found.set(id, { record, folder: begun.has(known ?? 0) ? undefined : known });
      return true;
    } catch (thrown) {
      if (!isAbsence(thrown)) throw thrown;
      // 404 can mean the asset or the call.
      return thrown.status === 410;
    }
  }

  /**
   * Counts earlier requests for one record, too: once they've cost as much as all lists, more assets are
   * likely to follow.
   */
  async function listsAreFewer(left: number): Promise<boolean> {
    const records = left > 0 ? ones + left : 0;
    if (records <= fewRecords) return false;
    return (await folderIds()).filter((id) => !begun.has(id)).length < records;
  }

  return {
    /** Reads the records of assets, by ID. An asset that the service doesn't list is left out. */
    async read(asked: Iterable<number>): Promise<ReadonlyMap<number, FoundRecord>> {
      const ids = [...new Set(asked)];
      const byFolder = Map.groupBy(leftOf(ids), (id) => folders.get(id));
      await Promise.all(
        Array.from(byFolder, async ([folder, members]) => {
          if (folder !== undefined && members.length > 1) await list(folder, members);
        }),
      );
      if (hasCall !== false && (await listsAreFewer(leftOf(ids).length))) await listAll(ids);
      if (hasCall !== false && leftOf(ids).length > 0) {
        const answered = await Promise.all(leftOf(ids).map(readOne));
        if (answered.includes(true)) hasCall = true;
      }
      if (!hasCall && leftOf(ids).length > 0) {
        await listAll(ids);
        hasCall = false;
        await Promise.all(leftOf(ids).map(search));
      }
      for (const id of leftOf(ids)) absent.add(id);
      const wanted = new Set(ids);
      return new Map([...found].filter(([id]) => wanted.has(id)));
    },
  };
}

/** Whether the service itself doesn't give the record. */
function isAbsence(thrown: unknown): thrown is ServiceError {
  if (!(thrown instanceof ServiceError) || !thrown.isOwnRefusal) return false;
  return [403, 404, 405, 410, 501].includes(thrown.status ?? 0);
}
