import { join } from 'node:path';
import { readNamedAssets } from '../../assets/request/read-named-assets.ts';
import { type FetchedOriginal, openOriginals } from '../../assets/sources/fetch-originals.ts';
import { countOf, oneLine } from '../../errors/wording.ts';
import { orMissing } from '../../service/service-error.ts';
import type { FileRecord, MediaService } from '../../service/types.ts';
import { openLibrary, type ServiceFlags } from '../settings/find-service.ts';
import { findCacheFolder } from '../settings/site-settings.ts';
import { errorToJson } from '../terminal/json-output.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { byteText } from '../terminal/table.ts';
import { type Command, exitCodes } from '../terminal/terminal.ts';
import { emptyList } from './library/files.ts';

interface FetchFlags extends ServiceFlags {
  readonly cache?: string;
  readonly folder?: number;
  readonly search?: string;
}

const defaultConcurrency = 8;

/** Without arguments, fetches the assets of the last build and those named in `src`. */
export const fetchOriginals: Command<FetchFlags, [named?: readonly number[]]> = async (
  flags,
  terminal,
  named = [],
) => {
  const { signal, directory } = terminal;
  const { service, settings } = await openLibrary(flags, terminal);
  const folder = await findCacheFolder(flags, terminal);
  const originals = openOriginals({
    service,
    cacheDir: folder,
    atOnce: settings?.concurrency ?? defaultConcurrency,
    signal,
  });
  const listed = await listFiles(service, { ...flags, signal }).catch((thrown: unknown) => {
    if (!signal.aborted) throw thrown;
  });
  if (!listed) {
    terminal.note('Canceled. Nothing was fetched.');
    return exitCodes.ended;
  }
  const asked = [...named, ...listed.ids];
  const isAsked = named.length > 0 || flags.folder !== undefined || flags.search !== undefined;
  const ids = isAsked
    ? asked
    : [...originals.used(), ...(await readNamedAssets(join(directory, 'src')))];
  const distinct = [...new Set(ids)];
  const progress = progressLine('Fetching originals', terminal);
  const show = (done: number) => progress({ done, total: distinct.length });
  if (distinct.length > 0) show(0);
  const found = await originals.fetch(distinct, show);
  terminal.print(toJson(found, folder), () => toText(found, { folder, empty: listed.empty }));
  const left = distinct.length - found.length;
  if (left > 0) {
    terminal.note(`Canceled: ${left} of ${distinct.length} weren't fetched.`);
    return exitCodes.ended;
  }
  return found.some(({ outcome }) => outcome === 'failed') ? exitCodes.error : exitCodes.done;
};

/** The files of a folder and a search, and a message for each that is empty. */
async function listFiles(
  service: MediaService,
  { folder, search, signal }: Pick<FetchFlags, 'folder' | 'search'> & { signal: AbortSignal },
): Promise<{ ids: number[]; empty: string[] }> {
  const ids: number[] = [];
  const empty: string[] = [];
  const take = async (list: AsyncIterable<FileRecord>, emptyText: string) => {
    const before = ids.length;
    for await (const { id } of list) ids.push(id);
    if (ids.length === before) empty.push(emptyText);
  };
  if (folder !== undefined) {
    const list = service.folders.files(folder, { signal });
    await take(list, emptyList.folder(folder)).catch(orMissing({ what: 'folder', id: folder }));
  }
  if (search !== undefined) {
    await take(service.search(search, { signal }), emptyList.search(search));
  }
  return { ids, empty };
}

function toJson(found: readonly FetchedOriginal[], folder: string) {
  const assets = found.map((one) =>
    one.outcome === 'failed'
      ? { id: one.id, outcome: one.outcome, ...errorToJson(one.error) }
      : one,
  );
  return { folder, assets };
}

function toText(
  found: readonly FetchedOriginal[],
  { folder, empty }: { folder: string; empty: readonly string[] },
): string {
  if (found.length === 0) {
    return empty.length > 0
      ? [...empty, 'Nothing to fetch.'].join('\n')
      : 'Nothing to fetch: no build, source file, ID, folder or search names an asset.';
  }
  const failed = found.filter((one) => one.outcome === 'failed');
  const fetched = found.flatMap((one) => (one.outcome === 'fetched' ? [one.size] : []));
  const size = fetched.reduce((sum, bytes) => sum + bytes, 0);
  const present = found.length - failed.length - fetched.length;
  return [
    ...empty,
    ...failed.map(
      ({ id, error }) => `failed  asset ${id}  ${oneLine(error.message)} [${error.code}]`,
    ),
    `${countOf(fetched.length, 'original')} fetched (${byteText(size)}), ${present} already there, ${failed.length} failed, in ${folder}.`,
  ].join('\n');
}
