import { lookup } from 'mrmime';
import type { LimitFunction } from 'p-limit';
import { assetName } from '../../assets/files/file-label.ts';
import type { PeopleAssets } from '../../assets/people-assets.ts';
import { type ListedFacts, listFileFacts } from '../../service/list-file-facts.ts';
import type { ListRequest } from '../../service/requests.ts';
import type { FileRecord, Folder, MediaService } from '../../service/types.ts';
import type * as protocol from './protocol.ts';

type ListRecords = ReturnType<NonNullable<PeopleAssets['listedRecords']>['open']>;

export interface ListedFile extends protocol.ListedAsset {
  /** What a person may search for, as `fold` returns it. */
  readonly folded: string;
  /** `undefined` for an upload. */
  readonly record?: FileRecord | undefined;
}

interface ReadState {
  isReading: boolean;
  /** Why it isn't whole. */
  failure: unknown;
  /** When it's out of date, in ms since the epoch: 0 before it's first read. */
  staleAt: number;
  ended?: Promise<void>;
}

export interface ReadList extends ReadState {
  readonly name: string;
  /** In the order of the service. */
  files: Map<number, ListedFile>;
  records?: ListRecords | undefined;
  completed: Set<number>;
  /** Reads it now, also if it waits for its turn. */
  begin?: () => Promise<void>;
}

/** In ms. */
const freshFor = 30_000;
const nothing = () => ({ files: new Map<number, ListedFile>(), completed: new Set<number>() });
const unread = { isReading: false, failure: undefined, staleAt: 0 };

/**
 * The lists of the service that have been read since the dev server started. Folders are read side by
 * side. What's out of date is shown until it has been read again.
 */
export function openCatalogue(site: {
  service: Pick<MediaService, 'folders' | 'files' | 'search'>;
  listedRecords: PeopleAssets['listedRecords'];
  /** Starts requests that no one waits for. */
  limit: LimitFunction;
}) {
  const { service, listedRecords, limit } = site;
  const tree: ReadState & { folders: readonly Folder[] } = { ...unread, folders: [] };
  const listings = new Map<string, ReadList>();
  const paging = {};

  /** Reads something, unless that's done or going on. What took long stays fresh for longer. */
  function renew(held: ReadState, isNew: boolean, work: () => Promise<void>): void {
    const isDue = isNew && (held.failure || held.staleAt < Date.now());
    if (held.isReading || !(isDue || held.staleAt === 0)) return;
    Object.assign(held, { isReading: true, failure: undefined });
    const start = Date.now();
    held.ended = work()
      .catch((failure: unknown) => {
        held.failure = failure;
      })
      .finally(() => {
        const staleAt = Date.now() + Math.max(freshFor, 10 * (Date.now() - start));
        Object.assign(held, { isReading: false, staleAt });
      });
  }

  function list(
    [kind, key]: readonly ['folder' | 'asset', number] | readonly ['search', string],
    request: (asked: ListRequest) => AsyncIterable<FileRecord>,
    { isNew, name = `${kind} ${key}` }: { isNew: boolean; name?: string | undefined },
  ): ReadList {
    const folder = kind === 'folder' ? key : undefined;
    const listing = listings.get(`${kind} ${key}`) ?? { ...unread, name, ...nothing() };
    listings.set(`${kind} ${key}`, listing);
    async function work(): Promise<void> {
      // An asset's own record proves nothing about lists.
      const records = kind === 'asset' ? undefined : listedRecords?.open(kind === 'search');
      const read = { ...nothing(), records };
      const show = () => Object.assign(listing, read);
      if (listing.files.size === 0) show();
      let record: FileRecord | undefined;
      async function* ask(names: readonly string[]) {
        const fields = [...new Set([...names, ...(listedRecords?.fields ?? [])])];
        for await (record of request({ fields })) yield record;
      }
      for await (const facts of listFileFacts(ask, folder, paging)) {
        if (record) records?.note(record);
        read.files.set(facts.id, { ...toListed(facts), record });
      }
      show();
    }
    renew(listing, isNew, () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      let begun: Promise<void> | undefined;
      listing.begin = () => {
        begun ??= work();
        resolve(begun);
        return begun.catch(() => {});
      };
      void (kind === 'folder' ? limit(listing.begin) : listing.begin());
      return promise;
    });
    return listing;
  }

  const folder = (id: number, isNew = false, name?: string) =>
    list(['folder', id], (asked) => service.folders.files(id, asked), { isNew, name });

  return {
    /** The folder tree. @param isNew whether something out of date is read again */
    folders(isNew: boolean) {
      renew(tree, isNew, async () => {
        tree.folders = await service.folders.tree();
      });
      return tree;
    },
    folder,
    search(text: string, isNew: boolean): ReadList {
      const request = (asked: ListRequest) => service.search(text, asked);
      return list(['search', text], request, { isNew, name: 'the search' });
    },
    /** The list of one asset, which is empty if the service has no call for it. */
    asset(id: number, isNew: boolean): ReadList {
      async function* request({ fields }: ListRequest) {
        yield await service.files.record(id, { fields });
      }
      return list(['asset', id], request, { isNew });
    },
  };
}

export function toListed(
  file: Partial<ListedFacts> & Pick<ListedFacts, 'id'>,
): Omit<ListedFile, 'record'> {
  const { id, name, filename, kind, size, width, height } = file;
  return {
    id,
    name: assetName(file) ?? `Asset ${id}`,
    kind: kindOf(kind, filename ?? name ?? ''),
    size: width && height ? { width, height } : undefined,
    bytes: size,
    folded: fold(`${name ?? ''} ${filename ?? ''}`),
  };
}

const kinds = ['image', 'video', 'audio'] as const;

/** By the service's own word for it, such as `image/jpeg`, or else by the file's name. */
export function kindOf(kind = '', name = ''): protocol.AssetKind {
  const type = (lookup(kind) ?? lookup(name) ?? kind).toLowerCase();
  return kinds.find((one) => type.startsWith(one)) ?? 'document';
}

/** A text without case and accents, so that `bjorn` finds `Björn`. */
export function fold(text: string): string {
  // In upper case, ß is SS.
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase();
}
